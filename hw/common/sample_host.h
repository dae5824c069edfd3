// SPDX-License-Identifier: Apache-2.0
// Sspesa, between a counter bank and its hart: the bank has the registers and knows when there is
// something to capture; the hart knows which instruction caused an event.
#pragma once

#include "hw/common/crossing.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// What a sample names, for the registers of its kind.
struct SampleCause {
    Crossing::Kind kind = Crossing::Kind::Overflow;
    unsigned counter = 0;
    Address pc = 0;
    Address data = 0; ///< virtual address of its access; 0 if it accesses no memory

    bool operator==(const SampleCause&) const = default;
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive.one_of(kind, Crossing::Kind::Overflow);
        archive(counter, pc, data);
    }
};

class SampleHost {
  public:
    SampleHost() = default;
    SampleHost(const SampleHost&) = delete;
    SampleHost& operator=(const SampleHost&) = delete;
    virtual ~SampleHost() = default;

    /// LCOFI is pending, or on its way to mip.
    virtual bool overflow_pending() const = 0;
    /// Bit n: an overflow of counter n is captured.
    virtual std::uint32_t sampled_counters() const = 0;

    /// A counter with OF = 0 has overflowed. Called before find_cause() of the same crossing.
    virtual void overflowed(const Crossing& crossing) = 0;
    /// The registers want to know who caused it: CounterBank::name_cause(), now or later.
    virtual void find_cause(const Crossing& crossing) = 0;
};

} // namespace pes
