// SPDX-License-Identifier: Apache-2.0
/*
 * Counters at the entry and exit of every function, from a program under Linux:
 *
 *   cd /usr/share/pes-vp/linux && bash build_module.sh --suite trixie ~/linux
 *   pes-vp exec --prepare --suite trixie --module ~/linux/pes_trace.ko
 *   L=/usr/share/pes-vp/linux
 *   riscv64-linux-gnu-gcc -O1 -g -finstrument-functions -I $L/perf -c partitions.c
 *   riscv64-linux-gnu-gcc -O2 -I $L/perf -I $L/trace -c $L/perf/sifive_linux_perf.c
 *   riscv64-linux-gnu-gcc -static partitions.o sifive_linux_perf.o -o partitions.elf
 *   pes-vp exec --write -- taskset 1 ./partitions.elf
 *   pes-decode trace trace.rtd --elf partitions.elf --perf
 */
#include "sifive_linux_perf.h"

#include <stdio.h>

static perfEvent events[] = {
    {.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
    {.type = perfEventHWGeneral, .code = HW_TIMESTAMP},
    {.type = perfEventHWGeneral, .code = HW_INSTRUCTIONS},
    {.type = perfEventHWGeneral, .code = HW_CACHE_MISSES},
};

/* In how many ways n is a sum of numbers up to most. */
static unsigned partitions(int n, int most) {
    if (n == 0) {
        return 1;
    }
    if (n < 0 || most == 0) {
        return 0;
    }
    return partitions(n - most, most) + partitions(n, most - 1);
}

__attribute__((no_instrument_function)) static int failed(const char* call) {
    fprintf(stderr, "%s: %s\n", call, perfLastError());
    return 1;
}

__attribute__((no_instrument_function)) int main(void) {
    /* One hart, no funnel; into 512 KiB of memory. */
    if (perfInit(1, 0) != 0) {
        return failed("perfInit");
    }
    if (perfFuncEntryExitInit(events, sizeof events / sizeof events[0], 6, perfCount_Delta,
                              512 * 1024) != 0) {
        return failed("perfFuncEntryExitInit");
    }
    if (perfTraceOn() != 0) {
        return failed("perfTraceOn");
    }
    printf("%u partitions\n", partitions(12, 12));
    perfTraceOff();
    return perfWriteTrace(NULL) == 0 ? 0 : failed("perfWriteTrace");
}
