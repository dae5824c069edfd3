// SPDX-License-Identifier: Apache-2.0
// A level wire whose changes carry the cycle on which they happen.
#pragma once

#include "hw/interface/types.h"

namespace pes {

/// The receiving end of one or more level wires (interrupt lines). `at` is the first cycle on which
/// the wire has the new level; it may lie a few cycles behind or ahead of kernel time, because the
/// hart hands over counter edges when it knows them for certain, not in kernel time.
class LevelSink {
  public:
    LevelSink() = default;
    LevelSink(const LevelSink&) = delete;
    LevelSink& operator=(const LevelSink&) = delete;
    virtual ~LevelSink() = default;

    virtual void set_level(unsigned line, bool level, Cycle at) = 0;
};

} // namespace pes
