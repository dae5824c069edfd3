// SPDX-License-Identifier: Apache-2.0
// start and stop: one counter through all its states, and sets whose members are in different ones.
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace pes::pmu_test {

namespace {

constexpr uint64_t kReset = sbi::pmu::kStopReset;
constexpr uint64_t kSetValue = sbi::pmu::kStartSetInitValue;

/// A counter that is in the middle of nothing.
void show_states_of(const char* kind, uint64_t counter, uint64_t event) {
    const auto line = [kind](const char* name, sbi::Result result) {
        print(put_byte, kind, ", ");
        report(name, result);
    };
    configure(counter, 1, sbi::pmu::kConfigClearValue, event);
    line("stop, never started", stop(counter, 1));
    line("start with a reserved flag", start(counter, 1, 4));
    line("start with value and snapshot", start(counter, 1, 3));
    line("start from a snapshot without memory", start(counter, 1, sbi::pmu::kStartInitSnapshot));
    line("stop, after a failed start", stop(counter, 1));
    line("start", start(counter, 1));
    line("start, running", start(counter, 1));
    line("start with a value, running", start(counter, 1, kSetValue, 1));
    line("stop with a reserved flag", stop(counter, 1, 4));
    line("stop into a snapshot without memory", stop(counter, 1, sbi::pmu::kStopTakeSnapshot));
    line("start, after a failed stop", start(counter, 1));
    line("stop", stop(counter, 1));
    line("stop, stopped", stop(counter, 1));
    line("start with a value", start(counter, 1, kSetValue, 5));
    line("stop and reset", stop(counter, 1, kReset));
    line("start, reset", start(counter, 1));
    line("stop, reset", stop(counter, 1));
    line("configured again", configure(counter, 1, 0, event));
    line("stop and reset, stopped", stop(counter, 1, kReset));
    line("start, reset while stopped", start(counter, 1));
    line("stop and reset, reset", stop(counter, 1, kReset));
    release_all();
}

void show_values() {
    const uint64_t counter = firmware_counter(3);
    configure(counter, 1, sbi::pmu::kConfigClearValue, kSetTimer);
    start(counter, 1, kSetValue, 1000);
    report("initial value", firmware_read(counter), Shows::Number);
    set_far_timer();
    set_far_timer();
    report("counted on from there", firmware_read(counter), Shows::Number);
    start(counter, 1, kSetValue, 5);
    report("a running counter keeps its value", firmware_read(counter), Shows::Number);
    stop(counter, 1);
    set_far_timer();
    report("a stopped counter keeps its value", firmware_read(counter), Shows::Number);
    start(counter, 1, 0, 99);
    set_far_timer();
    report("start without a flag resumes", firmware_read(counter), Shows::Number);
    start(counter, 1, kSetValue, ~uint64_t{0});
    stop(counter, 1);
    start(counter, 1, kSetValue, ~uint64_t{0});
    set_far_timer();
    report("a firmware counter wraps at 64 bits", firmware_read(counter), Shows::Number);
    report("fw_read_hi of a configured counter", firmware_read_high(counter), Shows::Number);
    release_all();

    configure(3, 1, 0, kBranches);
    start(3, 1, kSetValue, uint64_t{1} << 40);
    report_number("a hardware counter starts from its value", read_counter(3) >> 40);
    start(3, 1, kSetValue, 0);
    report_number("and keeps it while running", read_counter(3) >> 40);
    stop(3, 1);
    const uint64_t stopped = read_counter(3);
    set_far_timer();
    report_number("a stopped hardware counter stands still", read_counter(3) - stopped);
    start(3, 1);
    report_number("and resumes from there", read_counter(3) >= stopped ? 1 : 0);
}

/// Counters a and b, of which a is the lower.
void show_mixed(const char* kind, uint64_t low, uint64_t high, uint64_t event) {
    const uint64_t set = uint64_t{1} | uint64_t{1} << (high - low);
    const auto line = [kind](const char* name, sbi::Result result) {
        print(put_byte, kind, " set, ");
        report(name, result);
    };
    configure(low, 1, 0, event);
    line("start, upper unconfigured", start(low, set));
    line("the lower one runs", start(low, 1));
    line("stop, upper unconfigured", stop(low, set));
    configure(high, 1, 0, event);
    line("start, both stopped", start(low, set));
    line("start, both running", start(low, set));
    stop(high, 1);
    line("start, lower running", start(low, set));
    line("the upper one runs", start(high, 1));
    stop(low, 1);
    line("start, upper running", start(low, set));
    line("the lower one runs now", start(low, 1));
    stop(high, 1);
    line("stop, upper stopped", stop(low, set));
    line("the lower one has stopped", stop(low, 1));
    start(high, 1);
    line("stop, lower stopped", stop(low, set));
    line("the upper one has stopped", stop(high, 1));
    start(low, 1);
    line("stop and reset, upper stopped", stop(low, set, kReset));
    line("both are unconfigured", start(low, set));
    configure(high, 1, 0, event);
    line("start, lower unconfigured", start(low, set));
    line("stop and reset, lower unconfigured", stop(low, set, kReset));
    release_all();
}

} // namespace

void show_states() {
    show_states_of("cycle", 0, sbi::pmu::kEventCycles);
    show_states_of("instret", 2, sbi::pmu::kEventInstructions);
    show_states_of("hardware", 3, kBranches);
    show_states_of("firmware", firmware_counter(0), kSetTimer);
    show_values();
}

void show_sets() {
    show_mixed("hardware", 3, 5, kBranches);
    show_mixed("firmware", firmware_counter(1), firmware_counter(4), kSetTimer);

    const uint64_t firmware = firmware_counter(2);
    configure(3, 1, 0, kBranches);
    configure(firmware, 1, 0, kSetTimer);
    const uint64_t both = 1 << 3 | uint64_t{1} << firmware;
    report("start of hardware and firmware with one value", start(0, both, kSetValue, 1 << 20));
    report("value of the firmware one", firmware_read(firmware), Shows::Number);
    report_number("value of the hardware one", read_counter(3) >> 20);
    report("start past a running pair", start(0, both | uint64_t{1} << machine.count));
    report("stop past a running pair", stop(0, both | uint64_t{1} << machine.count));
    report("the pair still runs", start(0, both));
    report("stop of every counter", stop(0, all_counters()));
    report("stop of every counter again", stop(0, all_counters()));
    report("start of every counter", start(0, all_counters()));
    report("stop and reset of every counter", stop(0, all_counters(), kReset));
    report("the pair is unconfigured", start(0, both));
}

} // namespace pes::pmu_test
