// SPDX-License-Identifier: Apache-2.0
// Which instructions are traced: filters and comparators at a hart's retirement stream, in front of
// the tracers of both protocols.
//
// Comparators see each retired instruction with its address, and the trap value of the last trap.
// Latches, the trap value and the nesting of traps begin anew with reset().
#pragma once

#include "hw/common/retirement.h"
#include "hw/trace/filter_settings.h"

namespace pes::trace {

class FilterUnit {
  public:
    struct Verdict {
        bool traced = true;
        bool notify = false; ///< a watchpoint: the address of this instruction is to be reported
    };

    void configure(const TraceFilters& settings);
    bool on() const { return settings_.on(); }

    void reset();
    void trapped(const TrapTaken& trap);
    /// In the order of retirement, each instruction once.
    Verdict retired(const Retirement& retirement);

    void state(Archive& archive); ///< of a checkpoint

  private:
    /// Traps inside the one that matches, and itself; more than that end the match too early.
    using Nesting = std::uint16_t;

    struct Result {
        bool output = false;
        bool notify = false;
    };

    void note_nesting();
    std::uint64_t input(CompareInput which, Address pc) const;
    Result compare(std::size_t index, Address pc);
    bool matches(std::size_t index, const Retirement& retirement, std::uint8_t outputs) const;

    TraceFilters settings_;
    std::uint8_t used_ = 0;    ///< bit n: the result of comparator n counts
    std::uint8_t latches_ = 0; ///< bit n: of comparator n, mode Latch
    std::uint64_t trap_value_ = 0;
    /// By filter: traps that are open since the one that has matched; 0 = none.
    std::array<Nesting, trace_control::filter::kMost> nesting_{};
    bool nested_ = false; ///< one of them is not 0
};

} // namespace pes::trace
