// SPDX-License-Identifier: Apache-2.0
/*
 * Records of the trace performance library at each entry and exit of a function, in fib.perf:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g -finstrument-functions \
 *       fib.c -o fib.elf
 *   pes-vp run fib.elf --guest-files .
 *   pes-decode trace fib.rtd --elf fib.elf --perf --fixed
 */
#include <sifive_bare_perf.h>
#include <stdio.h>

__attribute__((noipa)) static unsigned fib(unsigned n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((no_instrument_function)) int main(void) {
    perfEvent events[] = {
        {.type = perfEventHWGeneral, .code = HW_CPU_CYCLES},
        {.type = perfEventHWGeneral, .code = HW_TIMESTAMP},
    };
    if (perfInit(1, 0) != 0 || perfFuncEntryExitInit(events, 2, 6, perfCount_Raw, 0) != 0 ||
        perfTraceOn() != 0) {
        printf("%s\n", perfLastError());
        return 1;
    }
    const unsigned result = fib(8);
    if (perfTraceOff() != 0 || perfWriteTrace("fib.rtd") != 0) {
        printf("%s\n", perfLastError());
        return 1;
    }
    printf("fib(8) = %u, %lu records lost\n", result, (unsigned long)perfLostRecords());
    return 0;
}
