// SPDX-License-Identifier: Apache-2.0
// What weather.c needs inside Linux: its output, and records of the trace performance library from
// before main to behind it. docs/tutorial.md has the commands.
#include "runtime.h"
#include "sifive_linux_perf.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static perfEvent events[] = {
    {.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
    {.type = perfEventHWGeneral, .code = HW_INSTRUCTIONS},
    {.type = perfEventHWGeneral, .code = HW_CACHE_MISSES},
    {.type = perfEventHWGeneral, .code = HW_BRANCH_MISSES},
};

static void check(int result) {
    if (result != 0) {
        fprintf(stderr, "%s\n", perfLastError());
        exit(1);
    }
}

// One hart, no funnel; into 64 KiB of memory.
__attribute__((constructor)) static void begin(void) {
    check(perfInit(1, 0));
    check(perfFuncEntryExitInit(events, sizeof events / sizeof events[0], 6, perfCount_Delta,
                                64 * 1024));
    check(perfTraceOn());
}

__attribute__((destructor)) static void end(void) {
    if (perfTraceOff() == 0) {
        check(perfWriteTrace("weather.rtd"));
    }
}

void print(const char* text) {
    fputs(text, stdout);
}

void print_number(uint64_t value) {
    printf("%" PRIu64, value);
}
