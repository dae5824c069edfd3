// SPDX-License-Identifier: Apache-2.0
// The trace performance library around a benchmark's main: from its timer, every INTERVAL
// microseconds, a record of the first COUNTERS of the six counters of the benchmarks (their events
// are those of the start-up code). With COUNTERS 0 the timer interrupts all the same, and nothing is
// recorded. The benchmark is bench_main (wrapped.c).
#include "firmware/perf/perf.h"

#include "platform.h"

#if !defined(INTERVAL) || !defined(COUNTERS) || !defined(BUFFER)
#error "the build gives INTERVAL, COUNTERS and BUFFER"
#endif

#define STIMULUS 6 /* where decoders expect performance records */

/* BUFFER bytes hold all records of a run. */
static unsigned char pool[BUFFER] __attribute__((aligned(64)));

/* Exit codes: above those of pes-vp itself. */
enum { kSetUpFailed = 11, kRecordsLost };

int bench_main(void);

int main(void) {
    static const unsigned long kSelectors[] = {1, 2, 5, 6, 9, 10};
    enum { kMost = sizeof kSelectors / sizeof *kSelectors };
    perfEvent events[kMost];
    for (unsigned i = 0; i < kMost; ++i) {
        events[i].type = perfEventHWRaw;
        events[i].event_data = kSelectors[i];
    }
    const perfPlatform platform = {PES_CLOCK_HZ, PES_TIMEBASE_HZ, pool, sizeof pool};
    if (perfSetPlatform(&platform) != 0 || perfInit(1, 0) != 0 ||
        perfTimerISRInit(events, COUNTERS ? COUNTERS : kMost, STIMULUS, perfCount_Raw, BUFFER,
                         INTERVAL) != 0 ||
        (COUNTERS && perfTraceOn() != 0)) {
        return kSetUpFailed;
    }
    const int status = bench_main();
    __asm__ volatile("csrci mstatus, 8"); /* MIE, which the library has set */
    perfTraceOff();
    return perfLostRecords() == 0 ? status : kRecordsLost;
}
