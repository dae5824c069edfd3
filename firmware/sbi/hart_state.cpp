// SPDX-License-Identifier: Apache-2.0
// Hart state management (SBI 3.0, HSM). Hart 0 boots and is started; the others are stopped until
// somebody starts them. A stopped or suspended hart sleeps in machine mode and still takes
// messages.
#include "firmware/boot/csr.h"
#include "firmware/sbi/harts.h"
#include "firmware/sbi/machine.h"

namespace pes {

namespace {

constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};

/// Supervisor software may begin there.
bool may_enter(uint64_t address) {
    constexpr uint64_t kShortest = 2; // a compressed instruction
    return address % kShortest == 0 && supervisor_owns(address, kShortest);
}

/// Nothing of what ran before on this hart is left over.
void forget_interrupts() {
    write_csr<csr::kMie>(kInterruptMsi);
    clear_csr<csr::kMip>(kInterruptSsi | kInterruptSti | kInterruptSei | kInterruptLcofi);
}

sbi::Result start(uint64_t hart, uint64_t entry, uint64_t argument) {
    if (!hart_exists(hart)) {
        return kInvalid;
    }
    if (!may_enter(entry)) {
        return {sbi::kInvalidAddress, 0};
    }
    HartState expected = HartState::Stopped;
    if (!__atomic_compare_exchange_n(&harts[hart].state, &expected, HartState::StartPending, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return {sbi::kAlreadyAvailable, 0};
    }
    harts[hart].entry = entry;
    harts[hart].argument = argument;
    send_message(hart, kMessageStart);
    return {sbi::kSuccess, 0};
}

[[noreturn]] void enter(uint64_t entry, uint64_t argument) {
    forget_interrupts();
    prepare_hart();
    // Started first: a remote fence that finds it not started need not be asked of this hart, as
    // what it is about was written before these.
    set_state(hart_id(), HartState::Started);
    asm volatile("fence.i\nsfence.vma" ::: "memory");
    leave_for_supervisor(entry, argument);
}

/// Sleeps until an interrupt is pending that the supervisor or its timer has enabled.
void sleep() {
    set_state(hart_id(), HartState::Suspended);
    do {
        take_messages();
        if ((read_csr<csr::kMip>() & read_csr<csr::kMie>() & ~kInterruptMsi) != 0) {
            break;
        }
        asm volatile("wfi" ::: "memory");
    } while (true);
    set_state(hart_id(), HartState::Started);
}

sbi::Result suspend(uint32_t type, uint64_t entry, uint64_t argument) {
    constexpr uint32_t kPlatformSpecific = 0x1000'0000; // and from there on in each half
    if (type != sbi::hart_state::kRetentive && type != sbi::hart_state::kNonRetentive) {
        const bool reserved = (type & ~sbi::hart_state::kNonRetentive) < kPlatformSpecific;
        return reserved ? kInvalid : kSbiNotSupported;
    }
    if (type == sbi::hart_state::kRetentive) {
        sleep();
        return {sbi::kSuccess, 0};
    }
    if (!may_enter(entry)) {
        return {sbi::kInvalidAddress, 0};
    }
    sleep();
    leave_for_supervisor(entry, argument);
}

} // namespace

/// The rest of a stopped hart's life until it is started.
extern "C" [[noreturn]] void wait_for_start() {
    forget_interrupts();
    while ((take_messages() & kMessageStart) == 0) {
        asm volatile("wfi" ::: "memory");
    }
    const HartRecord& record = harts[hart_id()];
    enter(record.entry, record.argument);
}

sbi::Result hart_state_extension(const sbi::Call& call) {
    const uint64_t* argument = call.argument;
    switch (call.function) {
    case sbi::hart_state::kStart:
        return start(argument[0], argument[1], argument[2]);
    case sbi::hart_state::kStop:
        set_state(hart_id(), HartState::Stopped);
        wait_for_start();
    case sbi::hart_state::kStatus:
        return hart_exists(argument[0])
                   ? sbi::Result{sbi::kSuccess, static_cast<uint64_t>(state_of(argument[0]))}
                   : kInvalid;
    case sbi::hart_state::kSuspend:
        // The text gives the type as uint32_t: the upper half of the register has no meaning.
        return suspend(static_cast<uint32_t>(argument[0]), argument[1], argument[2]);
    default:
        return kSbiNotSupported;
    }
}

} // namespace pes
