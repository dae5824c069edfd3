// SPDX-License-Identifier: Apache-2.0
// Why a cycle was needed or lost: the columns of a cycle stack. docs/truth.md describes them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pes {

enum class CycleReason : std::uint8_t {
    Base,        ///< the instruction retires, or passes through an empty pipeline
    L1IMiss,     ///< its line of code is read from memory
    Itlb,        ///< page walk for its address
    L1DMiss,     ///< its data are read from memory; memory performs an AMO, LR or SC
    Dtlb,        ///< page walk for its access
    Mispredict,  ///< refill of the pipeline after a mispredicted branch or jump
    Dependency,  ///< an operand is not ready
    Unit,        ///< its unit is busy, or still computing its result
    StoreBuffer, ///< the store buffer is full, must be empty, or holds a store that its load needs
    Flush,       ///< it flushes the pipeline: CSR write, fence, xRET, atomic, exception
    Interrupt,   ///< from the last retirement before an interrupt to the first of its handler
    Device,      ///< wait for a device, or for a trace block that stalls the hart
    Idle,        ///< wait in WFI
    Count_,
};

inline constexpr std::size_t kCycleReasons = static_cast<std::size_t>(CycleReason::Count_);

constexpr const char* to_string(CycleReason reason) {
    constexpr const char* kNames[] = {"base",       "l1i_miss",   "itlb", "l1d_miss",     "dtlb",
                                      "mispredict", "dependency", "unit", "store_buffer", "flush",
                                      "interrupt",  "device",     "idle"};
    static_assert(sizeof(kNames) / sizeof(kNames[0]) == kCycleReasons);
    return kNames[static_cast<std::size_t>(reason)];
}

} // namespace pes
