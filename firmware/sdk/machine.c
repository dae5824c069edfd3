// SPDX-License-Identifier: Apache-2.0
// Machine mode: the host-target interface (docs/sbi.md, Host files), software interrupts of the
// CLINT.
#include "firmware/sdk/below.h"
#include <pes.h>
#include <pes_platform.h>

const char pes_trap_format[] = "mcause %#lx, mepc %#lx, mtval %#lx";

/// Weak: the trace performance library has them too.
__attribute__((aligned(64), section(".tohost"), used, weak)) volatile uint64_t tohost;
__attribute__((aligned(64), section(".tohost"), used, weak)) volatile uint64_t fromhost;

long pes_host_call(enum HostCall number, uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
    static volatile uint64_t block[8] __attribute__((aligned(64)));
    static pes_lock lock;
    pes_acquire(&lock);
    block[0] = number;
    block[1] = a;
    block[2] = b;
    block[3] = c;
    block[4] = d;
    fromhost = 0;
    __asm__ volatile("fence" ::: "memory");
    tohost = (uint64_t)&block[0];
    while (fromhost == 0) {
    }
    __asm__ volatile("fence" ::: "memory");
    const long result = (long)block[0];
    pes_release(&lock);
    return result;
}

long pes_console_write(const char* text, size_t size) {
    return pes_host_call(kWrite, 1, (uint64_t)text, size, 0);
}

_Noreturn void pes_end_run(uint32_t code) {
    for (;;) {
        tohost = (uint64_t)code << 1 | 1;
    }
}

extern volatile uint32_t pes_harts_there; ///< bit n: hart n waits for work (crt0.S)

static volatile uint32_t* software_interrupt(unsigned hart) {
    return (volatile uint32_t*)(uintptr_t)PES_CLINT_BASE + hart;
}

bool pes_wake_hart(unsigned hart) {
    enum { kPatience = 10000 }; // all harts start together, this one had .bss to clear
    for (int look = 0; (pes_harts_there >> hart & 1) == 0; ++look) {
        if (look == kPatience) {
            return false;
        }
    }
    *software_interrupt(hart) = 1;
    return true;
}

void pes_hart_woken(unsigned hart) {
    *software_interrupt(hart) = 0;
    while ((PES_READ_CSR(mip) & 8) != 0) { // the wire takes its time
    }
}
