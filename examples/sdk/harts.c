// SPDX-License-Identifier: Apache-2.0
/*
 * A sum on all harts, and what each of them took:
 *
 *   riscv64-unknown-elf-gcc --specs=/usr/share/pes-vp/sdk/pes.specs -O2 -g \
 *       harts.c -o harts.elf
 *   pes-vp run harts.elf --set harts=4
 */
#include <errno.h>
#include <pes.h>
#include <stdio.h>

enum { kNumbers = 32768, kMostHarts = 8 };
static int g_numbers[kNumbers];
static unsigned g_harts = 1;
static long g_sum;
static pes_lock g_sum_lock;

static void sum_part(void* argument) {
    const unsigned part = (unsigned)(uintptr_t)argument;
    const uint64_t cycles = pes_cycles();
    long sum = 0;
    for (unsigned i = part; i < kNumbers; i += g_harts) {
        sum += g_numbers[i];
    }
    pes_acquire(&g_sum_lock);
    g_sum += sum;
    pes_release(&g_sum_lock);
    printf("hart %u: %lu cycles\n", pes_hart_id(), (unsigned long)(pes_cycles() - cycles));
}

static void nothing(void* argument) {
    (void)argument;
}

int main(void) {
    for (int i = 0; i < kNumbers; ++i) {
        g_numbers[i] = i;
    }
    while (g_harts < kMostHarts && pes_hart_start(g_harts, nothing, NULL) == 0) {
        ++g_harts;
    }
    for (unsigned hart = 1; hart < g_harts; ++hart) {
        while (pes_hart_runs(hart)) {
        }
        pes_hart_start(hart, sum_part, (void*)(uintptr_t)hart);
    }
    sum_part(NULL);
    for (unsigned hart = 1; hart < g_harts; ++hart) {
        while (pes_hart_runs(hart)) {
        }
    }
    printf("%u harts: %ld\n", g_harts, g_sum);
    return g_sum == (long)kNumbers * (kNumbers - 1) / 2 ? 0 : 1;
}
