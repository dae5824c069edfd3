// SPDX-License-Identifier: Apache-2.0
/*
 * Supervisor mode: a counter through the SBI's PMU extension, as an operating system has it. For
 * this project's firmware, OpenSBI and QEMU alike:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes-supervisor.specs -O2 -g \
 *       supervisor.c -o supervisor.elf
 *   pes-vp run --firmware /usr/share/pes-vp/pes_firmware.elf --kernel supervisor.elf
 */
#include <pes.h>
#include <pes_sbi.h>
#include <stdio.h>

enum { kL1dReadMiss = 0x10001 }; // event of the SBI: cache event, L1D, read, miss

static uint64_t counter_value(long counter) {
    switch (counter) { // a CSR's number is part of its instruction
    case 3:
        return PES_READ_CSR(hpmcounter3);
    case 4:
        return PES_READ_CSR(hpmcounter4);
    case 5:
        return PES_READ_CSR(hpmcounter5);
    default:
        return 0;
    }
}

int main(void) {
    // A counter of 3 to 5 that can count the event, from 0 on.
    const struct sbiret counter = pes_sbi_call(SBI_EXT_PMU, SBI_EXT_PMU_COUNTER_CFG_MATCH, 3, 0x7,
                                               SBI_PMU_CFG_FLAG_CLEAR_VALUE, kL1dReadMiss, 0);
    if (counter.error != SBI_SUCCESS) {
        printf("no counter for misses of the data cache: error %ld\n", counter.error);
        return 2;
    }
    pes_sbi_call(SBI_EXT_PMU, SBI_EXT_PMU_COUNTER_START, counter.value, 1,
                 SBI_PMU_START_FLAG_SET_INIT_VALUE, 0, 0);
    static volatile uint64_t table[64 * 1024]; // 512 KiB; a line of the cache has 16 bytes
    const uint64_t cycles = pes_cycles();
    for (unsigned i = 0; i < sizeof table / sizeof table[0]; i += 8) {
        (void)table[i];
    }
    printf("hart %u: %lu misses in %lu cycles\n", pes_hart_id(),
           (unsigned long)counter_value(counter.value), (unsigned long)(pes_cycles() - cycles));
    return 0;
}
