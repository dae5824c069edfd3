// SPDX-License-Identifier: Apache-2.0
// Fences, CSR accesses, environment calls, trap returns, WFI, sfence.vma and sctrclr.
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/arch/csr_rights.h"
#include "hw/core/arch/decode.h"
#include "hw/core/arch/execution.h"

#include <array>

namespace pes {

namespace {

enum class Update : std::uint8_t { Write, Set, Clear };
enum class Source : std::uint8_t { Register, Immediate };

/// csrrw reads unless rd is x0; csrrs and csrrc write unless the source field is 0.
template <Update How, Source From>
void csr_access(Execution& hart, const Instruction& i) {
    const auto number = static_cast<std::uint16_t>(i.imm);
    const bool writes = How == Update::Write || i.csr_source != 0;
    constexpr std::uint16_t kReadOnly = 0xC00;
    if (!hart.csrs().accessible(number) || (writes && (number & kReadOnly) == kReadOnly)) {
        hart.raise_illegal(i);
        return;
    }
    const std::uint64_t operand = From == Source::Immediate ? i.csr_source : hart.x(i.rs1);
    const Cycle at = hart.serial_cycle(i);
    const bool unseen = i.rd == 0 && shows_interrupts(number);
    const std::optional<std::uint64_t> old =
        unseen ? hart.csrs().read_register(number) : hart.read_csr(number, at);
    if (!old) {
        hart.raise_illegal(i);
        return;
    }
    if (writes) {
        const std::uint64_t base = hart.csrs().update_base(number, *old);
        switch (How) {
        case Update::Write:
            hart.write_csr(number, operand, at);
            break;
        case Update::Set:
            hart.write_csr(number, base | operand, at);
            break;
        case Update::Clear:
            hart.write_csr(number, base & ~operand, at);
            break;
        }
    }
    hart.x(i.rd) = *old;
}

/// The model is sequentially consistent; the pipeline drains the store buffer.
void fence(Execution&, const Instruction&) {}

void fence_i(Execution& hart, const Instruction& i) {
    hart.system().fence_instructions(i);
}

void ecall(Execution& hart, const Instruction&) {
    if (!hart.may_change_mode()) {
        return;
    }
    switch (hart.privilege()) {
    case Privilege::User:
        return hart.raise(Cause::EcallFromUser, 0);
    case Privilege::Supervisor:
        return hart.raise(Cause::EcallFromSupervisor, 0);
    case Privilege::Machine:
        return hart.raise(Cause::EcallFromMachine, 0);
    }
}

void ebreak(Execution& hart, const Instruction&) {
    hart.raise(Cause::Breakpoint, hart.pc());
}

void mret(Execution& hart, const Instruction& i) {
    if (hart.privilege() != Privilege::Machine) {
        hart.raise_illegal(i);
        return;
    }
    if (hart.may_change_mode()) {
        hart.system().finish_return(i, hart.csr().return_from_machine());
    }
}

/// True if S-mode may execute an instruction that `trap` (TSR, TVM, TW) makes illegal there.
bool supervisor_allowed(const Execution& hart, CsrFile& csr, std::uint64_t trap) {
    return hart.privilege() == Privilege::Machine ||
           (hart.privilege() == Privilege::Supervisor && !csr.status(trap));
}

void sret(Execution& hart, const Instruction& i) {
    if (!supervisor_allowed(hart, hart.csr(), mstatus::kTsr)) {
        hart.raise_illegal(i);
        return;
    }
    if (hart.may_change_mode()) {
        hart.system().finish_return(i, hart.csr().return_from_supervisor());
    }
}

void wfi(Execution& hart, const Instruction& i) {
    if (!supervisor_allowed(hart, hart.csr(), mstatus::kTw)) {
        hart.raise_illegal(i);
        return;
    }
    hart.system().wait_for_interrupt();
}

void sfence_vma(Execution& hart, const Instruction& i) {
    if (!supervisor_allowed(hart, hart.csr(), mstatus::kTvm)) {
        hart.raise_illegal(i);
        return;
    }
    std::optional<Address> address;
    std::optional<std::uint16_t> asid;
    if (i.rs1 != 0) {
        address = hart.x(i.rs1);
    }
    if (i.rs2 != 0) {
        asid = static_cast<std::uint16_t>(hart.x(i.rs2));
    }
    hart.system().fence_translations(address, asid);
}

/// Smctr: zeroes the records.
void sctrclr(Execution& hart, const Instruction& i) {
    if (hart.privilege() == Privilege::User ||
        !guard_open(hart.csr(), hart.privilege(), CsrGuard::TransferRecords)) {
        hart.raise_illegal(i);
        return;
    }
    hart.system().clear_transfer_records(hart.serial_cycle(i));
}

constexpr std::uint32_t kSystem = 0x73, kMiscMem = 0x0F;

constexpr InstructionRow csr_row(std::string_view name, std::uint32_t funct3, Format format,
                                 Handler handler) {
    return row(name, with_funct3(opcode(kSystem), funct3), format, TimingClass::Csr, handler);
}
constexpr InstructionRow exact(std::string_view name, std::uint32_t word, TimingClass timing,
                               Handler handler) {
    return row(name, {word, 0xFFFF'FFFF}, Format::None, timing, handler);
}

constexpr std::array kSystemRows{
    row("fence", with_funct3(opcode(kMiscMem), 0), Format::Fence, TimingClass::Fence, fence),
    row("fence.i", with_funct3(opcode(kMiscMem), 1), Format::Fence, TimingClass::FenceI, fence_i),
    exact("ecall", 0x0000'0073, TimingClass::Trap, ecall),
    exact("ebreak", 0x0010'0073, TimingClass::Trap, ebreak),
    exact("sret", 0x1020'0073, TimingClass::TrapReturn, sret),
    exact("mret", 0x3020'0073, TimingClass::TrapReturn, mret),
    exact("wfi", 0x1050'0073, TimingClass::Wfi, wfi),
    row("sfence.vma", {0x1200'0073, 0xFE00'7FFF}, Format::Rs1Rs2, TimingClass::SfenceVma,
        sfence_vma),
    InstructionRow{"sctrclr",
                   0x1040'0073,
                   0xFFFF'FFFF,
                   Format::None,
                   TimingClass::Csr,
                   sctrclr,
                   0,
                   {},
                   &Extensions::smctr},
    csr_row("csrrw", 1, Format::Csr, csr_access<Update::Write, Source::Register>),
    csr_row("csrrs", 2, Format::Csr, csr_access<Update::Set, Source::Register>),
    csr_row("csrrc", 3, Format::Csr, csr_access<Update::Clear, Source::Register>),
    csr_row("csrrwi", 5, Format::CsrImm, csr_access<Update::Write, Source::Immediate>),
    csr_row("csrrsi", 6, Format::CsrImm, csr_access<Update::Set, Source::Immediate>),
    csr_row("csrrci", 7, Format::CsrImm, csr_access<Update::Clear, Source::Immediate>),
};

} // namespace

std::span<const InstructionRow> system_rows() {
    return kSystemRows;
}

} // namespace pes
