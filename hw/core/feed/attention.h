// SPDX-License-Identifier: Apache-2.0
// The earliest decode cycle at which something beside the next instruction matters to a hart: its
// horizon, an interrupt, an edge of the counters. Until then the run loop looks at nothing else.
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
    /// All has been looked at; `cycle` is the next time.
    void put_off_to(Cycle cycle) { at_ = cycle; }

  private:
    Cycle at_ = 0;
};

} // namespace pes
