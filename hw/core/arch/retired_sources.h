// SPDX-License-Identifier: Apache-2.0
// The sources that an instruction pulses when it retires: the column "retired by" of
// hw/interface/pmu/pulse_sources.def.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/pmu/pulse_sources.h"

#include <cstdint>

namespace pes {

/// `word` is the instruction with 32 bits, expanded if it is compressed. What only its execution
/// tells (a taken branch, a device) is not among them.
RetiredMask retired_sources(const Instruction& instruction, std::uint32_t word);

} // namespace pes
