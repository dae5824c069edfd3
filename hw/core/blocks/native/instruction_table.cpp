// SPDX-License-Identifier: Apache-2.0
// One row an instruction that has code of its own. What changes rax or rcx says so with get() or
// set_register(), or ends what they hold; rdx, xmm0 and xmm1 are scratch.
#include "hw/core/blocks/native/instruction_table.h"

#include "hw/core/arch/decode.h"

#include <array>
#include <string_view>
#include <unordered_map>

namespace pes::native {

namespace {

using asmjit::x86::CondCode;
using Id = asmjit::InstId;
namespace id = asmjit::x86;

/// With the operand `source`, of so many bytes as `to` has.
void emit(InstructionCode& code, Id operation, const x86::Gp& to, RegisterIndex source) {
    CodeWriter& w = code.writer();
    if (code.is_in_rcx(source)) {
        code.a().emit(operation, to, to.size() == 8 ? x86::Gp(x86::rcx) : x86::Gp(x86::ecx));
    } else {
        code.a().emit(operation, to, w.at(&w.hart.arch().x[source], to.size()));
    }
}

constexpr bool commutes(Id operation) {
    return operation != id::Inst::kIdSub;
}

/// The low 32 bits of rax, sign-extended.
void set_word(InstructionCode& code, RegisterIndex rd) {
    code.a().movsxd(x86::rax, x86::eax);
    code.set_register(rd, x86::rax);
}

/// Two operands, the first of them in rax.
template <Id Operation>
void combine(InstructionCode& code, const Instruction& i, const x86::Gp& part_of_rax) {
    const bool swaps = commutes(Operation) && code.is_in_rax(i.rs2);
    code.get(x86::rax, swaps ? i.rs2 : i.rs1);
    emit(code, Operation, part_of_rax, swaps ? i.rs1 : i.rs2);
}

template <Id Operation>
void binary(InstructionCode& code, const Instruction& i) {
    combine<Operation>(code, i, x86::rax);
    code.set_register(i.rd, x86::rax);
}

template <Id Operation>
void binary_word(InstructionCode& code, const Instruction& i) {
    combine<Operation>(code, i, x86::eax);
    set_word(code, i.rd);
}

template <Id Operation>
void immediate(InstructionCode& code, const Instruction& i) {
    if (i.rd == i.rs1 && !code.is_in_rax(i.rs1) && !code.is_overwritten()) {
        code.change_register(i.rd);
        code.a().emit(Operation, code.writer().x(i.rd), Imm(i.imm));
        return;
    }
    code.get(x86::rax, i.rs1);
    if (i.imm != 0 || Operation == id::Inst::kIdAnd) {
        code.a().emit(Operation, x86::rax, Imm(i.imm));
    }
    code.set_register(i.rd, x86::rax);
}

template <Id Operation>
void shift_immediate(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().emit(Operation, x86::rax, Imm(i.imm));
    code.set_register(i.rd, x86::rax);
}

template <Id Operation>
void immediate_word(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().emit(Operation, x86::eax, Imm(i.imm));
    set_word(code, i.rd);
}

template <Id Operation>
void shift(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.get(x86::rcx, i.rs2);
    code.a().emit(Operation, x86::rax, x86::cl);
    code.set_register(i.rd, x86::rax);
}

template <Id Operation>
void shift_word(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.get(x86::rcx, i.rs2);
    code.a().emit(Operation, x86::eax, x86::cl);
    set_word(code, i.rd);
}

void set_if(InstructionCode& code, RegisterIndex rd, CondCode condition) {
    code.a().set(condition, x86::al);
    code.a().movzx(x86::eax, x86::al);
    code.set_register(rd, x86::rax);
}

template <CondCode Condition>
void set_less(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    emit(code, id::Inst::kIdCmp, x86::rax, i.rs2);
    set_if(code, i.rd, Condition);
}

template <CondCode Condition>
void set_less_immediate(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().cmp(x86::rax, Imm(i.imm));
    set_if(code, i.rd, Condition);
}

void lui(InstructionCode& code, const Instruction& i) {
    code.writer().set(x86::rax, static_cast<std::uint64_t>(i.imm));
    code.set_register(i.rd, x86::rax);
}

// --- Of bits, and of both sources in rax and rcx
// --------------------------------------------------

void get_both(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.get(x86::rcx, i.rs2);
}

/// (rs1 << Shift) + rs2.
template <unsigned Shift>
void shift_add(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().lea(x86::rax, x86::ptr(x86::rcx, x86::rax, Shift));
    code.set_register(i.rd, x86::rax);
}
template <unsigned Shift>
void shift_add_word(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().mov(x86::eax, x86::eax); // clears the upper half
    code.a().lea(x86::rax, x86::ptr(x86::rcx, x86::rax, Shift));
    code.set_register(i.rd, x86::rax);
}
void shift_word_left(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().mov(x86::eax, x86::eax);
    code.a().shl(x86::rax, Imm(i.imm));
    code.set_register(i.rd, x86::rax);
}

/// With the second source inverted.
template <Id Operation>
void binary_not(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().not_(x86::rcx);
    code.a().emit(Operation, x86::rax, x86::rcx);
    code.set_register(i.rd, x86::rax);
}
void and_not(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().andn(x86::rax, x86::rcx, x86::rax);
    code.set_register(i.rd, x86::rax);
}

/// The second source if `condition` holds between the first and it, else the first.
template <CondCode Condition>
void choose(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().cmp(x86::rax, x86::rcx);
    code.a().cmov(Condition, x86::rax, x86::rcx);
    code.set_register(i.rd, x86::rax);
}

/// 0 if `condition` holds between the second source and 0, else the first.
template <CondCode Condition>
void zero_if(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().xor_(x86::edx, x86::edx);
    code.a().test(x86::rcx, x86::rcx);
    code.a().cmov(Condition, x86::rax, x86::rdx);
    code.set_register(i.rd, x86::rax);
}

template <Id Operation, unsigned Bytes>
void unary(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    const x86::Gp part = Bytes == 8 ? x86::Gp(x86::rax) : x86::Gp(x86::eax);
    code.a().emit(Operation, part, part);
    code.set_register(i.rd, x86::rax);
}
template <Id Operation, unsigned Bytes>
void extend(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().emit(Operation, x86::rax, Bytes == 1 ? x86::Gp(x86::al) : x86::Gp(x86::ax));
    code.set_register(i.rd, x86::rax);
}
void reverse_bytes(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().bswap(x86::rax);
    code.set_register(i.rd, x86::rax);
}
/// 0xFF for each byte that is not 0.
void or_bytes(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().movq(x86::xmm0, x86::rax);
    code.a().pxor(x86::xmm1, x86::xmm1);
    code.a().pcmpeqb(x86::xmm0, x86::xmm1);
    code.a().movq(x86::rax, x86::xmm0);
    code.a().not_(x86::rax);
    code.set_register(i.rd, x86::rax);
}

/// Of a bit that rs2, or the immediate, numbers.
template <Id Operation>
void change_bit(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().emit(Operation, x86::rax, x86::rcx);
    code.set_register(i.rd, x86::rax);
}
void extract_bit(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().bt(x86::rax, x86::rcx);
    set_if(code, i.rd, CondCode::kC);
}
void extract_bit_immediate(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().bt(x86::rax, Imm(i.imm));
    set_if(code, i.rd, CondCode::kC);
}

void pack(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().mov(x86::eax, x86::eax);
    code.a().shl(x86::rcx, 32);
    code.a().or_(x86::rax, x86::rcx);
    code.set_register(i.rd, x86::rax);
}
void pack_bytes(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().movzx(x86::eax, x86::al);
    code.a().movzx(x86::ecx, x86::cl);
    code.a().shl(x86::ecx, 8);
    code.a().or_(x86::eax, x86::ecx);
    code.set_register(i.rd, x86::rax);
}
void pack_word(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().movzx(x86::eax, x86::ax);
    code.a().shl(x86::ecx, 16);
    code.a().or_(x86::eax, x86::ecx);
    set_word(code, i.rd);
}

enum class ProductPart : std::uint8_t { Low, High, Reversed };

/// Bits 63:0, 127:64 or 126:63 of the product without carries.
template <ProductPart Part>
void carry_less(InstructionCode& code, const Instruction& i) {
    get_both(code, i);
    code.a().movq(x86::xmm0, x86::rax);
    code.a().movq(x86::xmm1, x86::rcx);
    code.a().pclmulqdq(x86::xmm0, x86::xmm1, 0);
    if (Part == ProductPart::Low) {
        code.a().movq(x86::rax, x86::xmm0);
    } else {
        code.a().pextrq(x86::rax, x86::xmm0, 1);
    }
    if (Part == ProductPart::Reversed) {
        code.a().movq(x86::rcx, x86::xmm0);
        code.a().shld(x86::rax, x86::rcx, 1);
    }
    code.set_register(i.rd, x86::rax);
}

/// The upper half of the product.
template <Id Operation>
void multiply_high(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().emit(Operation, code.writer().x(i.rs2));
    code.set_register(i.rd, x86::rdx);
}

using Extension = InstructionCode::Extension;

template <Extension Kind>
void load(InstructionCode& code, const Instruction& i) {
    code.load(i, Kind);
}
void store(InstructionCode& code, const Instruction& i) {
    code.store(i);
}

/// Where it goes is asked later: InstructionCode::branch_goes().
void branch(InstructionCode&, const Instruction&) {}

void jal(InstructionCode& code, const Instruction& i) {
    code.link(i);
}
void jalr(InstructionCode& code, const Instruction& i) {
    code.get(x86::rax, i.rs1);
    code.a().add(x86::rax, Imm(i.imm));
    code.a().and_(x86::rax, Imm(-2));
    code.a().mov(code.writer().at(&code.writer().hart.arch().next_pc), x86::rax);
    code.link(i);
}

/// What the host must have, beyond what every 64-bit one has.
using Feature = asmjit::CpuFeatures::X86;

struct Row {
    std::string_view name;
    Write write;
    Feature::Id needs = Feature::kNone;
};

bool host_has(Feature::Id feature) {
    return feature == Feature::kNone || asmjit::CpuInfo::host().hasFeature(feature);
}

// clang-format off
constexpr std::array kRows{
    Row{"lui", lui}, Row{"jal", jal}, Row{"jalr", jalr},
    Row{"beq", branch}, Row{"bne", branch}, Row{"blt", branch}, Row{"bge", branch},
    Row{"bltu", branch}, Row{"bgeu", branch},
    Row{"addi", immediate<id::Inst::kIdAdd>}, Row{"xori", immediate<id::Inst::kIdXor>},
    Row{"ori", immediate<id::Inst::kIdOr>}, Row{"andi", immediate<id::Inst::kIdAnd>},
    Row{"slti", set_less_immediate<CondCode::kL>}, Row{"sltiu", set_less_immediate<CondCode::kB>},
    Row{"slli", shift_immediate<id::Inst::kIdShl>}, Row{"srli", shift_immediate<id::Inst::kIdShr>},
    Row{"srai", shift_immediate<id::Inst::kIdSar>},
    Row{"addiw", immediate_word<id::Inst::kIdAdd>}, Row{"slliw", immediate_word<id::Inst::kIdShl>},
    Row{"srliw", immediate_word<id::Inst::kIdShr>}, Row{"sraiw", immediate_word<id::Inst::kIdSar>},
    Row{"add", binary<id::Inst::kIdAdd>}, Row{"sub", binary<id::Inst::kIdSub>},
    Row{"xor", binary<id::Inst::kIdXor>}, Row{"or", binary<id::Inst::kIdOr>},
    Row{"and", binary<id::Inst::kIdAnd>}, Row{"mul", binary<id::Inst::kIdImul>},
    Row{"sll", shift<id::Inst::kIdShl>}, Row{"srl", shift<id::Inst::kIdShr>},
    Row{"sra", shift<id::Inst::kIdSar>},
    Row{"slt", set_less<CondCode::kL>}, Row{"sltu", set_less<CondCode::kB>},
    Row{"addw", binary_word<id::Inst::kIdAdd>}, Row{"subw", binary_word<id::Inst::kIdSub>},
    Row{"mulw", binary_word<id::Inst::kIdImul>},
    Row{"sllw", shift_word<id::Inst::kIdShl>}, Row{"srlw", shift_word<id::Inst::kIdShr>},
    Row{"sraw", shift_word<id::Inst::kIdSar>},
    Row{"mulh", multiply_high<id::Inst::kIdImul>}, Row{"mulhu", multiply_high<id::Inst::kIdMul>},
    Row{"lb", load<Extension::Sign>}, Row{"lh", load<Extension::Sign>}, Row{"lw", load<Extension::Sign>}, Row{"ld", load<Extension::Sign>},
    Row{"lbu", load<Extension::Zero>}, Row{"lhu", load<Extension::Zero>}, Row{"lwu", load<Extension::Zero>},
    Row{"flw", load<Extension::Box>}, Row{"fld", load<Extension::Zero>},
    Row{"sh1add", shift_add<1>}, Row{"sh2add", shift_add<2>}, Row{"sh3add", shift_add<3>},
    Row{"add.uw", shift_add_word<0>}, Row{"sh1add.uw", shift_add_word<1>},
    Row{"sh2add.uw", shift_add_word<2>}, Row{"sh3add.uw", shift_add_word<3>}, Row{"slli.uw", shift_word_left},
    Row{"andn", and_not, Feature::kBMI}, Row{"orn", binary_not<id::Inst::kIdOr>}, Row{"xnor", binary_not<id::Inst::kIdXor>},
    Row{"rol", shift<id::Inst::kIdRol>}, Row{"ror", shift<id::Inst::kIdRor>}, Row{"rori", shift_immediate<id::Inst::kIdRor>},
    Row{"rolw", shift_word<id::Inst::kIdRol>}, Row{"rorw", shift_word<id::Inst::kIdRor>}, Row{"roriw", immediate_word<id::Inst::kIdRor>},
    Row{"min", choose<CondCode::kG>}, Row{"minu", choose<CondCode::kA>},
    Row{"max", choose<CondCode::kL>}, Row{"maxu", choose<CondCode::kB>},
    Row{"clz", unary<id::Inst::kIdLzcnt, 8>, Feature::kLZCNT}, Row{"clzw", unary<id::Inst::kIdLzcnt, 4>, Feature::kLZCNT},
    Row{"ctz", unary<id::Inst::kIdTzcnt, 8>, Feature::kBMI}, Row{"ctzw", unary<id::Inst::kIdTzcnt, 4>, Feature::kBMI},
    Row{"cpop", unary<id::Inst::kIdPopcnt, 8>, Feature::kPOPCNT}, Row{"cpopw", unary<id::Inst::kIdPopcnt, 4>, Feature::kPOPCNT},
    Row{"sext.b", extend<id::Inst::kIdMovsx, 1>}, Row{"sext.h", extend<id::Inst::kIdMovsx, 2>}, Row{"zext.h", extend<id::Inst::kIdMovzx, 2>},
    Row{"rev8", reverse_bytes}, Row{"orc.b", or_bytes},
    Row{"pack", pack}, Row{"packh", pack_bytes}, Row{"packw", pack_word},
    Row{"clmul", carry_less<ProductPart::Low>, Feature::kPCLMULQDQ}, Row{"clmulh", carry_less<ProductPart::High>, Feature::kPCLMULQDQ},
    Row{"clmulr", carry_less<ProductPart::Reversed>, Feature::kPCLMULQDQ},
    Row{"bclr", change_bit<id::Inst::kIdBtr>}, Row{"bset", change_bit<id::Inst::kIdBts>}, Row{"binv", change_bit<id::Inst::kIdBtc>},
    Row{"bclri", shift_immediate<id::Inst::kIdBtr>}, Row{"bseti", shift_immediate<id::Inst::kIdBts>}, Row{"binvi", shift_immediate<id::Inst::kIdBtc>},
    Row{"bext", extract_bit}, Row{"bexti", extract_bit_immediate},
    Row{"czero.eqz", zero_if<CondCode::kZ>}, Row{"czero.nez", zero_if<CondCode::kNZ>},
    Row{"fsw", store}, Row{"fsd", store}, Row{"sb", store}, Row{"sh", store}, Row{"sw", store}, Row{"sd", store},
};
// clang-format on

/// Of handlers as the decoder gives them.
const std::unordered_map<Handler, Write>& table() {
    static const std::unordered_map<Handler, Write> known = [] {
        std::unordered_map<Handler, Write> made;
        for (const auto rows : instruction_rows()) {
            for (const InstructionRow& row : rows) {
                for (const Row& own : kRows) {
                    if (own.name == row.name && host_has(own.needs)) {
                        made.emplace(row.execute, own.write);
                    }
                }
            }
        }
        return made;
    }();
    return known;
}

} // namespace

Write code_of(const Instruction& instruction) {
    const auto known = table().find(instruction.execute);
    return known == table().end() ? nullptr : known->second;
}

} // namespace pes::native
