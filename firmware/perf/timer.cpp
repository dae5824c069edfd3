// SPDX-License-Identifier: Apache-2.0
#include "firmware/perf/timer.h"

#include "firmware/perf/record.h"

namespace pes::perf {

namespace {

constexpr uint64_t kNever = ~uint64_t{0};

} // namespace

void start_timer(HartState& hart, int interval) {
    const int microseconds = interval < kShortestInterval ? kShortestInterval : interval;
    hart.interval = machine::ticks_in(static_cast<uint64_t>(microseconds));
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
                           {.address = pc, .call_site = 0});
    }
    const uint64_t now = machine::time();
    hart->deadline += hart->interval;
    if (now >= hart->deadline) [[unlikely]] { // only then is a division worth its time
        hart->deadline += hart->interval * ((now - hart->deadline) / hart->interval + 1);
    }
    machine::set_time_limit(hart->deadline);
}
