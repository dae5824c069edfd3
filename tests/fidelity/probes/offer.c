// SPDX-License-Identifier: Apache-2.0
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 buf[512] __attribute__((aligned(4096)));
// Instructions that decode refuses, behind writers of the registers that their fields name.
// counters: 3=pipeline stall(22) 4=scoreboard full(14); each case: cycles, stall, full
#define T(name, body)                                                                              \
    __attribute__((noinline, aligned(64))) static void name(u64* p, volatile u64* o) {             \
        long a, b, c;                                                                              \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n li t5,-1\n ld t0,0(%3)\n li t1,3\n li t2,1\n slli "     \
            "t2,t2,40\n csrw mcountinhibit,t5\n csrw mcycle,x0\n csrw 0xb03,x0\n csrw 0xb04,x0\n " \
            "fence\n nop\n "                                                                       \
            "nop\n nop\n nop\n csrw mcountinhibit,x0\n " body                                      \
            "\n csrw mcountinhibit,t5\n csrr %0,mcycle\n csrr %1,0xb03\n csrr %2,0xb04\n.option "  \
            "pop"                                                                                  \
            : "=&r"(a), "=&r"(b), "=&r"(c)                                                         \
            : "r"(p)                                                                               \
            : "t0", "t1", "t2", "t3", "t4", "t5", "memory");                                       \
        o[0] = a;                                                                                  \
        o[1] = b;                                                                                  \
        o[2] = c;                                                                                  \
    }
// x5 = t0, x6 = t1, x7 = t2; f5 = ft5, f6 = ft6, f7 = ft7
#define NO_FLOAT "li t3,0x6000\n csrc mstatus,t3\n "
#define FLOAT "\n li t3,0x6000\n csrs mstatus,t3"
#define NO_MODE "li t3,5\n fsrm t3\n "
#define MODE "\n fsrm x0"
T(a0, ".word 0xffffffff")                                      // all fields x31
T(a1, "div t0,t2,t1\n .word 0x0000028b")                       // rd
T(a2, "div t0,t2,t1\n .word 0x0002800b")                       // rs1
T(a3, "div t0,t2,t1\n .word 0x0050000b")                       // rs2
T(a4, "div t0,t2,t1\n feq.d t1,ft5,ft5\n .word 0x0002830b")    // rd, and rs1 meanwhile
T(a5, NO_FLOAT "div t0,t2,t1\n fadd.d ft5,ft6,ft7" FLOAT)      // rd, as an integer register
T(a6, NO_FLOAT "div t0,t2,t1\n fadd.d ft6,ft5,ft7" FLOAT)      // rs1
T(a7, NO_FLOAT "div t0,t2,t1\n fmadd.d ft6,ft7,ft5,ft5" FLOAT) // rs2
T(a8, NO_FLOAT "fld ft6,0(%3)" FLOAT)                          // no access
T(a9, NO_FLOAT "div t0,t2,t1\n fsd ft5,0(%3)" FLOAT)           // rs2, offset 0
T(b0,
  NO_FLOAT "div t0,t2,t1\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n nop\n fmv.x.d t1,ft5" FLOAT)
T(b1, NO_FLOAT "mul t1,t1,t1\n fcvt.l.d t1,ft1\n mv t4,t1" FLOAT)
T(b2, NO_MODE "fadd.d ft5,ft6,ft7" MODE)
T(b3, NO_MODE "fdiv.d ft5,ft6,ft7\n fadd.d ft5,ft6,ft7" MODE)     // two traps
T(b4, NO_MODE "fadd.d ft5,ft6,ft7,rne\n fmul.d ft5,ft5,ft7" MODE) // ft5 is x5
T(b5, NO_MODE "div t0,t2,t1\n fadd.d ft5,ft6,ft7" MODE)
T(b6, NO_MODE "fsgnj.d ft5,ft6,ft7\n feq.d t1,ft5,ft5" MODE) // do not round
T(b7, "div t0,t2,t1\n .word 0x0273d2d3")                     // fadd.d ft5,ft7,ft7, mode 5
T(b8, "fdiv.d ft5,ft6,ft7\n .word 0x0273d353\n fadd.d ft6,ft5,ft5")
// accepted, but waiting for integer registers that they do not read
T(b9, "div t0,t2,t1\n fclass.d t1,ft5\n mv t4,t1")             // t0
T(c0, "mv t4,ra\n div ra,t2,t1\n fcvt.wu.d t1,ft1\n mv ra,t4") // ra
T(c1, "mv t4,ra\n div ra,t2,t1\n fcvt.d.wu ft1,t1\n mv ra,t4") // ra
T(c2, "mv t4,ra\n div ra,t2,t1\n ebreak\n mv ra,t4")           // ra, one cycle
static void (*const fs[])(u64*, volatile u64*) = {a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, b0, b1,
                                                  b2, b3, b4, b5, b6, b7, b8, b9, c0, c1, c2};
int main(void) {
    u64 k = 1;
    __asm__ volatile("csrw mhpmevent3,%0\n csrw mhpmevent4,%1" ::"r"(22), "r"(14));
    for (int o = 0; o < 23; o++) {
        fs[o](buf, results + k);
        fs[o](buf, results + k);
        fs[o](buf, results + k);
        k += 3;
    }
    results[0] = k - 1;
    return 0;
}
