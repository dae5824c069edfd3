// SPDX-License-Identifier: Apache-2.0
// What a demonstration has printed: lines of a word and numbers.
#pragma once

#include <cstdint>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace pes::test {

/// The numbers of each line, by its word.
using ConsoleLines = std::map<std::string, std::vector<std::vector<std::uint64_t>>>;

inline ConsoleLines read_console_lines(const std::string& text) {
    ConsoleLines result;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        std::string first;
        words >> first;
        std::vector<std::uint64_t>& values = result[first].emplace_back();
        for (std::uint64_t value = 0; words >> value;) {
            values.push_back(value);
        }
    }
    return result;
}

} // namespace pes::test
