// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/decode.h"

#include "hw/common/event.h"
#include "hw/core/arch/csr_table.h"
#include "hw/core/arch/execution.h"
#include "hw/core/arch/offered.h"
#include "hw/core/arch/retired_sources.h"

#include <array>
#include <vector>

namespace pes {

namespace {

void illegal(Execution& hart, const Instruction& instruction) {
    hart.raise_illegal(instruction);
}

constexpr InstructionRow kIllegal{"illegal", 0, 0, Format::None, TimingClass::Illegal, illegal};

/// Rows by major opcode (bits 6:2), so that a look-up compares only a few.
class RowIndex {
  public:
    RowIndex() {
        for (const auto rows : instruction_rows()) {
            for (const InstructionRow& row : rows) {
                by_opcode_[(row.match >> 2) & 0x1F].push_back(&row);
            }
        }
    }
    const InstructionRow& find(std::uint32_t word) const {
        if ((word & 3) == 3) {
            for (const InstructionRow* row : by_opcode_[(word >> 2) & 0x1F]) {
                if ((word & row->mask) == row->match) {
                    return *row;
                }
            }
        }
        return kIllegal;
    }

  private:
    std::array<std::vector<const InstructionRow*>, 32> by_opcode_;
};

const RowIndex& rows() {
    static const RowIndex index;
    return index;
}

/// Bits high..low of the word, sign-extended from `high` and shifted to their place.
constexpr std::int64_t sign_extend(std::uint64_t value, unsigned bits) {
    return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
}
constexpr std::uint32_t field(std::uint32_t word, unsigned high, unsigned low) {
    return (word >> low) & ((1U << (high - low + 1)) - 1);
}

std::int64_t immediate(Format format, std::uint32_t word) {
    switch (format) {
    case Format::I:
    case Format::FLoad:
        return sign_extend(word >> 20, 12);
    case Format::Shift:
        return field(word, 25, 20);
    case Format::S:
    case Format::FStore:
        return sign_extend(field(word, 31, 25) << 5 | field(word, 11, 7), 12);
    case Format::B:
        return sign_extend(field(word, 31, 31) << 12 | field(word, 7, 7) << 11 |
                               field(word, 30, 25) << 5 | field(word, 11, 8) << 1,
                           13);
    case Format::U:
        return sign_extend(word & 0xFFFF'F000, 32);
    case Format::J:
        return sign_extend(field(word, 31, 31) << 20 | field(word, 19, 12) << 12 |
                               field(word, 20, 20) << 11 | field(word, 30, 21) << 1,
                           21);
    case Format::Csr:
    case Format::CsrImm:
        return word >> 20;
    default:
        return 0;
    }
}

RegisterIndex integer_destination(std::uint32_t number) {
    return number == 0 ? kSinkRegister : static_cast<RegisterIndex>(number);
}
RegisterIndex float_register(std::uint32_t number) {
    return static_cast<RegisterIndex>(kFloatBase + number);
}

void set_operands(Instruction& instruction, Format format, std::uint32_t word) {
    const std::uint32_t rd = field(word, 11, 7);
    const auto rs1 = static_cast<RegisterIndex>(field(word, 19, 15));
    const auto rs2 = static_cast<RegisterIndex>(field(word, 24, 20));
    switch (format) {
    case Format::R:
        instruction.rs2 = rs2;
        [[fallthrough]];
    case Format::I:
    case Format::Unary:
    case Format::Shift:
    case Format::Csr:
        instruction.rs1 = rs1;
        [[fallthrough]];
    case Format::U:
    case Format::J:
    case Format::CsrImm:
        instruction.rd = integer_destination(rd);
        break;
    case Format::S:
    case Format::B:
    case Format::Rs1Rs2:
        instruction.rs1 = rs1;
        instruction.rs2 = rs2;
        break;
    case Format::Fr4:
        instruction.rs3 = float_register(field(word, 31, 27));
        [[fallthrough]];
    case Format::Fr:
        instruction.rs2 = float_register(rs2);
        [[fallthrough]];
    case Format::Fr1:
        instruction.rs1 = float_register(rs1);
        instruction.rd = float_register(rd);
        break;
    case Format::FrFrToX:
        instruction.rs2 = float_register(rs2);
        [[fallthrough]];
    case Format::FrToX:
        instruction.rs1 = float_register(rs1);
        instruction.rd = integer_destination(rd);
        break;
    case Format::XToFr:
    case Format::FLoad:
        instruction.rs1 = rs1;
        instruction.rd = float_register(rd);
        break;
    case Format::FStore:
        instruction.rs1 = rs1;
        instruction.rs2 = float_register(rs2);
        break;
    case Format::None:
    case Format::Fence:
        break;
    }
}

BlockRole block_role(TimingClass timing) {
    switch (timing) {
    case TimingClass::Branch:
    case TimingClass::Jal:
    case TimingClass::Jalr:
        return BlockRole::Last;
    case TimingClass::Alu:
    case TimingClass::Multiply:
    case TimingClass::Divide:
    case TimingClass::Load:
    case TimingClass::Store:
    case TimingClass::FpMove:
    case TimingClass::FpConvert:
    case TimingClass::FpSingle:
    case TimingClass::FpDouble:
    case TimingClass::FpDivideSingle:
    case TimingClass::FpDivideDouble:
    case TimingClass::FpSqrtSingle:
    case TimingClass::FpSqrtDouble:
        return BlockRole::Inside;
    case TimingClass::Amo:
    case TimingClass::LoadReserved:
    case TimingClass::StoreConditional:
    case TimingClass::Fence:
    case TimingClass::FenceI:
    case TimingClass::SfenceVma:
        return BlockRole::LastSystem;
    case TimingClass::Trap:
    case TimingClass::TrapReturn:
        return BlockRole::Alone;
    default:
        return BlockRole::Outside;
    }
}

BlockRole csr_role(CsrUse use, bool writes) {
    switch (use) {
    case CsrUse::ReadAndWrite:
        return BlockRole::Inside;
    case CsrUse::WriteLast:
        return writes ? BlockRole::LastSystem : BlockRole::Inside;
    case CsrUse::Read:
        return writes ? BlockRole::Outside : BlockRole::Inside;
    case CsrUse::LastRead:
        return writes ? BlockRole::Outside : BlockRole::LastRead;
    case CsrUse::Never:
        break;
    }
    return BlockRole::Outside;
}

bool refetches(CsrEffect effect) {
    return effect == CsrEffect::Refetch || effect == CsrEffect::DataAccess ||
           effect == CsrEffect::Translation;
}

bool writes_csr(std::uint32_t word) {
    const bool swap = (field(word, 14, 12) & 3) == 1; // csrrw, csrrwi write even x0
    return swap || field(word, 19, 15) != 0;
}

/// Bits 14:12 of an instruction that rounds.
bool has_reserved_rounding(const InstructionRow& row, std::uint32_t word) {
    const std::uint32_t mode = field(word, 14, 12);
    return row.timing > TimingClass::FpMove && (mode == 5 || mode == 6);
}

/// CVA6 treats bits 24:20 of some instructions as an integer source register and waits for it,
/// although nothing reads it. In a SYSTEM instruction they are part of the CSR number, or of the
/// function code (x2 for mret and sret, x1 for ebreak); in a conversion they say which integer type
/// (x1 to x3). For fclass the number of its floating-point operand is taken. [core/decoder.sv,
/// is_rs2_fpr in ariane_pkg.sv]
RegisterIndex awaited_in_vain(const InstructionRow& row, std::uint32_t word) {
    constexpr std::uint32_t kSystemOpcode = 0x73;
    const auto rs1 = static_cast<RegisterIndex>(field(word, 19, 15));
    const auto rs2 = static_cast<RegisterIndex>(field(word, 24, 20));
    if (field(word, 6, 0) == kSystemOpcode) {
        return rs2;
    }
    if (row.format != Format::FrToX && row.format != Format::XToFr) {
        return kNoRegister;
    }
    if (row.timing == TimingClass::FpConvert) {
        return rs2;
    }
    const bool classifies = row.format == Format::FrToX && field(word, 14, 12) == 1;
    return classifies ? rs1 : kNoRegister;
}

} // namespace

std::array<std::span<const InstructionRow>, 7> instruction_rows() {
    return {integer_rows(), bit_rows(),   cryptography_rows(), memory_rows(),
            atomic_rows(),  float_rows(), system_rows()};
}

Instruction decode(std::uint32_t word, EventMask sources, const Extensions& extensions) {
    Instruction instruction;
    instruction.length = static_cast<std::uint8_t>(length_of(word));
    instruction.raw = instruction.length == 2 ? word & 0xFFFF : word;
    const std::uint32_t full =
        instruction.length == 2
            ? expand_compressed(static_cast<std::uint16_t>(word), extensions.isa)
            : word;
    const InstructionRow& found = rows().find(full);
    const bool present = extensions.isa.has_instruction_of(found.owners) &&
                         (found.extension == nullptr || extensions.*found.extension) &&
                         !has_reserved_rounding(found, full);
    const InstructionRow& row = present ? found : kIllegal;
    instruction.execute = row.execute;
    instruction.timing = row.timing;
    instruction.memory_size = row.memory_size;
    instruction.imm = immediate(row.format, full);
    instruction.rounding = static_cast<std::uint8_t>(field(full, 14, 12));
    set_operands(instruction, row.format, full);
    if (row.timing == TimingClass::Illegal) {
        instruction = offered(instruction, extensions.isa);
        instruction.execute = row.execute;
        return instruction;
    }
    if (const RegisterIndex awaited = awaited_in_vain(row, full); awaited != kNoRegister) {
        instruction.rs2 = awaited;
    }
    const bool csr_access = row.format == Format::Csr || row.format == Format::CsrImm;
    const CsrRow& csr = csr_row(field(full, 31, 20));
    const bool csr_write = csr_access && writes_csr(full);
    if (csr_write && refetches(csr.effect)) {
        instruction.timing = TimingClass::CsrRefetch;
    }
    if (csr_access) {
        instruction.csr_source = static_cast<std::uint8_t>(field(full, 19, 15));
    }
    instruction.commit_events =
        retired_sources(instruction, full) & retired_part(sources | kBaseEvents);
    instruction.role = csr_access ? csr_role(csr.use, csr_write) : block_role(instruction.timing);
    return instruction;
}

std::string_view mnemonic(std::uint32_t word) {
    return rows()
        .find(length_of(word) == 2 ? expand_compressed(static_cast<std::uint16_t>(word)) : word)
        .name;
}

} // namespace pes
