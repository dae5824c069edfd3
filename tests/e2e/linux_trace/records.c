/* SPDX-License-Identifier: Apache-2.0 */
/* Records around loops whose instructions, loads and stores are known, by each kind of record.
 * Arguments: harts, funnels, kind: manual, calls, timer, threads; then bytes of the buffer. */
#define _GNU_SOURCE
#include "sifive_linux_perf.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SILENT __attribute__((no_instrument_function, noinline))

static perfEvent events[] = {
    {.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
    {.type = perfEventHWGeneral, .code = HW_TIMESTAMP},
    {.type = perfEventHWGeneral, .code = HW_INSTRUCTIONS},
    {.type = perfEventHWRaw, .event_data = 5}, /* loads */
    {.type = perfEventHWRaw, .event_data = 6}, /* stores */
};
enum { kEvents = sizeof events / sizeof events[0] };

/* 4 n instructions, n of them loads and n stores, beside those that there are for n = 0. */
SILENT static void loop(unsigned long n) {
    static long word;
    __asm__ volatile("beqz %0, 2f\n"
                     "1: ld t0, 0(%1)\n"
                     "addi %0, %0, -1\n"
                     "sd t0, 0(%1)\n"
                     "bnez %0, 1b\n"
                     "2:"
                     : "+r"(n)
                     : "r"(&word)
                     : "t0", "memory");
}

/* 2^(n+1) - 1 calls. */
__attribute__((noinline)) unsigned long tree(unsigned n) {
    return n == 0 ? 1 : tree(n - 1) + tree(n - 1) + 1;
}

SILENT static void need(int result, const char* call) {
    if (result != 0) {
        printf("%s: %s\n", call, perfLastError());
        exit(1);
    }
}

enum { kRecordsOfAThread = 20 };
static uint32_t buffer_bytes;

/* On a hart of its own. */
SILENT static void* record_on(void* hart) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((size_t)hart, &set);
    sched_setaffinity(0, sizeof set, &set);
    need(perfManualInit(events, kEvents, 6, perfCount_Delta, buffer_bytes), "perfManualInit");
    need(perfTraceOn(), "perfTraceOn");
    for (unsigned n = 0; n < kRecordsOfAThread; ++n) {
        loop(1000);
        need(perfWriteCntrs(), "perfWriteCntrs");
    }
    return NULL;
}

SILENT static void record_on_both(void) {
    pthread_t other;
    if (pthread_create(&other, NULL, record_on, (void*)1) != 0) {
        exit(1);
    }
    record_on((void*)0);
    pthread_join(other, NULL);
}

SILENT int main(int count, char** words) {
    if (count != 5) {
        return 2;
    }
    const char* const kind = words[3];
    const uint32_t bytes = buffer_bytes = (uint32_t)strtoul(words[4], NULL, 0);
    need(perfInit(atoi(words[1]), atoi(words[2])), "perfInit");
    if (strcmp(kind, "manual") == 0) {
        need(perfManualInit(events, kEvents, 6, perfCount_Raw, bytes), "perfManualInit");
        need(perfTraceOn(), "perfTraceOn");
        for (unsigned long n = 0; n <= 1000; n = n == 0 ? 1 : n * 10) {
            need(perfWriteCntrs(), "perfWriteCntrs");
            loop(n);
            need(perfWriteCntrs(), "perfWriteCntrs");
        }
    } else if (strcmp(kind, "calls") == 0) {
        need(perfFuncEntryExitInit(events, kEvents, 6, perfCount_DeltaXOR, bytes),
             "perfFuncEntryExitInit");
        need(perfTraceOn(), "perfTraceOn");
        printf("%lu\n", tree(5));
    } else if (strcmp(kind, "threads") == 0) {
        record_on_both();
    } else {
        need(perfTimerISRInit(events, kEvents, 6, perfCount_Delta, bytes, 1000),
             "perfTimerISRInit");
        need(perfTraceOn(), "perfTraceOn");
        for (unsigned i = 0; i < 100; ++i) {
            loop(100000);
        }
    }
    need(perfTraceOff(), "perfTraceOff");
    need(perfWriteTrace(NULL), "perfWriteTrace");
    return 0;
}
