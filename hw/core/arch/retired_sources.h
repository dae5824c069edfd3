// SPDX-License-Identifier: Apache-2.0
// The sources that an instruction pulses when it retires: the column "retired by" of
// hw/interface/pmu/pulse_sources.def.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/pmu/pulse_sources.h"

#include <cstdint>

namespace pes {

/// `word` is the 32-bit instruction, expanded if it is compressed. Sources that depend on its
/// execution (a taken branch, a device) are not included.
EventMask retired_sources(const Instruction& instruction, std::uint32_t word);

} // namespace pes
