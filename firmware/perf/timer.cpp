// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/timer.h"

#include "firmware/perf/error.h"
#include "firmware/perf/platform_facts.h"
#include "firmware/perf/record.h"

namespace pes::perf {

namespace {

constexpr uint64_t kNever = ~uint64_t{0};
constexpr uint64_t kMicrosecondsPerSecond = 1'000'000;

} // namespace

Status check_timer() {
    if (!machine::has_timer()) {
        return fail("the machine has no timer where the library expects it (CLINT)");
    }
    return platform_facts().timebase_hz != 0
               ? Status::Ok
               : fail(
                     "the platform does not tell the frequency of its timer: perfSetPlatform does");
}

void start_timer(HartState& hart, int interval) {
    const int microseconds = interval < kShortestInterval ? kShortestInterval : interval;
    hart.interval =
        static_cast<uint64_t>(microseconds) * platform_facts().timebase_hz / kMicrosecondsPerSecond;
    hart.interval = hart.interval != 0 ? hart.interval : 1;
    hart.deadline = machine::time() + hart.interval;
    machine::set_time_limit(hart.deadline);
    machine::start_timer_interrupts();
}

} // namespace pes::perf

using namespace pes::perf;

// Interrupts are masked by the trap.
void perfTimerInterrupt(uintptr_t pc) {
    HartState* hart = this_hart();
    if (hart == nullptr || hart->collection != Collection::Timer) {
        machine::set_time_limit(kNever); // left over from an earlier initialisation
        return;
    }
    if (hart->recording) {
        (void)write_record(*hart, pes::perf_record::RecordKind::Interrupt,
                           {.address = pc, .caller = 0});
    }
    const uint64_t now = machine::time();
    hart->deadline += hart->interval;
    if (now >= hart->deadline) [[unlikely]] { // only then is a division worth its time
        hart->deadline += hart->interval * ((now - hart->deadline) / hart->interval + 1);
    }
    machine::set_time_limit(hart->deadline);
}
