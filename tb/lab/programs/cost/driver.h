// SPDX-License-Identifier: Apache-2.0
// What a kernel's driver does with the counter that it samples by.
#pragma once

#include <stdint.h>

namespace pes::driver {

inline constexpr uint64_t kCounter = COUNTER; ///< its bit of scountovf

/// The counter counts branches of user mode and interrupts; it stands still.
void prepare();
/// Counts on from `value`, and may interrupt again.
void start(uint64_t value);
/// Holds the counter; returns its value.
uint64_t stop();
/// The instruction that a sample names, in the interrupt.
uint64_t sampled_pc();

} // namespace pes::driver
