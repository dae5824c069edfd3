// SPDX-License-Identifier: Apache-2.0
// The retirement stream of a hart, for its observers (commit wave, exact histogram, trace).
#pragma once

#include "hw/common/event.h"
#include "hw/interface/riscv/retire_class.h"
#include "hw/interface/types.h"

#include <cstdint>

namespace pes {

/// One retired instruction.
struct Retirement {
    Cycle cycle; ///< cycle of retirement
    Address pc;
    Address next_pc;
    std::uint32_t raw;   ///< instruction word, low 16 bits if compressed
    std::uint8_t length; ///< bytes, 2 or 4
    Privilege privilege; ///< mode the instruction ran in
    /// The register that it wrote: 1..31 = x1..x31; any other value: no integer register.
    std::uint8_t destination = 0;
    EventMask events{}; ///< pulsed by it in the cycle of its retirement
    RetireClass kind = RetireClass::None;
    std::uint8_t written = 0; ///< its destination as the pins of a port have it (retire_class.h)
};

/// One trap taken (exception or interrupt).
struct TrapTaken {
    Cycle cycle;         ///< cycle in which the trap is taken at retirement
    std::uint64_t cause; ///< xcause, bit 63 = interrupt
    Address epc;
    std::uint64_t tval;
    Address vector; ///< first instruction of the handler
    Privilege from, to;
};

/// An observer must not change what the hart does. Without observers there is no cost.
class HartObserver {
  public:
    HartObserver() = default;
    HartObserver(const HartObserver&) = delete;
    HartObserver& operator=(const HartObserver&) = delete;
    virtual ~HartObserver() = default;

    virtual void retired(const Retirement&) {}
    virtual void trapped(const TrapTaken&) {}
};

} // namespace pes
