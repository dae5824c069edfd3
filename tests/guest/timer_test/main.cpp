// SPDX-License-Identifier: Apache-2.0
// The supervisor's timer under any SBI firmware: by calls, and on a hart with Sstc by stimecmp,
// which takes no call at all. Either way the interrupt comes at its time, in user mode and while
// the hart is suspended. Start-up and traps are those of tests/guest/user_trial.
#include "tests/guest/user_trial/trial.h"

#include <stdint.h>

extern "C" {
void user_turns();
}

namespace pes {

namespace {

constexpr uint64_t kCauseSupervisorTimer = kInterruptBit | 5;
constexpr uint64_t kNever = uint64_t{1}
                            << 56; // years ahead; the timer of QEMU 7.2 overflows beyond
constexpr uint64_t kPeriod = 300;  // ticks
constexpr uint64_t kInterrupts = 10;
constexpr uint64_t kMostTurns = 100'000; // far longer than all interrupts take

uint64_t deadline = kNever;
uint64_t interrupts;
uint64_t early;
void (*set_timer)(uint64_t);

void set_by_call(uint64_t time) {
    sbi_call(sbi::kTimer, sbi::timer::kSetTimer, time);
}

void set_by_legacy_call(uint64_t time) {
    sbi_call(sbi::kLegacySetTimer, 0, time);
}

void set_by_register(uint64_t time) {
    write_csr<csr::kStimecmp>(time);
}

bool pending() {
    return (read_csr<csr::kSip>() & kInterruptSti) != 0;
}

void arm(uint64_t time) {
    deadline = time;
    set_timer(time);
}

/// The firmware's count of set_timer calls.
uint64_t calls(uint64_t counter) {
    return sbi_call(sbi::kPmu, sbi::pmu::kCounterFirmwareRead, counter).value;
}

uint64_t configure_call_counter() {
    constexpr uint64_t kSetTimerEvent = 0xF0005; // type 15, code 5
    const sbi::Result number = sbi_call(sbi::kPmu, sbi::pmu::kNumCounters, 0);
    for (uint64_t i = 0; i < number.value; ++i) {
        const sbi::Result result =
            sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, i, 1,
                     sbi::pmu::kConfigClearValue | sbi::pmu::kConfigAutoStart, kSetTimerEvent);
        if (result.error == sbi::kSuccess) {
            return result.value;
        }
    }
    expect("counters of set_timer", 0, 1);
    return 0;
}

void check_interrupts(const char* way) {
    interrupts = 0;
    early = 0;
    arm(read_csr<csr::kTime>() + kPeriod);
    expect("pending before its time", pending(), 0);
    for (uint64_t turns = 0; interrupts < kInterrupts && turns < kMostTurns; turns += 100) {
        run_user(user_turns, 100);
    }
    arm(kNever);
    print(put_byte, "timer_test: ", way, ": ", interrupts, " interrupts\n");
    expect("interrupts", interrupts, kInterrupts);
    expect("interrupts before their time", early, 0);
    expect("pending after a new deadline", pending(), 0);
}

/// The hart sleeps in machine mode, and a timer that the supervisor has enabled wakes it.
void check_suspend() {
    arm(read_csr<csr::kTime>() + kPeriod);
    const sbi::Result result =
        sbi_call(sbi::kHartState, sbi::hart_state::kSuspend, sbi::hart_state::kRetentive);
    expect("suspend", static_cast<uint64_t>(result.error), sbi::kSuccess);
    expect("woken before its time", read_csr<csr::kTime>() < deadline, 0);
    expect("pending after the sleep", pending(), 1);
    arm(kNever);
}

void check(const char* way, void (*setter)(uint64_t), uint64_t counter, bool makes_calls) {
    set_timer = setter;
    const uint64_t before = calls(counter);
    check_interrupts(way);
    check_suspend();
    // One to begin with and one in each interrupt; three more around the sleep.
    expect("set_timer calls", calls(counter) - before, makes_calls ? kInterrupts + 4 : 0);
}

} // namespace

extern "C" void overflow_interrupt() {
    expect("cause", read_csr<csr::kScause>(), kCauseSupervisorTimer);
    ++interrupts;
    early += read_csr<csr::kTime>() < deadline ? 1 : 0;
    arm(interrupts < kInterrupts ? deadline + kPeriod : kNever);
}

extern "C" [[noreturn]] void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    print(put_byte, "unexpected trap: cause ", Hex{cause}, "  pc ", Hex{pc}, "  value ", Hex{value},
          "\n");
    ++failures;
    end();
}

extern "C" [[noreturn]] void run_tests() {
    const bool supervisor_timer = has_csr<csr::kStimecmp>();
    print(put_byte, supervisor_timer ? "timer_test: stimecmp\n" : "timer_test: no stimecmp\n");
    expect("pending at entry", pending(), 0);
    set_csr<csr::kSie>(kInterruptSti);
    const uint64_t counter = configure_call_counter();
    check("calls", set_by_call, counter, true);
    check("legacy calls", set_by_legacy_call, counter, true);
    if (supervisor_timer) {
        set_by_call(kNever - 1); // as software that does not know of the register
        expect("stimecmp after a call", read_csr<csr::kStimecmp>(), kNever - 1);
        check("stimecmp", set_by_register, counter, false);
    }
    print(put_byte, "timer_test: ", failures, " failures\n");
    end();
}

} // namespace pes
