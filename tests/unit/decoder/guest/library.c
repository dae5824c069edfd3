// SPDX-License-Identifier: Apache-2.0
// Draws in what a C library has of every kind of instruction: floating point of both widths with
// its rounding modes, atomics, CSRs, multiplication and division.
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int counter;
static _Atomic unsigned pointer_counter;

static int compare(const void* a, const void* b) { return strcmp(a, b); }

static int swap_counters(void) {
    int expected = 4;
    counter += 2;
    atomic_fetch_or(&pointer_counter, 3);
    atomic_fetch_and_explicit(&counter, 3, memory_order_acquire);
    atomic_exchange_explicit(&pointer_counter, 4, memory_order_release);
    atomic_thread_fence(memory_order_acq_rel);
    return atomic_compare_exchange_strong(&counter, &expected, 5);
}

int main(void) {
    char text[200];
    const double x = strtod("1.5", NULL);
    unsigned long cycles = 0, status = 0;
    snprintf(text, sizeof text, "%g %a %d %lld %s", sin(x), pow(x, cosf(x)), swap_counters(),
             (long long)x, "text");
    qsort(text, 5, 1, compare);
    __asm__ volatile("csrr %0, cycle\n csrr %1, mstatus\n csrw mscratch, %0\n csrsi mie, 8\n"
                     "csrr %0, hpmcounter3\n csrw mhpmevent31, %1\n csrr %0, 0x7c0\n"
                     "csrrw %1, pmpaddr0, %0\n csrw satp, x0\n sfence.vma\n sfence.vma a0, a1\n"
                     "fence\n .option arch, +zifencei\n fence.i\n fence.tso\n fence r, w\n wfi\n ebreak\n ecall\n sret\n mret"
                     : "=r"(cycles), "=r"(status));
    return (int)(fmaf(x, x, x) + fma(x, x, -x) + sqrt(x) + lrint(x) + lrintf(x) + rint(x) +
                 exp(x) + tgammaf(x) + (double)cycles / (double)status);
}
