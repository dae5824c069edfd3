// SPDX-License-Identifier: Apache-2.0
// Interrupts that are pending before something else traps. pending.S holds the handlers. They are
// made pending while they cannot be taken, and are let in by an instruction that the specification
// names as a moment at which they are looked at: mret, sret, a write of xstatus, xip or xie
// (privileged specification, 3.1.9). So no result depends on time.
#include "tests/differential/layout.h"
#include "tests/differential/units.h"

#include <cstdint>
#include <string_view>

namespace pes::differential {
namespace {

constexpr std::uint64_t kSoftware = 1 << 3; ///< of M mode, in the CLINT
/// Writable in mip: software, timer and external interrupt of S mode, counter overflow.
constexpr std::uint64_t kSupervisor = 1 << 1 | 1 << 5 | 1 << 9 | 1 << 13;
constexpr std::uint64_t kMstatusSie = 1 << 1;
constexpr std::uint64_t kMstatusMpie = 1 << 7;
constexpr std::uint64_t kMstatusMpp = 3 << 11;
constexpr std::uint64_t kSstatusSpie = 1 << 5;
constexpr std::uint64_t kSstatusSpp = 1 << 8;

void emit_write(Emitter& out, unsigned work, std::string_view csr, std::uint64_t value) {
    out.line("li x{}, {:#x}", work, value);
    out.line("csrw {}, x{}", csr, work);
}

void emit_call(Emitter& out, std::string_view function) {
    out.line("sd x1, 8(gp)");
    out.line("sd x5, 16(gp)");
    out.line("sd x6, 24(gp)");
    out.line("jal x1, {}", function);
    out.line("ld x1, 8(gp)");
    out.line("ld x5, 16(gp)");
    out.line("ld x6, 24(gp)");
}

/// Where no fetch succeeds, in any mode.
std::uint64_t failing_address(Emitter& out) {
    constexpr std::uint64_t kWrongSign =
        0x40'0000'0000; // of 39 bits; no memory without translation
    return out.random.one_in(4) ? kWrongSign
                                : layout::kHole + out.random.below(layout::kHoleSize / 2) * 2;
}

} // namespace

/// Nothing is let in yet.
void emit_make_pending(Emitter& out, unsigned work, bool delegate) {
    Random& random = out.random;
    out.line("csrci mstatus, 8");
    emit_write(out, work, "mideleg", delegate ? random.bits() & kSupervisor : 0);
    emit_write(out, work, "mie",
               random.one_in(4) ? random.bits() & (kSupervisor | kSoftware)
                                : kSupervisor | kSoftware);
    out.line("li x{}, {:#x}", work, random.bits() & kSupervisor);
    out.line("csrs mip, x{}", work);
    if (random.one_in(3)) {
        emit_call(out, "raise_software");
    }
    out.line("li x{}, {:#x}", work, kMstatusSie | kMstatusMpie);
    out.line("csrc mstatus, x{}", work);
    out.line("li x{}, {:#x}", work, random.bits() & (kMstatusSie | kMstatusMpie));
    out.line("csrs mstatus, x{}", work);
}

/// The way back to M mode may have let them in.
void emit_end_pending(Emitter& out, unsigned work) {
    out.line("csrci mstatus, 8");
    out.line("csrw mie, x0");
    out.line("csrw mideleg, x0");
    out.line("li x{}, {:#x}", work, kSupervisor);
    out.line("csrc mip, x{}", work);
    emit_call(out, "clear_software");
}

namespace {

/// From M or S mode by `xret` to the same mode, with the bits `status` of xstatus set.
void emit_return_to_own_mode(Emitter& out, char mode, std::uint64_t status) {
    const auto [work, target] = out.two_work_registers();
    const unsigned entry = out.new_label();
    out.line("li x{}, {:#x}", work, status);
    out.line("csrs {}status, x{}", mode, work);
    out.line("lla x{}, .L{}", target, entry);
    emit_failing_target(out, target);
    out.line("csrw {}epc, x{}", mode, target);
    out.line("{}ret", mode);
    out.label(entry);
}

} // namespace

void emit_failing_target(Emitter& out, unsigned target) {
    if (out.random.one_in(3)) {
        out.line("mv tp, x{}", target);
        out.line("li x{}, {:#x}", target, failing_address(out));
    }
}

/// From M mode to M mode.
void emit_pending_in_machine(Emitter& out) {
    emit_make_pending(out, out.work_register(), false);
    if (out.random.one_in(2)) {
        out.line("csrsi mstatus, 8");
    } else {
        emit_return_to_own_mode(out, 'm', kMstatusMpp | kMstatusMpie);
    }
    emit_trap(out);
    emit_end_pending(out, out.work_register());
}

/// In S mode: the software interrupt, if it is delegated, and what M mode has left pending.
void emit_pending_in_supervisor(Emitter& out) {
    Random& random = out.random;
    const unsigned work = out.work_register();
    out.line("csrci sstatus, 2");
    out.line("csrsi sip, 2");
    out.line("li x{}, {:#x}", work, kSupervisor);
    out.line("csrs sie, x{}", work);
    if (random.one_in(2) || out.mode.trap_sret) {
        out.line("csrsi sstatus, 2");
    } else {
        emit_return_to_own_mode(out, 's', kSstatusSpp | kSstatusSpie);
    }
    emit_trap(out);
    if (random.one_in(2)) { // enabled already when it becomes pending
        out.line("csrsi sip, 2");
        emit_trap(out);
    }
}

} // namespace pes::differential
