// SPDX-License-Identifier: Apache-2.0
// Counter overflow as a supervisor's profiler uses it (Sscofpmf): user code is sampled by interrupt
// 13 with machine and supervisor mode filtered out, and each filter flag keeps out its mode. A
// payload for any SBI firmware whose PMU counts branches on hpmcounter3 and filters by mode.
//
// A sample is taken every `period` branches. What counted between overflow and interrupt is carried
// over to the next period, so no event is lost and the number of samples is floor(events / period).
#include "tests/guest/user_trial/trial.h"

#include <stdint.h>

extern "C" {
void user_turns();
void user_count();
extern char user_turns_end[];
}

namespace pes {

namespace {

constexpr uint16_t kCounter = csr::kCycle + 3;
constexpr uint64_t kCounterIndex = 3;
constexpr uint64_t kBranches = 0x00005;
constexpr uint64_t kNotMachine = sbi::pmu::kConfigNotMachine;
constexpr uint64_t kNotSupervisor = sbi::pmu::kConfigNotSupervisor;
constexpr uint64_t kNotUser = sbi::pmu::kConfigNotUser;

uint64_t period;
uint64_t samples;
uint64_t outside; ///< samples whose pc is not in the loop

uint64_t configure(uint64_t flags) {
    return static_cast<uint64_t>(
        sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, kCounterIndex, 1, flags, kBranches)
            .error);
}

void start(uint64_t value) {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStart, kCounterIndex, 1, sbi::pmu::kStartSetInitValue,
             value);
}

void stop(uint64_t flags) {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, kCounterIndex, 1, flags);
}

bool overflow_pending() {
    return (read_csr<csr::kSip>() & kInterruptLcofi) != 0;
}

/// As a kernel's driver: stop, look which counter it was, acknowledge, start again.
void take_sample() {
    stop(0);
    const bool ours = (read_csr<csr::kScountovf>() >> kCounterIndex & 1) != 0;
    clear_csr<csr::kSip>(kInterruptLcofi);
    if (ours) {
        ++samples;
    }
    start(read_csr<kCounter>() - (ours ? period : 0));
}

void check_samples(uint64_t turns, uint64_t wanted_period) {
    period = wanted_period;
    samples = 0;
    outside = 0;
    expect("configuration for sampling", configure(kNotMachine | kNotSupervisor), sbi::kSuccess);
    start(-period);
    expect("the started counter's overflow bit", read_csr<csr::kScountovf>() >> kCounterIndex & 1,
           0);
    run_user(user_turns, turns);
    while (overflow_pending()) { // by one of the last instructions
        take_sample();
    }
    stop(sbi::pmu::kStopReset);
    print(put_byte, "overflow_test: ", turns, " branches, period ", period, ": ", samples,
          " samples\n");
    expect("samples", samples, turns / period);
    expect("samples outside the loop", outside, 0);
}

/// Branches of a loop in supervisor mode, between two readings of the counter.
uint64_t supervisor_count(uint64_t turns) {
    uint64_t first;
    uint64_t last;
    asm volatile("csrr %1, hpmcounter3\n1: addi %0, %0, -1\nnop\nbnez %0, 1b\ncsrr %2, hpmcounter3"
                 : "+r"(turns), "=&r"(first), "=&r"(last));
    return last - first;
}

/// Branches of the firmware in one call.
uint64_t machine_count() {
    const uint64_t first = read_csr<kCounter>();
    sbi_call(sbi::kBase, sbi::base::kSpecVersion);
    return read_csr<kCounter>() - first;
}

void check_filters() {
    constexpr uint64_t kTurns = 500;
    constexpr uint64_t kAll[] = {kNotMachine, kNotSupervisor, kNotUser};
    for (unsigned set = 0; set < 8; ++set) {
        uint64_t flags = 0;
        for (unsigned i = 0; i < 3; ++i) {
            flags |= (set >> i & 1) != 0 ? kAll[i] : 0;
        }
        expect("configuration with filters", configure(flags), sbi::kSuccess);
        start(0);
        expect("counts in supervisor mode", supervisor_count(kTurns),
               (flags & kNotSupervisor) != 0 ? 0 : kTurns);
        expect("counts in user mode", run_user(user_count, kTurns),
               (flags & kNotUser) != 0 ? 0 : kTurns);
        if ((flags & kNotSupervisor) != 0) { // the loop around the call is supervisor code
            // Whatever the flag says: a firmware with Sscofpmf leaves machine mode out.
            expect("counts in machine mode", machine_count(), 0);
        }
        stop(sbi::pmu::kStopReset);
    }
}

} // namespace

extern "C" void overflow_interrupt() {
    const uint64_t pc = read_csr<csr::kSepc>();
    if (pc < reinterpret_cast<uint64_t>(user_turns) ||
        pc >= reinterpret_cast<uint64_t>(user_turns_end)) {
        ++outside;
    }
    take_sample();
}

extern "C" [[noreturn]] void report_trap(uint64_t cause, uint64_t pc, uint64_t value) {
    print(put_byte, "unexpected trap: cause ", Hex{cause}, "  pc ", Hex{pc}, "  value ", Hex{value},
          "\n");
    ++failures;
    end();
}

extern "C" [[noreturn]] void run_tests() {
    write_csr<csr::kScounteren>(~uint64_t{0});
    set_csr<csr::kSie>(kInterruptLcofi);
    check_filters();
    check_samples(100'000, 1000);
    check_samples(99'999, 1000);
    check_samples(100'000, 997);
    check_samples(20'000, 100);
    check_samples(999, 1000);
    print(put_byte, "overflow_test: ", failures, " failures\n");
    end();
}

} // namespace pes
