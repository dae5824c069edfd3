// SPDX-License-Identifier: Apache-2.0
// A counter reaches its threshold or overflows: the trigger of every sampling method.
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

    unsigned counter = 0; ///< 0 mcycle, 2 minstret, 3.. mhpmcounterN; or a host counter's number
    Kind kind = Kind::Threshold;
    std::uint64_t selector = 0; ///< mhpmeventN without OF; 0 for mcycle and minstret
    EventMask sources{};        ///< that it counts; empty if a CSR write made it cross
    Cycle cycle = 0;            ///< of the pulse or of the write
    unsigned beyond = 0;        ///< excess: 1 if the first of two retired instructions crossed

    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive.one_of(kind, Kind::Overflow);
        archive(counter, selector, sources, cycle, beyond);
    }
};

/// True if each event is caused by one instruction. False for a counter that counts cycles, all of
/// them or those in which a condition holds.
constexpr bool has_causes(const Crossing& crossing) {
    return crossing.sources.any() && crossing.sources.all_of([](Event source) {
        return source_row(source).kind != EventClass::Level;
    });
}

constexpr const char* to_string(Crossing::Kind kind) {
    return kind == Crossing::Kind::Threshold ? "threshold" : "overflow";
}

/// Called shortly after the cycle of the crossing, before a resulting interrupt is taken.
class CrossingSink {
  public:
    CrossingSink() = default;
    CrossingSink(const CrossingSink&) = delete;
    CrossingSink& operator=(const CrossingSink&) = delete;
    virtual ~CrossingSink() = default;

    virtual void crossed(const Crossing& crossing) = 0;
};

} // namespace pes
