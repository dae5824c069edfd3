// SPDX-License-Identifier: Apache-2.0
// The earliest decode cycle in which a hart must consider more than its next instruction: its
// horizon, an interrupt or an edge of the counters. Until then the run loop checks nothing else.
#pragma once

#include "hw/interface/types.h"

#include <algorithm>

namespace pes {

class Attention {
  public:
    bool due(Cycle decode) const { return decode >= at_; }
    void ask_now() { at_ = 0; }
    bool asked_now() const { return at_ == 0; }
    void ask_by(Cycle cycle) { at_ = std::min(at_, cycle); }
    /// Everything is checked; the next check is due in `cycle`.
    void put_off_to(Cycle cycle) { at_ = cycle; }

  private:
    Cycle at_ = 0;
};

} // namespace pes
