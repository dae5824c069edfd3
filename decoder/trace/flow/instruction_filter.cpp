// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/flow/instruction_filter.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <fnmatch.h>
#include <limits>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
namespace {

bool matches(const std::string& pattern, const std::string& name) {
    return name == pattern || ::fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

/// By its name with or without parameters, or as it is in the symbol table.
bool matches(const std::string& pattern, const Function& function) {
    return matches(pattern, function.name) || matches(pattern, function.symbol) ||
           matches(pattern, function.name.substr(0, function.name.find('(')));
}

bool in_some_range(const std::vector<ValueRange>& ranges, std::uint64_t value) {
    return ranges.empty() || std::any_of(ranges.begin(), ranges.end(),
                                         [value](const auto& range) { return range.holds(value); });
}

std::optional<ValueRange> parse_range(const std::string& text, bool open_end) {
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos || dash == 0) {
        return std::nullopt;
    }
    const auto begin = parse_address(text.substr(0, dash));
    const auto end = open_end && dash + 1 == text.size() ? std::numeric_limits<std::uint64_t>::max()
                                                         : parse_address(text.substr(dash + 1));
    return begin && end && *begin < *end ? std::optional(ValueRange{*begin, *end}) : std::nullopt;
}

} // namespace

ValueRange parse_address_range(const std::string& option, const std::string& text) {
    const auto range = parse_range(text, false);
    if (!range || !text.starts_with("0x") || text.find("-0x") == std::string::npos) {
        throw UserError(option + " got '" + text +
                        "', expected 0xSTART-0xEND with the start below the end");
    }
    return *range;
}

ValueRange parse_time_range(const std::string& option, const std::string& text) {
    const auto range = parse_range(text, true);
    if (!range) {
        throw UserError(option + " got '" + text +
                        "', expected START-END with the start below the end, or START-");
    }
    return *range;
}

InstructionFilter::InstructionFilter(const FilterOptions& options, const Symbolizer& symbols)
    : options_(options) {
    for (const std::string& pattern : options.functions) {
        bool any = false;
        for (const ElfProgram& program : symbols.programs()) {
            for (const Function& function : program.functions()) {
                if (matches(pattern, function)) {
                    functions_.insert(&function);
                    any = true;
                }
            }
        }
        if (!any) {
            throw UserError("--only-function got '" + pattern +
                            "', expected a function of the programs or a glob that fits one");
        }
    }
}

bool InstructionFilter::passes_time(FlowTime time) const {
    return options_.times.empty() || (time && in_some_range(options_.times, *time));
}

bool InstructionFilter::passes_place(Address pc, const Function* function) const {
    return in_some_range(options_.addresses, pc) &&
           (functions_.empty() || functions_.contains(function));
}

std::string InstructionFilter::text() const {
    std::vector<std::string> parts;
    const auto add = [&](bool given, const char* option) {
        if (given) {
            parts.emplace_back(option);
        }
    };
    add(!options_.functions.empty(), "--only-function");
    add(!options_.addresses.empty(), "--only-addresses");
    add(!options_.times.empty(), "--only-time");
    add(!options_.sources.empty(), "--only-source");
    return fmt::format("{}", fmt::join(parts, " and "));
}

} // namespace pes::trace
