// SPDX-License-Identifier: Apache-2.0
#include "platform/program/source_text.h"

#include <filesystem>
#include <fstream>

namespace pes::trace {
namespace {

constexpr std::uintmax_t kMostBytes = std::uintmax_t{1} << 24; // no source file is longer

/// Nothing for what is no file: debug information may name anything, also a FIFO that blocks.
std::vector<std::string> read_lines(const std::string& file) {
    std::vector<std::string> lines;
    std::error_code failed;
    if (!std::filesystem::is_regular_file(file, failed) ||
        std::filesystem::file_size(file, failed) > kMostBytes || failed) {
        return lines;
    }
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(std::move(line));
    }
    return lines;
}

} // namespace

std::string_view SourceText::line(const std::string& file, unsigned number) {
    auto known = files_.find(file);
    if (known == files_.end()) {
        known = files_.emplace(file, read_lines(path_.find(file))).first;
    }
    if (number == 0 || number > known->second.size()) {
        return {};
    }
    constexpr std::string_view kBlanks = " \t\r";
    std::string_view line = known->second[number - 1];
    const std::size_t first = line.find_first_not_of(kBlanks);
    return first == std::string_view::npos
               ? std::string_view{}
               : line.substr(first, line.find_last_not_of(kBlanks) + 1 - first);
}

} // namespace pes::trace
