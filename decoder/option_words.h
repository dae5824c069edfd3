// SPDX-License-Identifier: Apache-2.0
// What the commands of pes-decode have in common: files as options, and words that mean something.
#pragma once

#include "platform/profile/hot_spots.h"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pes {

/// A name that is not empty.
CLI::Validator file_name();
CLI::Option* add_file(CLI::App& command, const char* option, std::string& file,
                      const char* meaning);
/// --source-path.
void add_source_path(CLI::App& command, std::vector<std::string>& directories);

// These throw UserError for a word that is not what the option expects.
std::size_t parse_count(const std::string& option, const std::string& text);
unsigned parse_number(const std::string& option, const std::string& text, unsigned least,
                      unsigned most);
/// Nothing for an empty word: the groupings by function and line.
std::vector<GroupBy> parse_by(const std::string& text);

/// Changes nothing for an empty word.
template <typename Number>
void parse_clock(const std::string& text, Number& clock_hz) {
    if (!text.empty()) {
        clock_hz = parse_number("--clock-hz", text, 1, 4'294'967'295);
    }
}

} // namespace pes
