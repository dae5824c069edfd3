// SPDX-License-Identifier: Apache-2.0
#include "hw/core/blocks/native/instruction_code.h"

#include "hw/core/arch/decode.h"
#include "hw/core/arch/float/format.h"
#include "hw/core/blocks/native/instruction_table.h"
#include "hw/core/blocks/native/page_code.h"

#include <array>

namespace pes::native {

namespace {

using asmjit::x86::CondCode;

/// What holds if the branch is taken, by funct3.
CondCode condition_of(const Instruction& branch) {
    static constexpr std::array kConditions{CondCode::kE, CondCode::kNE, CondCode::kE,
                                            CondCode::kE, CondCode::kL,  CondCode::kGE,
                                            CondCode::kB, CondCode::kAE};
    const std::uint32_t word =
        branch.length == 2 ? expand_compressed(static_cast<std::uint16_t>(branch.raw)) : branch.raw;
    return kConditions[(word >> 12) & 7];
}

} // namespace

// --- Registers -----------------------------------------------------------------------------------

RegisterIndex* InstructionCode::held_in(const x86::Gp& host) {
    return host == x86::rax ? &held_.rax : host == x86::rcx ? &held_.rcx : nullptr;
}

void InstructionCode::get(const x86::Gp& to, RegisterIndex source) {
    if (source == kNoRegister) {
        w_.a.xor_(to.r32(), to.r32());
    } else if (is_in_rax(source)) {
        if (to != x86::rax) {
            w_.a.mov(to, x86::rax);
        }
    } else if (is_in_rcx(source)) {
        if (to != x86::rcx) {
            w_.a.mov(to, x86::rcx);
        }
    } else {
        w_.a.mov(to, w_.x(source));
    }
    if (RegisterIndex* const held = held_in(to)) {
        *held = kNoRegister;
    }
}

void InstructionCode::change_register(RegisterIndex rd) {
    held_.rax = held_.rax == rd ? kNoRegister : held_.rax;
    held_.rcx = held_.rcx == rd ? kNoRegister : held_.rcx;
}

void InstructionCode::set_register(RegisterIndex rd, const x86::Gp& value) {
    change_register(rd);
    RegisterIndex* const held = held_in(value);
    if (held != nullptr) {
        *held = rd;
    }
    if (held == nullptr || !is_overwritten_) {
        w_.a.mov(w_.x(rd), value);
    }
}

/// The next instruction replaces the result, and reads it, if at all, from where it is held.
bool InstructionCode::next_overwrites(const Instruction& instruction) const {
    if (index_ + 1 == node_.block->size() || !only_computes(instruction)) {
        return false;
    }
    const Instruction& next = node_.block->instructions[index_ + 1];
    return only_computes(next) && next.rd == instruction.rd && next.rs2 != instruction.rd;
}

// --- Instructions -------------------------------------------------------------------------------

void InstructionCode::handlers() {
    for (index_ = 0; index_ < node_.block->size(); ++index_) {
        const Instruction& instruction = node_.block->instructions[index_];
        one(instruction, index_);
        if (instruction.memory_size != 0 || notes_operands(instruction)) {
            ++facts_;
        }
    }
    held_ = {};
}

/// It has code of its own that accesses nothing but registers.
bool InstructionCode::only_computes(const Instruction& instruction) const {
    return instruction.memory_size == 0 && !is_control_flow(instruction.timing) &&
           code_of(instruction) != nullptr;
}

void InstructionCode::one(const Instruction& instruction, std::size_t index) {
    const Write write = code_of(instruction);
    if (write == nullptr || branches_in_place(instruction)) {
        call_handler(instruction, index);
        held_ = {};
        return;
    }
    is_overwritten_ = next_overwrites(instruction);
    if (!only_computes(instruction) || instruction.rd != kSinkRegister) {
        write(*this, instruction);
    }
}

void InstructionCode::link(const Instruction& instruction) {
    if (instruction.rd != kSinkRegister) {
        w_.set(x86::rax, node_.block->last_pc + instruction.length);
        set_register(instruction.rd, x86::rax);
    }
}

void InstructionCode::branch_goes(bool taken, const Label& otherwise) {
    const Instruction& branch = node_.block->instructions.back();
    get(x86::rax, branch.rs1);
    w_.a.cmp(x86::rax, w_.x(branch.rs2));
    const CondCode condition = condition_of(branch);
    w_.a.j(taken ? asmjit::x86::negateCond(condition) : condition, otherwise);
}

void InstructionCode::call_handler(const Instruction& instruction, std::size_t index) {
    static_assert(std::tuple_size_v<decltype(Notes::facts)> <= SharedCode::kMostFacts);
    w_.set(x86::rsi, &instruction);
    w_.set(x86::rdx, index * SharedCode::kMostFacts + facts_);
    w_.set(x86::rcx, &node_);
    w_.call_shared(w_.shared.handler);
}

// --- Loads and stores ---------------------------------------------------------------------------

/// The effective address in rax, and the place in host memory in rax + rdx; the physical address is
/// noted. Changes rcx, r8.
void InstructionCode::host_page(const Instruction& instruction, Access access, const Label& slow) {
    get(x86::rax, instruction.rs1);
    if (instruction.imm != 0) {
        w_.a.add(x86::rax, Imm(instruction.imm));
    }
    held_ = {};
    if (w_.hart.execution.data().translated()) {
        w_.call_shared(w_.shared.translated(access, instruction.memory_size));
        w_.a.jc(slow);
        w_.a.mov(w_.fact(facts_), x86::rcx);
    } else {
        plain_page(instruction, access, slow);
    }
}

/// As DataMemory::known(), of an address that is not translated.
void InstructionCode::plain_page(const Instruction& instruction, Access access, const Label& slow) {
    const HostMemory::Page page;
    x86::Assembler& a = w_.a;
    const Label other = a.newLabel();
    const Label found = a.newLabel();
    look_for_page<HostMemory::Page>(w_, access, instruction.memory_size, HostMemory::kPages);
    a.jne(other);
    a.bind(found);
    a.mov(x86::rdx, page_member(page, &page.to_host, 8));
    a.mov(w_.fact(facts_), x86::rax);
    w_.aside([this, access, other, found, slow] {
        w_.a.bind(other);
        look_beside_hole(w_, access, slow);
        w_.a.jmp(found);
    });
}

void InstructionCode::slowly(const Instruction& instruction, const Label& slow, const Label& done) {
    w_.aside([this, &instruction, slow, done, index = index_, facts = facts_] {
        w_.a.bind(slow);
        facts_ = facts;
        call_handler(instruction, index);
        if (instruction.rd != kSinkRegister) {
            w_.a.mov(x86::rcx, w_.x(instruction.rd)); // as load() holds it
        }
        w_.a.jmp(done);
    });
}

/// As CsrFile::float_enabled(), of an instruction with a floating-point register.
void InstructionCode::needs_float(RegisterIndex index, const Label& slow) {
    if (index >= kFloatBase && index != kSinkRegister) {
        w_.a.test(w_.long_at(w_.hart.arch().csr.status_place()), Imm(mstatus::kFs));
        w_.a.je(slow);
    }
}

void InstructionCode::load(const Instruction& instruction, Extension extension) {
    x86::Assembler& a = w_.a;
    const Label slow = a.newLabel();
    const Label done = a.newLabel();
    needs_float(instruction.rd, slow);
    host_page(instruction, Access::Load, slow);
    const x86::Mem place = x86::ptr(x86::rax, x86::rdx, 0, 0, instruction.memory_size);
    const bool sign = extension == Extension::Sign;
    switch (instruction.memory_size) {
    case 8:
        a.mov(x86::rcx, place);
        break;
    case 4:
        sign ? a.movsxd(x86::rcx, place) : a.mov(x86::ecx, place);
        break;
    default:
        sign ? a.movsx(x86::rcx, place) : a.movzx(x86::ecx, place);
        break;
    }
    if (extension == Extension::Box) {
        w_.set(x86::rdx, fp::box32(0));
        a.or_(x86::rcx, x86::rdx);
    }
    set_register(instruction.rd, x86::rcx);
    if (instruction.rd >= kFloatBase && instruction.rd != kSinkRegister) {
        a.or_(w_.long_at(w_.hart.arch().csr.status_place()), Imm(mstatus::kFs));
    }
    a.bind(done);
    slowly(instruction, slow, done);
}

void InstructionCode::store(const Instruction& instruction) {
    x86::Assembler& a = w_.a;
    const Label slow = a.newLabel();
    const Label done = a.newLabel();
    needs_float(instruction.rs2, slow);
    host_page(instruction, Access::Store, slow);
    get(x86::r8, instruction.rs2);
    const x86::Mem place = x86::ptr(x86::rax, x86::rdx, 0, 0, instruction.memory_size);
    switch (instruction.memory_size) {
    case 8:
        a.mov(place, x86::r8);
        break;
    case 4:
        a.mov(place, x86::r8d);
        break;
    case 2:
        a.mov(place, x86::r8w);
        break;
    default:
        a.mov(place, x86::r8b);
        break;
    }
    a.bind(done);
    slowly(instruction, slow, done);
}

} // namespace pes::native
