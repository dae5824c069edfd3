// SPDX-License-Identifier: Apache-2.0
// Why a cycle was needed or lost: the columns of a cycle stack. docs/truth.md says what is in each.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pes {

enum class CycleReason : std::uint8_t {
    Base,        ///< the instruction retires in it, or it passes through an empty pipeline
    L1IMiss,     ///< its line of code comes from memory
    Itlb,        ///< the translation of its address is looked up in memory
    L1DMiss,     ///< its data come from memory; what memory does for an AMO, LR or SC
    Dtlb,        ///< the translation of its access is looked up in memory
    Mispredict,  ///< what was fetched behind a branch or jump is thrown away
    Dependency,  ///< an operand is not there
    Unit,        ///< its unit is busy, or still computes its result
    StoreBuffer, ///< the store buffer is full, holds a store that its load needs, or must be empty
    Flush,       ///< it empties the pipeline: CSR write, fence, xRET, atomic, exception
    Interrupt,   ///< from the last retirement before an interrupt to the first of its handler
    Device,      ///< a device answers, or a trace block holds the hart
    Idle,        ///< WFI waits
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
