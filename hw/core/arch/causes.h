// SPDX-License-Identifier: Apache-2.0
// Exception codes of xcause and their names (privileged specification, table 3.6).
#pragma once

#include "hw/interface/maps/exceptions.h"

#include <cstdint>
#include <string_view>

namespace pes {

enum class Cause : std::uint8_t {
    InstructionMisaligned = 0,
    InstructionAccess = 1,
    IllegalInstruction = 2,
    Breakpoint = 3,
    LoadMisaligned = 4,
    LoadAccess = 5,
    StoreMisaligned = 6,
    StoreAccess = 7,
    EcallFromUser = 8,
    EcallFromSupervisor = 9,
    EcallFromMachine = 11,
    InstructionPage = 12,
    LoadPage = 13,
    StorePage = 15,
};

/// The name of an xcause value, interrupts included.
std::string_view cause_name(std::uint64_t xcause);

} // namespace pes
