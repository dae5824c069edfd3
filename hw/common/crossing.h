// SPDX-License-Identifier: Apache-2.0
// A counter reaches its threshold, or overflows: what every way of sampling begins with.
#pragma once

#include "hw/common/event.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

struct Crossing {
    enum class Kind : std::uint8_t {
        Threshold, ///< from below to the threshold or beyond
        Overflow,  ///< wraps while OF = 0
    };

    unsigned counter = 0; ///< 0 mcycle, 2 minstret, 3.. mhpmcounterN; of the host: as it numbers
    Kind kind = Kind::Threshold;
    std::uint64_t selector = 0; ///< mhpmeventN without OF; 0 for mcycle and minstret
    EventMask sources{};        ///< that it counts; nothing if a write made it cross
    Cycle cycle = 0;            ///< of the pulse; a write: of the write
    unsigned beyond = 0;        ///< by how much: 1 if the first of two that retire got there
};

/// Whether one instruction causes each of the events: not if the counter counts cycles, all or
/// those in which something holds.
constexpr bool has_causes(const Crossing& crossing) {
    return crossing.sources.any() && crossing.sources.all_of([](Event source) {
        return source_row(source).kind != EventClass::Level;
    });
}

constexpr const char* to_string(Crossing::Kind kind) {
    return kind == Crossing::Kind::Threshold ? "threshold" : "overflow";
}

/// Is told soon after the cycle of the crossing, and before an interrupt that follows is taken.
class CrossingSink {
  public:
    CrossingSink() = default;
    CrossingSink(const CrossingSink&) = delete;
    CrossingSink& operator=(const CrossingSink&) = delete;
    virtual ~CrossingSink() = default;

    virtual void crossed(const Crossing& crossing) = 0;
};

} // namespace pes
