// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// timer interrupts (about every 150 ticks = 600 cycles) during a sort; M handler re-arms and counts
volatile u64 ticks_seen;
static int arr[256];
__attribute__((naked, aligned(64))) static void m_trap(void) {
    __asm__ volatile(
        "addi sp,sp,-32\n sd t0,0(sp)\n sd t1,8(sp)\n sd t2,16(sp)\n li t0,0x2004000\n ld "
        "t1,0(t0)\n addi t1,t1,150\n sd t1,0(t0)\n la t0,ticks_seen\n ld t1,0(t0)\n addi t1,t1,1\n "
        "sd t1,0(t0)\n li t0,0x2004000\n ld t1,0(t0)\n ld t0,0(sp)\n ld t1,8(sp)\n ld t2,16(sp)\n "
        "addi sp,sp,32\n mret\n");
}
static void sort(int* a, int n) {
    for (int i = 1; i < n; i++) {
        int v = a[i], j = i;
        while (j > 0 && a[j - 1] > v) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = v;
    }
}
static u64 old;
void setup(void) {
    u64 x = 12345;
    for (int i = 0; i < 256; i++) {
        x = x * 6364136223846793005ul + 1442695040888963407ul;
        arr[i] = x >> 40;
    }
    ticks_seen = 0;
    old = CSRR("mtvec");
}
long run(void) {
    CSRW("mtvec", m_trap);
    u64 t = MTIME;
    while (MTIME == t)
        ; // phase
    MTIMECMP = MTIME + 150;
    CSRW("mie", 0x80ul);
    CSRS("mstatus", 8ul);
    sort(arr, 128);
    CSRC("mstatus", 8ul);
    CSRW("mie", 0ul);
    CSRW("mtvec", old);
    return ticks_seen;
}
