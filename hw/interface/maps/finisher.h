// SPDX-License-Identifier: Apache-2.0
// Test finisher (sifive,test1): one 32-bit register at offset 0. Freestanding.
#pragma once

#include <stdint.h>

namespace pes::finisher {

inline constexpr uint32_t kPass = 0x5555;  ///< low half: exit code 0
inline constexpr uint32_t kFail = 0x3333;  ///< low half: exit code in bits 31:16
inline constexpr uint32_t kReset = 0x7777; ///< low half: reset request; ends the run
inline constexpr unsigned kCodeShift = 16;

} // namespace pes::finisher
