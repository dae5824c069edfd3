// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/offered.h"

#include "hw/core/arch/decode.h"

namespace pes {

/// A compressed instruction that stands for none is offered as it is.
Instruction offered(const Instruction& refused, const Isa& isa) {
    const std::uint32_t expanded =
        refused.length == 2 ? expand_compressed(static_cast<std::uint16_t>(refused.raw), isa) : 0;
    const std::uint32_t word = expanded != 0 ? expanded : refused.raw;
    const auto field = [word](unsigned low) {
        return static_cast<RegisterIndex>(word >> low & 31);
    };
    Instruction instruction;
    instruction.raw = refused.raw;
    instruction.length = refused.length;
    instruction.timing = TimingClass::Illegal;
    instruction.rd = field(7) == 0 ? kSinkRegister : field(7);
    instruction.rs1 = field(15);
    instruction.rs2 = field(20);
    return instruction;
}

} // namespace pes
