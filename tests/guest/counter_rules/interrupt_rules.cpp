// SPDX-License-Identifier: Apache-2.0
// Interrupt 13: pending, enabled, delegated, and its place among the others.
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/clint.h"
#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"
#include "hw/interface/maps/uart.h"
#include "platform.h"
#include "tests/guest/counter_rules/check.h"
#include "tests/guest/counter_rules/counters.h"

namespace pes::rules {

namespace {

constexpr uint64_t kLcofi = kInterruptBit | 13;
constexpr uint64_t kUartSources[] = {1, 10};
constexpr uint64_t kSupervisorBits = kInterruptSsi | kInterruptSti | kInterruptSei;

/// By an overflow, as hardware makes it pending.
void overflow() {
    reset_counter();
    write_csr<kCounterCsr>(~uint64_t{0});
    write_csr<kEventCsr>(kEvent);
    count();
    settle();
    write_csr<kEventCsr>(0);
}

void clear_all() {
    write_csr<csr::kMie>(0);
    write_csr<csr::kMideleg>(0);
    write_csr<csr::kMip>(0);
    clear_csr<csr::kMstatus>(kStatusSie);
    reset_counter();
}

/// norm:mip_lcofip_mie_lcofie_op, mip_lcofip_acc, sip_sie_Sscofpmf: from each mode, pending or not,
/// enabled or not, delegated or not; pending by an overflow and by a write.
void taken(Mode mode) {
    Group group(mode == Mode::Machine      ? "cp_lcofi_m"
                : mode == Mode::Supervisor ? "cp_lcofi_sip_s"
                                           : "cp_lcofi_sip_u",
                mode);
    for (unsigned bits = 0; bits < 16; ++bits) {
        const bool is_pending = (bits & 1) != 0, enabled = (bits & 2) != 0,
                   delegated = (bits & 4) != 0;
        const bool by_write = (bits & 8) != 0;
        clear_all();
        if (is_pending && !by_write) {
            overflow();
        }
        write_csr<csr::kMideleg>(delegated ? kInterruptLcofi : 0);
        if (is_pending && by_write) {
            set_csr<csr::kMip>(kInterruptLcofi);
        }
        write_csr<csr::kMie>(enabled ? kInterruptLcofi : 0);
        const Taken end = run(mode, [mode] {
            if (mode == Mode::Machine) {
                set_csr<csr::kMstatus>(kStatusSie | 8); // and MIE
            } else if (mode == Mode::Supervisor) {
                set_csr<csr::kSstatus>(kStatusSie);
            }
            settle();
        });
        const bool fires = is_pending && enabled;
        if (!fires ||
            (delegated && mode == Mode::Machine)) { // what is delegated never interrupts M
            group.check(returned(mode, end), bits, end.machine_cause);
        } else if (delegated) {
            group.check(end.in_supervisor == 1 && end.supervisor_cause == kLcofi, bits,
                        end.supervisor_cause);
        } else {
            group.check(end.in_supervisor == 0 && end.machine_cause == kLcofi, bits,
                        end.machine_cause);
        }
        group.check(pending() == is_pending, bits, pending()); // software clears it
    }
    clear_all();
}

/// sip and sie have the bit where it is delegated, and there it can be written.
void supervisor_view() {
    Group group("sip_sie_lcofi", Mode::Supervisor);
    static constexpr bool kBoth[] = {false, true};
    for (const bool delegated : kBoth) {
        clear_all();
        set_csr<csr::kMip>(kInterruptLcofi);
        write_csr<csr::kMideleg>(delegated ? kInterruptLcofi : 0);
        uint64_t shown = 0, enable = 0;
        run(Mode::Supervisor, [&shown, &enable] {
            clear_csr<csr::kSstatus>(kStatusSie);
            shown = read_csr<csr::kSip>() & kInterruptLcofi;
            clear_csr<csr::kSip>(kInterruptLcofi);
            set_csr<csr::kSie>(kInterruptLcofi);
            enable = read_csr<csr::kSie>() & kInterruptLcofi;
        });
        group.check((shown != 0) == delegated, delegated, shown);
        group.check((enable != 0) == delegated, delegated, enable);
        group.check(pending() != delegated, delegated, pending());
        group.check(((read_csr<csr::kMie>() & kInterruptLcofi) != 0) == delegated, delegated);
    }
    clear_all();
}

void set_machine_software(bool level) {
    write_device<uint32_t>(uint64_t{PES_CLINT_BASE} + clint::kMsip, level ? 1 : 0);
    settle();
}

void set_machine_timer(bool level) {
    write_device<uint64_t>(uint64_t{PES_CLINT_BASE} + clint::kMtimecmp, level ? 0 : ~uint64_t{0});
    settle();
}

/// By the UART's empty transmitter, through the PLIC: source 1, or 10 on QEMU's virt machine.
void set_machine_external(bool level) {
    constexpr uint64_t kTransmitterEmpty = 2;
    constexpr uint32_t kSources = 1 << 1 | 1 << 10;
    const uint64_t plic_base = PES_PLIC_BASE;
    for (const uint64_t source : kUartSources) {
        write_device<uint32_t>(plic_base + plic::kPriority + 4 * source, 1);
    }
    write_device<uint32_t>(plic_base + plic::kEnable, kSources);
    write_device<uint32_t>(plic_base + plic::kContext + plic::kThreshold, 0);
    write_device<uint8_t>(uint64_t{PES_UART_BASE} + uart::kInterruptEnable * PES_UART_STRIDE,
                          level ? kTransmitterEmpty : 0);
    for (unsigned i = 0; i < 8; ++i) {
        settle();
    }
    const uint64_t claim = plic_base + plic::kContext + plic::kClaimComplete;
    const uint32_t source =
        level ? 0 : read_device<uint32_t>(claim); // one that has been sent before
    if (source != 0) {
        write_device<uint32_t>(claim, source);
    }
}

/// norm:intr_M_mode_pri: of two that are pending the other one fires.
void machine_priority() {
    Group group("cp_lcofip_priority_m", Mode::Machine);
    const auto fires = [&group](uint64_t expected) {
        write_csr<csr::kMie>(~uint64_t{0});
        const Taken end = run(Mode::Machine, [] {
            set_csr<csr::kMstatus>(8);
            settle();
        });
        group.check(end.machine_cause == (kInterruptBit | expected), expected, end.machine_cause);
        write_csr<csr::kMie>(0);
    };
    clear_all();
    set_machine_timer(false);
    static constexpr unsigned kOthers[] = {irq::kSupervisorTimer, 1U, irq::kSupervisorExternal};
    for (const unsigned other : kOthers) {
        overflow();
        set_csr<csr::kMip>(uint64_t{1} << other);
        fires(other);
        write_csr<csr::kMip>(0);
    }
    overflow();
    set_machine_timer(true);
    fires(irq::kMachineTimer);
    set_machine_timer(false);
    overflow();
    set_machine_software(true);
    fires(irq::kMachineSoftware);
    set_machine_software(false);
    overflow();
    set_machine_external(true);
    fires(irq::kMachineExternal);
    set_machine_external(false);
    overflow();
    fires(13);
    clear_all();
}

/// norm:sip_sie_priority_bit_order.
void supervisor_priority() {
    Group group("cp_lcofip_priority_s", Mode::Supervisor);
    static constexpr uint64_t kOthers[] = {kInterruptSei, kInterruptSti, kInterruptSsi,
                                           uint64_t{0}};
    for (const uint64_t other : kOthers) {
        clear_all();
        overflow();
        write_csr<csr::kMideleg>(kInterruptLcofi | kSupervisorBits);
        set_csr<csr::kMip>(other);
        const Taken end = run(Mode::Supervisor, [] {
            write_csr<csr::kSie>(kInterruptLcofi | kSupervisorBits);
            set_csr<csr::kSstatus>(kStatusSie);
            settle();
        });
        const uint64_t expected = other == 0 ? 13 : static_cast<uint64_t>(__builtin_ctzl(other));
        group.check(end.in_supervisor == 1 && end.supervisor_cause == (kInterruptBit | expected),
                    other, end.supervisor_cause);
    }
    clear_all();
}

} // namespace

void interrupt_rules() {
    for (const Mode mode : kModes) {
        taken(mode);
    }
    supervisor_view();
    machine_priority();
    supervisor_priority();
}

} // namespace pes::rules
