// SPDX-License-Identifier: Apache-2.0
// Which instructions of a trace are listed: by function, address, time and source. Of one kind any
// has to hold, of different kinds all.
#pragma once

#include "decoder/trace/flow/flow_sink.h"
#include "platform/program/symbolizer.h"

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

namespace pes::trace {

/// From `begin` up to but not including `end`.
struct ValueRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    bool operator==(const ValueRange&) const = default;
    bool holds(std::uint64_t value) const { return value >= begin && value < end; }
};

/// 0xSTART-0xEND. Throws UserError.
ValueRange parse_address_range(const std::string& option, const std::string& text);
/// START-END, or START- for all that follows. Throws UserError.
ValueRange parse_time_range(const std::string& option, const std::string& text);

struct FilterOptions {
    std::vector<std::string> functions; ///< names or globs
    std::vector<ValueRange> addresses;
    std::vector<ValueRange> times;
    std::set<std::uint16_t> sources;

    bool any() const {
        return !functions.empty() || !addresses.empty() || !times.empty() || !sources.empty();
    }
};

class InstructionFilter {
  public:
    /// Throws UserError for a function that none of the programs has.
    InstructionFilter(const FilterOptions& options, const Symbolizer& symbols);

    bool any() const { return options_.any(); }
    bool passes_source(std::uint16_t source) const {
        return options_.sources.empty() || options_.sources.contains(source);
    }
    bool passes_time(FlowTime time) const;
    bool passes_place(Address pc, const Function* function) const;

    /// "--only-function and --only-time": what was asked for.
    std::string text() const;

  private:
    FilterOptions options_;
    std::unordered_set<const Function*> functions_;
};

} // namespace pes::trace
