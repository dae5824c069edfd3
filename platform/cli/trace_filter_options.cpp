// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/trace_filter_options.h"

#include "platform/cli/option_kinds.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <map>

namespace pes {
namespace {

using Range = TraceFilterSetup::Range;

constexpr const char* kOptions = "--trace-range, --trace-mode and --trace-traps";

const std::map<std::string, Privilege, std::less<>>& modes_by_name() {
    static const std::map<std::string, Privilege, std::less<>> modes{
        {"u", Privilege::User}, {"s", Privilege::Supervisor}, {"m", Privilege::Machine}};
    return modes;
}

std::uint8_t bit_of(Privilege mode) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(mode));
}

/// "u", "u,s": bits by mode.
std::uint8_t modes_of(const std::string& text) {
    std::uint8_t modes = 0;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t comma = std::min(text.find(',', at), text.size());
        const auto mode = modes_by_name().find(text.substr(at, comma - at));
        if (mode == modes_by_name().end()) {
            throw UserError("--trace-mode got '" + text +
                            "', expected modes of u, s and m with commas between them");
        }
        modes |= bit_of(mode->second);
        at = comma + 1;
    }
    return modes;
}

/// START-END in numbers; END is behind the range.
std::optional<Range> numbers_of(const std::string& text) {
    const std::size_t dash = text.find('-');
    if (dash == std::string::npos) {
        return std::nullopt;
    }
    const auto begin = parse_address(std::string_view(text).substr(0, dash));
    const auto end = parse_address(std::string_view(text).substr(dash + 1));
    if (!begin || !end) {
        return std::nullopt;
    }
    if (*begin >= *end) {
        throw UserError("--trace-range got '" + text + "', expected a START below END");
    }
    return Range{*begin, *end};
}

Range range_of(const std::string& text, const BootImage& boot) {
    if (const auto symbol = boot.symbol(text)) {
        if (symbol->size == 0) {
            throw UserError("--trace-range got '" + text +
                            "', whose size the program does not tell, expected START-END");
        }
        return {symbol->address, symbol->address + symbol->size};
    }
    if (const auto range = numbers_of(text)) {
        return *range;
    }
    throw UserError("--trace-range got '" + text +
                    "', expected a function of the program or addresses START-END");
}

} // namespace

void add_trace_filter_options(CLI::App& run, Options& options) {
    static const std::map<std::string, TracedTraps> kTraps{{"exceptions", TracedTraps::Exceptions},
                                                           {"interrupts", TracedTraps::Interrupts}};
    run.add_option("--trace-range", options.trace_ranges,
                   "Only instructions of a function or of addresses START-END, without END; may be "
                   "repeated; standard registers")
        ->type_name("FUNCTION|START-END")
        ->take_all();
    run.add_option_function<std::string>(
           "--trace-mode",
           [&options](const std::string& text) {
               options.trace_setup.filter.privileges = modes_of(text);
           },
           "Only instructions of these modes, e.g. u or u,s; standard registers")
        ->type_name("MODES");
    add_choice(run, "--trace-traps", options.trace_setup.filter.traps, kTraps,
               "exceptions|interrupts", "Only handlers of these; standard registers");
}

bool filters_trace(const Options& options) {
    return !options.trace_ranges.empty() || options.trace_setup.filter.any();
}

std::string text_of_trace_filters(const Options& options) {
    static constexpr const char* kTraps[] = {"", ", exceptions", ", interrupts"};
    const TraceFilterSetup& filter = options.trace_setup.filter;
    std::string text;
    for (const std::string& range : options.trace_ranges) {
        text += ", range " + range;
    }
    for (const auto& [name, mode] : modes_by_name()) {
        text += (filter.privileges & bit_of(mode)) != 0 ? ", mode " + name : "";
    }
    return text + kTraps[static_cast<unsigned>(filter.traps)];
}

TraceFilterSetup trace_filters(const Options& options, const PlatformConfig& config,
                               const BootImage& boot) {
    TraceFilterSetup filter = options.trace_setup.filter;
    if (!filters_trace(options)) {
        return filter;
    }
    if (config.trace.registers != trace::RegisterSet::Standard) {
        throw UserError(std::string(kOptions) +
                        " got trace.registers = \"sifive\", which has no filters, expected "
                        "\"standard\"");
    }
    const ProgramTrace program = options.trace_setup.program;
    if (program == ProgramTrace::None || program == ProgramTrace::Events) {
        throw UserError(std::string(kOptions) + " need --trace-program htm, htm-plain or btm");
    }
    const std::size_t ranges = options.trace_ranges.size();
    const std::size_t room = std::min(config.trace.filters, config.trace.comparators);
    if (ranges > room || config.trace.filters == 0) {
        throw UserError("--trace-range got " + std::to_string(ranges) + " ranges, but with " +
                        std::to_string(config.trace.filters) + " filters and " +
                        std::to_string(config.trace.comparators) +
                        " comparators (trace.filters, trace.comparators) there can be " +
                        std::to_string(room));
    }
    for (const std::string& text : options.trace_ranges) {
        filter.ranges.push_back(range_of(text, boot));
    }
    return filter;
}

} // namespace pes
