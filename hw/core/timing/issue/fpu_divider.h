// SPDX-License-Identifier: Apache-2.0
// The iterative part of the floating-point unit: division and square root. While the divider is
// busy, one instruction waits in the register in front of it, and the next one in front of the FPU,
// which then takes no instruction of any kind. [fpu_wrap.sv, fpnew_divsqrt_multi.sv]
#pragma once

#include "hw/interface/types.h"

#include <algorithm>

namespace pes {

class FpuDivider {
  public:
    /// From issue to the divider's first cycle, if it is free.
    static constexpr Cycle kIssueToStart = 2;

    struct Place {
        Cycle accepted; ///< first cycle in which the FPU takes another instruction
        Cycle started;
    };
    /// An instruction issued in `issue` uses the divider for `interval` cycles; kNever: for ever.
    Place take(Cycle issue, Cycle interval) {
        const Cycle accepted = std::max(issue + 1, started_);
        started_ = std::max(issue + kIssueToStart, free_);
        free_ = interval == kNever || started_ == kNever ? kNever : started_ + interval;
        return {.accepted = accepted, .started = started_};
    }

    void flush() { *this = {}; }

    /// See timing_state.h. Nothing more is issued before `issue`.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle issue) {
        archive.cycle(started_, issue + 1);
        archive.cycle(free_, issue + kIssueToStart);
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    Cycle started_ = 0; ///< the last one: it has left the register
    Cycle free_ = 0;
};

} // namespace pes
