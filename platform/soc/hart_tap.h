// SPDX-License-Identifier: Apache-2.0
// Attached to a hart by the host before a run: a sampler, or a log of threshold crossings.
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

    /// Returns the counter bank that the hart will see; `seen` may already be a wrapper. `guest` is
    /// the bank that programs see. Throws UserError if that bank cannot report what the tap needs.
    virtual CounterBank& wrap(CounterBank& seen, HpmBank& guest) = 0;
    virtual void attach(Hart& hart) = 0;
};

} // namespace pes
