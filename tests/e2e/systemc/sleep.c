// SPDX-License-Identifier: Apache-2.0
// Sleeps until the timer interrupt of cycle 60 000 and says when it has woken up.
#include "runtime.h"

#define READ_CSR(name)                                                                             \
    ({                                                                                             \
        uint64_t value;                                                                            \
        __asm__ volatile("csrr %0, " #name : "=r"(value)::"memory");                               \
        value;                                                                                     \
    })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" ::"r"((uint64_t)(value)))

static volatile uint64_t woken;

__attribute__((interrupt("machine"), aligned(4))) static void interrupted(void) {
    woken = READ_CSR(mcycle);
    WRITE_CSR(mie, 0);
}

int main(void) {
    *(volatile uint64_t*)0x02004000 = 15000; // 4 cycles each
    WRITE_CSR(mtvec, (uintptr_t)interrupted);
    WRITE_CSR(mie, 1 << 7);
    __asm__ volatile("csrsi mstatus, 8");
    while (woken == 0) {
        __asm__ volatile("wfi");
    }
    print("woken ");
    print_number(woken);
    print("\n");
    *(volatile uint32_t*)0x00100000 = 0x5555;
    return 0;
}
