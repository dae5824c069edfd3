// SPDX-License-Identifier: Apache-2.0
// Counts of loops whose instructions are known. A run of 2 n iterations less one of n leaves what n
// iterations count, without the library's share.
#include "platform.h"
#include "tests/guest/papi_test/check.h"
#include "tests/guest/papi_test/kernels.h"
#include "tests/guest/papi_test/tests.h"

extern "C" long long loads_from_c(long iterations);

namespace pes::papi_test {

namespace {

constexpr long kIterations = 1000;

/// Values of `events` for `iterations` of the loop.
void measure(int* events, int count, long iterations, long long* values) {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_events(set, events, count), PAPI_OK);
    for (int round = 0; round < 2; ++round) { // the first fills the caches
        expect("start", PAPI_start(set), PAPI_OK);
        mixed_loop(iterations);
        expect("stop", PAPI_stop(set, values), PAPI_OK);
    }
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

void expect_per_iteration(const char* what, int event, long long expected) {
    int events[] = {event};
    long long once[1];
    long long twice[1];
    measure(events, 1, kIterations, once);
    measure(events, 1, 2 * kIterations, twice);
    expect(what, twice[0] - once[0], expected * kIterations);
}

} // namespace

void test_derived() {
    expect_between("loads counted from C", loads_from_c(kIterations), kIterations,
                   kIterations + 100);
    expect_per_iteration("instructions", PAPI_TOT_INS, 5);
    expect_per_iteration("loads", PAPI_LD_INS, 1);
    expect_per_iteration("stores", PAPI_SR_INS, 1);
    expect_per_iteration("branches", PAPI_BR_INS, 1);
    expect_per_iteration("integer instructions", PAPI_INT_INS, 2);
    int native = 0;
    expect("native", PAPI_event_name_to_code("store", &native), PAPI_OK);
    expect_per_iteration("native stores", native, 1);
    if (PAPI_num_hwctrs() >= 4) {
        expect_per_iteration("loads and stores, a sum", PAPI_LST_INS, 2);
        expect_per_iteration("branches predicted, a difference", PAPI_BR_PRC, 1);
    }
    if (PAPI_num_hwctrs() >= 5) {
        expect_per_iteration("L1 data hits, an expression", PAPI_L1_DCH, 2);
        int together[] = {PAPI_LST_INS, PAPI_BR_INS, PAPI_SR_INS};
        long long once[3];
        long long twice[3];
        measure(together, 3, kIterations, once);
        measure(together, 3, 2 * kIterations, twice);
        expect("sum beside others", twice[0] - once[0], 2 * kIterations);
        expect("branches beside others", twice[1] - once[1], kIterations);
        expect("a shared term", twice[2] - once[2], kIterations);
    }
}

void test_counting() {
    int set = PAPI_NULL;
    expect("create", PAPI_create_eventset(&set), PAPI_OK);
    expect("add", PAPI_add_event(set, PAPI_LD_INS), PAPI_OK);
    long long first = -1;
    long long second = -1;
    long long stopped = -1;
    expect("start", PAPI_start(set), PAPI_OK);
    expect("read", PAPI_read(set, &first), PAPI_OK);
    mixed_loop(kIterations);
    expect("read again", PAPI_read(set, &second), PAPI_OK);
    expect_between("loads in between, the library's own included", second - first, kIterations,
                   kIterations + 200);
    expect("stop", PAPI_stop(set, &stopped), PAPI_OK);
    mixed_loop(kIterations);
    expect("read of a stopped set", PAPI_read(set, &first), PAPI_OK);
    expect("has the last values", first, stopped);

    expect("start from zero", PAPI_start(set), PAPI_OK);
    expect("read", PAPI_read(set, &first), PAPI_OK);
    expect_between("few loads", first, 0, 200);
    mixed_loop(kIterations);
    long long sum = 1'000'000;
    expect("accumulate", PAPI_accum(set, &sum), PAPI_OK);
    expect_between("the sum", sum, 1'000'000 + kIterations, 1'000'000 + kIterations + 300);
    expect("read", PAPI_read(set, &first), PAPI_OK);
    expect_between("accumulate resets", first, 0, 200);
    mixed_loop(kIterations);
    expect("reset", PAPI_reset(set), PAPI_OK);
    expect("read", PAPI_read(set, &first), PAPI_OK);
    expect_between("after a reset", first, 0, 200);
    long long written = 5'000'000;
    expect("write", PAPI_write(set, &written), PAPI_OK);
    mixed_loop(kIterations);
    long long cycle = 0;
    const long long before = PAPI_get_real_cyc();
    expect("read with time", PAPI_read_ts(set, &first, &cycle), PAPI_OK);
    expect_between("counts go on from what was written", first, 5'000'000 + kIterations,
                   5'000'000 + kIterations + 300);
    expect_between("its time", cycle, before, PAPI_get_real_cyc());
    expect("stop", PAPI_stop(set, nullptr), PAPI_OK);
    expect("accumulate nowhere", PAPI_accum(set, nullptr), PAPI_EINVAL);
    expect("write from nowhere", PAPI_write(set, nullptr), PAPI_EINVAL);
    PAPI_cleanup_eventset(set);
    PAPI_destroy_eventset(&set);
}

void test_timers() {
    constexpr long kLong = 200'000;
    const long long cycle = PAPI_get_real_cyc();
    const long long nanosecond = PAPI_get_real_nsec();
    const long long microsecond = PAPI_get_real_usec();
    const long long virtual_microsecond = PAPI_get_virt_usec();
    mixed_loop(kLong);
    const long long microseconds = PAPI_get_real_usec() - microsecond;
    const long long nanoseconds = PAPI_get_real_nsec() - nanosecond;
    const long long cycles = PAPI_get_real_cyc() - cycle;
    const long long virtual_microseconds = PAPI_get_virt_usec() - virtual_microsecond;
    constexpr long long kMegahertz = PES_CLOCK_HZ / 1'000'000;
    expect_between("cycles", cycles, 2 * kLong, 20 * kLong);
    expect_between("microseconds", microseconds, cycles / kMegahertz - 20,
                   cycles / kMegahertz + 20);
    expect_between("nanoseconds", nanoseconds, 1000 * (microseconds - 20),
                   1000 * (microseconds + 20));
    expect_between("virtual microseconds", virtual_microseconds, microseconds - 20,
                   microseconds + 20);
    expect_between("virtual cycles since init", PAPI_get_virt_cyc(), cycles, PAPI_get_real_cyc());
    expect_between("virtual nanoseconds", PAPI_get_virt_nsec(), 1000 * virtual_microseconds,
                   PAPI_get_real_nsec());
}

void test_high_level() {
    expect("end of no region", PAPI_hl_region_end("loop"), PAPI_ENOTRUN);
    expect("unknown events", PAPI_hl_set_events("PAPI_TOT_INS,PAPI_NONSENSE"), PAPI_ENOEVNT);
    expect("events", PAPI_hl_set_events("PAPI_LD_INS,PAPI_TOT_INS"), PAPI_OK);
    for (int round = 0; round < 3; ++round) {
        expect("begin", PAPI_hl_region_begin("loop"), PAPI_OK);
        mixed_loop(kIterations);
        expect("read", PAPI_hl_read("loop"), PAPI_OK);
        mixed_loop(kIterations);
        expect("end", PAPI_hl_region_end("loop"), PAPI_OK);
    }
    expect("begin", PAPI_hl_region_begin("outer"), PAPI_OK);
    expect("begin inside", PAPI_hl_region_begin("inner"), PAPI_OK);
    expect("begin twice", PAPI_hl_region_begin("inner"), PAPI_EINVAL);
    expect("end inside", PAPI_hl_region_end("inner"), PAPI_OK);
    expect("end", PAPI_hl_region_end("outer"), PAPI_OK);
    expect("end twice", PAPI_hl_region_end("outer"), PAPI_EINVAL);
    expect("stop", PAPI_hl_stop(), PAPI_OK);
    expect("stop twice", PAPI_hl_stop(), PAPI_ENOTRUN);
    PAPI_hl_print_output();
}

} // namespace pes::papi_test
