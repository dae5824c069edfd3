// SPDX-License-Identifier: Apache-2.0
// Loads and stores at misaligned addresses, on the stepping path: they trap, are done byte by byte
// (hart.misaligned_access), or are what CVA6 v5.3.0 makes of them (hart.misaligned_trap).
#pragma once

#include "hw/core/arch/execution_mode.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/memory/pmp.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>

namespace pes {

struct HartParts;

class MisalignedAccess {
  public:
    /// `stepper` raises traps and walks page tables.
    MisalignedAccess(HartParts& parts, ExecutionMode& stepper) : hart_(parts), stepper_(stepper) {}

    /// False if a trap was raised.
    bool load(const Instruction& instruction, Address address, void* data);
    bool store(const Instruction& instruction, Address address, const void* data);

  private:
    bool locate_bytes(Address address, unsigned size, Access access,
                      std::array<std::byte*, 8>& where);

    // As v5.3.0
    bool load_within_word(const Instruction& instruction, Address address, void* data);
    bool store_within_word(const Instruction& instruction, Address address, const void* data);
    std::byte* word_around(const Instruction& instruction, Address address, Access access);
    bool trapped_by_next(const Instruction& instruction);

    bool translate(Address address, Access access, Address& physical);

    HartParts& hart_;
    ExecutionMode& stepper_;
};

} // namespace pes
