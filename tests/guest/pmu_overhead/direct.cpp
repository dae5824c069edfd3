// SPDX-License-Identifier: Apache-2.0
// Counting with SBI calls alone. Like a driver it asks for every counter once; values are read by
// CSR.
#include "firmware/boot/indexed_csr.h"
#include "firmware/supervisor/sbi_call.h"
#include "tests/guest/pmu_overhead/ways.h"

namespace pes::overhead {

namespace {

constexpr unsigned kMaxCounters = 32;

unsigned event_count;
uint64_t counter[kMaxEvents];
uint64_t started; ///< set of counters
uint64_t first_value[kMaxEvents];
uint64_t counter_info[kMaxCounters];

uint64_t read_counter(uint64_t n) {
    return read_user_counter(static_cast<unsigned>(n));
}

void initialise(const Event* events, unsigned count) {
    const uint64_t counters = sbi_call(sbi::kPmu, sbi::pmu::kNumCounters).value;
    uint64_t all = 0;
    for (uint64_t n = 0; n < counters && n < kMaxCounters; ++n) {
        const sbi::Result info = sbi_call(sbi::kPmu, sbi::pmu::kCounterGetInfo, n);
        counter_info[n] = info.error == sbi::kSuccess ? info.value : 0;
        all |= info.error == sbi::kSuccess ? uint64_t{1} << n : 0;
    }
    event_count = count;
    started = 0;
    for (unsigned i = 0; i < count; ++i) {
        const sbi::Result result =
            sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, 0, all,
                     sbi::pmu::kConfigClearValue, events[i].event, events[i].data);
        require(result.error == sbi::kSuccess, "a counter for each event");
        counter[i] = result.value;
        started |= uint64_t{1} << result.value;
    }
}

void start() {
    for (unsigned i = 0; i < event_count; ++i) {
        first_value[i] = read_counter(counter[i]);
    }
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStart, 0, started);
}

void read(long long* values) {
    for (unsigned i = 0; i < event_count; ++i) {
        values[i] = static_cast<long long>(read_counter(counter[i]) - first_value[i]);
    }
}

void stop_and_read(long long* values) {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, 0, started);
    read(values);
}

void terminate() {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, 0, started, sbi::pmu::kStopReset);
}

} // namespace

const Way kDirect{"SBI", initialise, start, read, stop_and_read, terminate};

} // namespace pes::overhead
