// SPDX-License-Identifier: Apache-2.0
// A level wire. Each change carries the cycle in which it happens.
#pragma once

#include "hw/interface/types.h"

namespace pes {

/// The receiving end of one or more level wires (interrupt lines). `at` is the first cycle in which
/// the wire has the new level. It may differ from kernel time by a few cycles, because the hart
/// hands over counter edges when they are certain.
class LevelSink {
  public:
    LevelSink() = default;
    LevelSink(const LevelSink&) = delete;
    LevelSink& operator=(const LevelSink&) = delete;
    virtual ~LevelSink() = default;

    virtual void set_level(unsigned line, bool level, Cycle at) = 0;
};

} // namespace pes
