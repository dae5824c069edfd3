// SPDX-License-Identifier: Apache-2.0
// The two sets of registers that a trace block can have, and what their descriptions share. A block
// does the same behind either set; the descriptions translate between its typed fields and bits.
#pragma once

#include "hw/common/logger.h"
#include "hw/common/register_block.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace pes::trace {

enum class RegisterSet : std::uint8_t {
    SiFive,   ///< hw/interface/maps/trace.h
    Standard, ///< RISC-V Trace Control Interface 1.0, hw/interface/maps/trace_control.h
};

/// Writes while `active` is false are logged and have no effect: the block is in reset. `bit` is
/// the name of its Active bit.
Register gated(Register definition, std::function<bool()> active, std::string bit, Logger log);

void append(std::vector<Register>& list, std::vector<Register> more);

/// A page of 1.0: every word that is no register reads as 0, and it and read-only registers ignore
/// writes instead of refusing them.
std::vector<Register> complete_page(std::vector<Register> list, std::uint64_t bytes);

} // namespace pes::trace
