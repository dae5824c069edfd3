// SPDX-License-Identifier: Apache-2.0
// What the options of a program say about themselves.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace pes {

/// What completes a value.
enum class ValueKind : std::uint8_t { None, Word, File, Directory };

struct OptionFacts {
    std::vector<std::string> names{}; ///< with their dashes, short ones first; empty: positional
    std::string value{};              ///< name of the value, or values; empty: takes none
    ValueKind kind = ValueKind::None;
    std::vector<std::string> choices{}; ///< words that the value may be
    bool repeats = false;
    bool required = false;
    std::string meaning{};
    std::string group{}; ///< heading of --help
};

struct CommandFacts {
    std::string name{};
    std::string meaning{};
    std::string footer{};
    std::vector<OptionFacts> options{}; ///< in the order of --help
};

struct ProgramFacts {
    CommandFacts program{};
    std::string version{};
    std::vector<CommandFacts> commands{}; ///< subcommands
};

ProgramFacts facts_of(const CLI::App& app, const std::string& version);

} // namespace pes
