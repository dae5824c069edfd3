// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// polling: CLINT time, PLIC claim and enable words, UART line status; and reads mixed with work
long run(void) {
    u64 s = 0;
    volatile u32* plic = (volatile u32*)0x0C000000ul;
    volatile u8* uart = (volatile u8*)0x10000000ul;
    for (int i = 0; i < 40; i++) {
        u64 t = MTIME;
        while (MTIME - t < 3)
            ;
    }
    for (int i = 0; i < 40; i++) {
        plic[0x2000 / 4] = i << 1;
        s += plic[0x200004 / 4];
        s += plic[0x2000 / 4];
        plic[4 * (i & 7) / 4 + 1] = i & 7;
    }
    for (int i = 0; i < 40; i++) {
        while (!(uart[5 * 4] & 0x20))
            ;
        s += i;
    }
    for (int i = 0; i < 30; i++) {
        MSIP = 0;
        s += i * s;
        MTIMECMP = -1ul - i;
        s += s >> 5;
        s += MSIP;
    }
    plic[0x2000 / 4] = 0;
    return 0;
}
