// SPDX-License-Identifier: Apache-2.0
// Folded stacks, the input of flamegraph.pl: "program;caller;function 1234" for each stack, by
// name.
#include "decoder/export/formats.h"

#include <algorithm>
#include <map>
#include <ranges>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

/// ';' separates the names of a stack, and a line ends it.
std::string as_frame(std::string name) {
    std::replace(name.begin(), name.end(), ';', ':');
    std::replace(name.begin(), name.end(), '\n', ' ');
    return name;
}

std::string folded(const ExportData& data, const ExportedStack& stack) {
    std::string line = as_frame(program_name(data.place(stack.front())));
    for (const std::size_t place : stack | std::views::reverse) {
        line += ';' + as_frame(function_name(data.place(place)));
    }
    return line;
}

} // namespace

void export_folded(OutputFile& file, ExportData& data) {
    std::map<std::string, std::uint64_t> lines; // stacks that differ in addresses only are one
    for (const ExportedSample& sample : data.samples()) {
        std::uint64_t& weight = lines[folded(data, data.stacks()[sample.stack])];
        weight = saturating_sum(weight, sample.weight);
    }
    for (const auto& [stack, weight] : lines) {
        file.write(fmt::format("{} {}\n", stack, weight));
    }
}

} // namespace pes
