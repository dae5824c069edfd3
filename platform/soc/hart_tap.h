// SPDX-License-Identifier: Apache-2.0
// What the host attaches to a hart before a run: a sampler, or a log of what its counters do.
#pragma once

#include "hw/core/hart.h"
#include "hw/hpm/hpm_bank.h"

namespace pes {

class HartTap {
  public:
    HartTap() = default;
    HartTap(const HartTap&) = delete;
    HartTap& operator=(const HartTap&) = delete;
    virtual ~HartTap() = default;

    /// The counters as the hart shall see them; `seen` may have been wrapped already. `guest` are
    /// those that programs see. Throws UserError if these cannot tell what the tap needs.
    virtual CounterBank& wrap(CounterBank& seen, HpmBank& guest) = 0;
    virtual void attach(Hart& hart) = 0;
};

} // namespace pes
