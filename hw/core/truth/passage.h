// SPDX-License-Identifier: Apache-2.0
// The way of each instruction through the pipeline, for whoever draws it. Only a hart with a sink
// tells of it.
#pragma once

#include "hw/core/truth/waits.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <span>

namespace pes {

/// Cycles of an instruction that has retired, or whose trap has been taken.
struct Passage {
    Cycle requested;              ///< the fetch of its last word
    Cycle offered;                ///< by the fetch queue, from this cycle on
    Cycle decode;                 ///< it leaves the queue
    Cycle issue;                  ///< to its unit, which begins in the next cycle
    std::optional<Cycle> request; ///< its translated address goes out
    Cycle ready;                  ///< it could retire if it were the oldest
    Cycle ended;                  ///< it retires, or its trap is taken
    std::span<const Wait> waits;  ///< see waits.h
};

/// An instruction that is decoded behind another one, which throws it away.
struct DiscardedPassage {
    Address pc;
    std::uint32_t raw;
    std::uint8_t length;
    Cycle requested, offered, decode;
    Cycle issue; ///< later than `flush` if it is not issued
    Cycle flush; ///< its last cycle
};

class PassageSink {
  public:
    PassageSink() = default;
    PassageSink(const PassageSink&) = delete;
    PassageSink& operator=(const PassageSink&) = delete;
    virtual ~PassageSink() = default;

    /// Comes before the observers of the hart hear of the same instruction.
    virtual void passed(const Passage& passage) = 0;
    /// Comes before the passed() of the instruction that throws it away, or behind it.
    virtual void discarded(const DiscardedPassage& passage) = 0;
};

} // namespace pes
