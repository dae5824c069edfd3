// SPDX-License-Identifier: Apache-2.0
// Receives every change of a hart's privilege mode. Unlike an observer of retirements it costs the
// hart nothing.
#pragma once

#include "hw/interface/types.h"

namespace pes {

class ModeSink {
  public:
    ModeSink() = default;
    ModeSink(const ModeSink&) = delete;
    ModeSink& operator=(const ModeSink&) = delete;
    virtual ~ModeSink() = default;

    /// `pc` is the first address in the new mode.
    virtual void entered(Privilege mode, Address pc) = 0;
};

} // namespace pes
