// SPDX-License-Identifier: Apache-2.0
// Sorts under interrupts of a counter, which come through the PLIC, and of the timer, for which it
// also sleeps. What it prints depends on the cycle of each of them.
#include "runtime.h"

#define READ_CSR(name)                                                                             \
    ({                                                                                             \
        uint64_t value;                                                                            \
        __asm__ volatile("csrr %0, " #name : "=r"(value)::"memory");                               \
        value;                                                                                     \
    })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"(value) : "memory")
#define SET_CSR(name, value) __asm__ volatile("csrs " #name ", %0" ::"r"(value) : "memory")
#define MMIO(type, address) (*(volatile type*)(uintptr_t)(address))

enum { kNumbers = 400, kMispredict = 0xA, kThreshold = 25, kThresholdId = 8, kPeriod = 700 };
enum { kTimerInterrupt = 7, kExternalInterrupt = 11, kGlobalEnable = 8 };
#define kMtimecmp 0x02004000
#define kMtime 0x0200BFF8
#define kPlic 0x0C000000
#define kFinisher 0x00100000

static uint32_t numbers[kNumbers];
static volatile unsigned samples, ticks;
static volatile uint64_t sum_of_cycles; // at each interrupt

static void arm_counter(void) {
    WRITE_CSR(mhpmcounter3, (uint64_t)0);
    WRITE_CSR(0xB23, (uint64_t)kThreshold); // of mhpmcounter3: docs/pes.md
}

__attribute__((interrupt("machine"), aligned(4))) static void interrupted(void) {
    sum_of_cycles += READ_CSR(mcycle);
    if ((READ_CSR(mcause) & 0xFF) == kTimerInterrupt) {
        ++ticks;
        MMIO(uint64_t, kMtimecmp) = MMIO(uint64_t, kMtime) + kPeriod;
        return;
    }
    const uint32_t id = MMIO(uint32_t, kPlic + 0x200004);
    if (id == kThresholdId) { // 0: the line has fallen meanwhile
        ++samples;
        arm_counter();
        MMIO(uint32_t, kPlic + 0x200004) = id;
    }
}

static void sort(void) {
    for (int i = 1; i < kNumbers; ++i) {
        const uint32_t number = numbers[i];
        int at = i;
        for (; at > 0 && numbers[at - 1] > number; --at) {
            numbers[at] = numbers[at - 1];
        }
        numbers[at] = number;
    }
}

static void tell(const char* what, uint64_t count) {
    print(what);
    print_number(count);
    print("\n");
}

int main(void) {
    uint32_t state = 1;
    for (int i = 0; i < kNumbers; ++i) {
        state = state * 1664525 + 1013904223;
        numbers[i] = state;
    }
    WRITE_CSR(mtvec, (uintptr_t)interrupted);
    WRITE_CSR(mhpmevent3, (uint64_t)kMispredict);
    arm_counter();
    MMIO(uint32_t, kPlic + 4 * kThresholdId) = 1;      // priority
    MMIO(uint32_t, kPlic + 0x2000) = 1 << kThresholdId; // enabled in context 0
    MMIO(uint64_t, kMtimecmp) = MMIO(uint64_t, kMtime) + kPeriod;
    WRITE_CSR(mie, (uint64_t)(1 << kTimerInterrupt | 1 << kExternalInterrupt));
    SET_CSR(mstatus, (uint64_t)kGlobalEnable);
    sort();
    for (const unsigned before = ticks; ticks < before + 3;) {
        __asm__ volatile("wfi");
    }
    WRITE_CSR(mie, (uint64_t)0);
    tell("samples       ", samples);
    tell("timer ticks   ", ticks);
    tell("at cycles     ", sum_of_cycles);
    tell("instructions  ", READ_CSR(minstret));
    tell("cycles        ", READ_CSR(mcycle));
    MMIO(uint32_t, kFinisher) = 0x5555;
    return 0;
}
