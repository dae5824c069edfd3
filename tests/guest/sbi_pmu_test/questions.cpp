// SPDX-License-Identifier: Apache-2.0
// What can be asked before anything is configured, and the errors of everything that needs a
// configured counter.
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace pes::pmu_test {

namespace {

/// Not all ones: OpenSBI 1.1 uses an index before it looks at it, and dies of that one.
constexpr uint64_t kFarPastEnd = 1000;

void show_info(const char* name, uint64_t n) {
    const sbi::Result result = counter_info(n);
    if (result.error != sbi::kSuccess) {
        report(name, result);
        return;
    }
    const uint64_t width = (result.value >> sbi::pmu::kInfoWidthShift & 0x3F) + 1;
    if ((result.value & sbi::pmu::kInfoFirmware) != 0) {
        print(put_byte, name, ": SUCCESS firmware, ", width, " bits\n"); // its CSR means nothing
    } else {
        print(put_byte, name, ": SUCCESS CSR ", Hex{result.value & 0xFFF}, ", ", width, " bits\n");
    }
}

void show_readings(const char* what, sbi::Result (*read)(uint64_t)) {
    const struct {
        const char* name;
        uint64_t counter;
    } kCases[] = {
        {"cycle", 0},
        {"hole", 1},
        {"a hardware counter", 3},
        {"an unconfigured firmware counter", firmware_counter(0)},
        {"past the end", machine.count},
        {"far past the end", kFarPastEnd},
    };
    for (const auto& each : kCases) {
        print(put_byte, what, " ");
        report(each.name, read(each.counter), Shows::Number);
    }
}

/// The sets that start and stop are tried with; the first seven are wrong or name nothing.
template <typename Act>
void show_sets_of(const char* what, Act act) {
    const struct {
        const char* name;
        uint64_t base;
        uint64_t mask;
    } kCases[] = {
        {"an empty set", 0, 0},
        {"an empty set past the end", machine.count, 0},
        {"base past the end", machine.count, 1},
        {"base far past the end", kFarPastEnd, 1},
        {"mask past the end", 0, uint64_t{1} << machine.count},
        {"mask past the end from the last counter", machine.count - 1, 3},
        {"full mask", 0, ~uint64_t{0}},
        {"the hole", 1, 1},
        {"unconfigured cycle", 0, 1},
        {"unconfigured hardware", 3, 1},
        {"unconfigured firmware", firmware_counter(0), 1},
        {"every counter unconfigured", 0, all_counters()},
    };
    for (const auto& each : kCases) {
        print(put_byte, what, ", ");
        report(each.name, act(each.base, each.mask));
    }
}

} // namespace

void show_questions() {
    report("num_counters", sbi_call(sbi::kPmu, sbi::pmu::kNumCounters), Shows::Number);
    show_info("info of cycle", 0);
    show_info("info of the hole", 1);
    show_info("info of instret", 2);
    show_info("info of the first programmable counter", 3);
    show_info("info of the last programmable counter", machine.first_firmware - 1);
    show_info("info of the first firmware counter", machine.first_firmware);
    show_info("info of the last firmware counter", machine.count - 1);
    show_info("info past the end", machine.count);
    show_info("info far past the end", ~uint64_t{0});
    report("function 9", sbi_call(sbi::kPmu, 9));
    report("function -1", sbi_call(sbi::kPmu, ~uint64_t{0}));
}

void show_unconfigured() {
    show_readings("fw_read of", firmware_read);
    show_readings("fw_read_hi of", firmware_read_high);
    show_sets_of("start", [](uint64_t base, uint64_t mask) { return start(base, mask); });
    report("start with an initial value, unconfigured",
           start(3, 1, sbi::pmu::kStartSetInitValue, 1));
    report("start from a snapshot, unconfigured, no memory",
           start(3, 1, sbi::pmu::kStartInitSnapshot));
    show_sets_of("stop", [](uint64_t base, uint64_t mask) { return stop(base, mask); });
    report("stop with reset, unconfigured", stop(3, 1, sbi::pmu::kStopReset));
    report("stop with reset, every counter unconfigured",
           stop(0, all_counters(), sbi::pmu::kStopReset));
    report("stop into a snapshot, unconfigured, no memory",
           stop(3, 1, sbi::pmu::kStopTakeSnapshot));
}

} // namespace pes::pmu_test
