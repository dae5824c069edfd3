// SPDX-License-Identifier: Apache-2.0
// Changes of privilege and translation: excursions from M mode into S or U mode and back.
#include "tests/differential/layout.h"
#include "tests/differential/page_tables.h"
#include "tests/differential/units.h"

#include <cstdint>
#include <string_view>

namespace pes::differential {
namespace {

// mstatus fields, privileged specification section 3.1.6.
constexpr std::uint64_t kSpp = 1 << 8;
constexpr std::uint64_t kMpp = 3 << 11;
constexpr unsigned kMppShift = 11;
constexpr std::uint64_t kMprv = 1 << 17;
constexpr std::uint64_t kSum = 1 << 18;
constexpr std::uint64_t kMxr = 1 << 19;
constexpr std::uint64_t kTvm = 1 << 20;
constexpr std::uint64_t kTw = 1 << 21;
constexpr std::uint64_t kTsr = 1 << 22;

/// Causes that may be handed to S mode: instruction access fault, illegal, breakpoint, load and
/// store access fault, U-mode ecall, page faults. Not the S-mode ecall: it is the way back.
constexpr std::uint64_t kDelegable =
    1 << 1 | 1 << 2 | 1 << 3 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 12 | 1 << 13 | 1 << 15;

constexpr std::uint64_t kSatpSv39 = std::uint64_t{8} << 60 | layout::kRootTable / layout::kPageSize;

/// mstatus bits a program may find set in S or U mode.
std::uint64_t random_status(Random& random, Privilege privilege) {
    std::uint64_t status = static_cast<std::uint64_t>(privilege) << kMppShift;
    for (const std::uint64_t bit : {kSum, kMxr, kTvm, kTw, kTsr, kSpp}) {
        if (random.one_in(2)) {
            status |= bit;
        }
    }
    return status;
}

void emit_write_status(Emitter& out, unsigned work, std::uint64_t status) {
    out.line("li x{}, {:#x}", work, kMpp | kSum | kMxr | kTvm | kTw | kTsr | kSpp);
    out.line("csrc mstatus, x{}", work);
    out.line("li x{}, {:#x}", work, status);
    out.line("csrs mstatus, x{}", work);
}

/// Entry 7 (see runtime.S): everything to everyone.
constexpr std::uint64_t kOpenEntry = std::uint64_t{0x1F} << 56;

/// Before checksums read all of the scratch memory: an entry that covers part of an access makes it
/// fail in M mode too (privileged specification, section 3.7.1).
void emit_no_protection(Emitter& out, unsigned work) {
    out.line("li x{}, {:#x}", work, kOpenEntry);
    out.line("csrw pmpcfg0, x{}", work);
}

/// Four random entries over the upper scratch pages; entry 7 (runtime.S) opens the rest.
/// Locked entries and the combination W without R (reserved) are left to the directed tests.
void emit_random_protection(Emitter& out, unsigned work, Translation translation) {
    constexpr unsigned kPermissions[] = {0, 1, 3, 4, 5, 7};
    Random& random = out.random;
    std::uint64_t config = kOpenEntry;
    for (unsigned entry = 0; entry < 4; ++entry) {
        const std::uint64_t page = layout::kScratch + random.between(1, 7) * layout::kPageSize;
        const std::uint64_t target = page + random.below(64) * 8;
        auto mode = static_cast<unsigned>(random.below(4)); // OFF, TOR, NA4, NAPOT
        if (mode == 1 && entry == 0) {
            mode = 0; // its range would start at address 0 and close the program's code
        }
        std::uint64_t address = target >> 2;
        if (mode == 3) { // 2^(k+3) bytes
            const auto k = static_cast<unsigned>(random.below(9));
            const std::uint64_t ones = (std::uint64_t{1} << k) - 1;
            address = (address & ~(ones << 1 | 1)) | ones;
        }
        if (!out.protection_is_exact && translation == Translation::Sv39) {
            mode = 0;
        }
        config |= std::uint64_t{mode << 3 | random.pick(kPermissions)} << (8 * entry);
        out.line("li x{}, {:#x}", work, address);
        out.line("csrw pmpaddr{}, x{}", entry, work);
    }
    out.line("li x{}, {:#x}", work, config);
    out.line("csrw pmpcfg0, x{}", work);
}

/// One load or store in the upper scratch pages, where the random protection lies.
void emit_protected_access(Emitter& out) {
    constexpr std::string_view kAligned[] = {"lb", "lh", "lw", "ld", "sb", "sh", "sw", "sd"};
    Random& random = out.random;
    const unsigned base = out.work_register();
    const bool alias =
        out.mode.privilege == Privilege::User && out.mode.translation == Translation::Sv39;
    const std::uint64_t address = layout::kScratch + (alias ? layout::kUserAlias : 0) +
                                  random.between(1, 7) * layout::kPageSize + random.below(64) * 8;
    out.line("li x{}, {:#x}", base, address);
    std::string access(random.pick(kAligned));
    if (!out.protection_is_exact) {
        access.front() = 'l';
    }
    out.line("{} x{}, 0(x{})", access, out.destination(), base);
}

/// sret with a chosen SPP; traps if TSR is set, and then simply goes on.
void emit_supervisor_return(Emitter& out) {
    const unsigned target = out.new_label();
    const bool to_user = out.mode.translation == Translation::Bare && out.random.one_in(2);
    const unsigned work = out.work_register();
    out.line("li x{}, {:#x}", work, kSpp);
    out.line("{} sstatus, x{}", to_user ? "csrc" : "csrs", work);
    out.line("lla x{}, .L{}", work, target);
    out.line("csrw sepc, x{}", work);
    out.line("sret");
    out.label(target);
    if (to_user && !out.mode.trap_sret) {
        out.mode.privilege = Privilege::User;
    }
}

/// Instructions whose legality depends on the mode and on TVM, TW, TSR.
void emit_privileged_instruction(Emitter& out) {
    Random& random = out.random;
    switch (random.below(7)) {
    case 0:
        out.line("mret");
        break;
    case 1:
        if (out.mode.privilege == Privilege::User) {
            out.line("sret");
        } else {
            emit_supervisor_return(out);
        }
        break;
    case 2:
        out.line("sfence.vma x{}, x{}", out.source(), out.source());
        break;
    case 3:
        out.line("csrr x{}, satp", out.destination());
        break;
    case 4:
        if (out.mode.timeout_wait) { // otherwise it may wait, for ever
            out.line("wfi");
        }
        break;
    case 5: // counters: the value is masked, the trap is not
        emit_counter(out);
        break;
    default:
        out.line("csrr x{}, {}", out.destination(),
                 random.one_in(2) ? "mstatus" : "mhartid"); // traps below M
        break;
    }
}

void emit_mode_body(Emitter& out, const Body& body) {
    for (auto n = out.random.between(4, 12); n > 0; --n) {
        switch (out.random.below(6)) {
        case 0:
            emit_privileged_instruction(out);
            break;
        case 1:
            emit_protected_access(out);
            break;
        case 2:
            if (out.mode.translation == Translation::Sv39) {
                emit_random_region_access(out);
            }
            break;
        default:
            body(out);
            break;
        }
        if (out.pending_interrupts && out.mode.privilege == Privilege::Supervisor &&
            out.random.one_in(3)) {
            emit_pending_in_supervisor(out);
        }
    }
}

void emit_excursion(Emitter& out, const Body& body, Privilege privilege, Translation translation) {
    Random& random = out.random;
    const bool alias = privilege == Privilege::User && translation == Translation::Sv39;
    const unsigned entry = out.new_label();
    const auto [work, target] = out.two_work_registers();
    std::uint64_t status = random_status(random, privilege);
    if (out.pending_interrupts) { // QEMU executes user pages in S mode after a load that SUM lets
                                  // in
        status &= ~kSum;
    }
    // Where sret traps, the S-mode handler could not return.
    const bool delegate = (status & kTsr) == 0 && !random.one_in(4);
    const std::uint64_t delegated = delegate ? random.bits() & kDelegable : 0;

    out.line("li x{}, {:#x}", work, delegated);
    out.line("csrw medeleg, x{}", work);
    out.line("csrwi mcounteren, {}", random.one_in(3) ? random.below(8) : 7);
    out.line("csrwi scounteren, {}", random.one_in(3) ? random.below(8) : 7);
    emit_random_protection(out, work, translation);
    emit_write_status(out, work, status);
    if (translation == Translation::Sv39) {
        emit_change_random_entry(out);
        out.line("li x{}, {:#x}", work, kSatpSv39);
        out.line("csrw satp, x{}", work);
        out.line("sfence.vma");
    }
    out.line("lla x{}, .L{}", target, entry);
    if (alias) {
        out.line("li x{}, {:#x}", work, layout::kUserAlias);
        out.line("add x{0}, x{0}, x{1}", target, work);
        out.line("add sp, sp, x{}", work);
    }
    if (out.pending_interrupts) {
        emit_make_pending(out, work, delegate);
        emit_failing_target(out, target);
    }
    out.line("csrw mepc, x{}", target);
    out.line("mret");
    out.label(entry);

    const Mode before = out.mode;
    out.mode = {.privilege = privilege,
                .translation = translation,
                .trap_sret = (status & kTsr) != 0,
                .timeout_wait = (status & kTw) != 0};
    if (out.pending_interrupts) {
        emit_trap(out);
    }
    emit_mode_body(out, body);
    out.mode = before;

    const unsigned back = out.new_label();
    out.line("lla tp, .L{}", back);
    out.line("addi tp, tp, 1");
    out.line("ecall");
    out.label(back);
    out.line("csrw satp, x0");
    out.line("sfence.vma");
    out.line("csrw medeleg, x0");
    if (out.pending_interrupts) {
        emit_end_pending(out, out.work_register());
    }
    emit_no_protection(out, out.work_register());
}

Privilege lower_mode(Random& random) {
    return random.one_in(2) ? Privilege::User : Privilege::Supervisor;
}

/// Loads and stores of M mode with another mode's rights and translation.
void emit_modified_privilege(Emitter& out) {
    Random& random = out.random;
    const unsigned work = out.work_register();
    const Locked guard(out, work);
    out.line("li x{}, {:#x}", work, kSatpSv39);
    out.line("csrw satp, x{}", work);
    out.line("sfence.vma");
    emit_random_protection(out, work, Translation::Sv39);
    for (auto n = random.between(1, 3); n > 0; --n) {
        // One access at a time: a trap changes MPP, and QEMU then keeps the translations of before.
        emit_write_status(out, work, random_status(random, lower_mode(random)));
        out.line("li x{}, {:#x}", work, kMprv);
        out.line("csrs mstatus, x{}", work);
        if (random.one_in(3)) {
            emit_protected_access(out);
        } else {
            emit_random_region_load_store(out);
        }
        out.line("li x{}, {:#x}", work, kMprv);
        out.line("csrc mstatus, x{}", work);
    }
    out.line("csrw satp, x0");
    out.line("sfence.vma");
    emit_no_protection(out, work);
}

} // namespace

void emit_privileged(Emitter& out, const Body& body) {
    emit_excursion(out, body, lower_mode(out.random), Translation::Bare);
}

void emit_virtual_memory(Emitter& out, const Body& body) {
    if (out.random.one_in(4)) {
        emit_modified_privilege(out);
    } else {
        emit_excursion(out, body, lower_mode(out.random), Translation::Sv39);
    }
}

} // namespace pes::differential
