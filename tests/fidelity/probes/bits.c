// SPDX-License-Identifier: Apache-2.0
// Zba, Zbb, Zbc, Zbs, Zbkb, Zicond and Zcb: each instruction in a chain and side by side, and one
// of each unit beside every other class, as its source and as its reader.
#include "common.h"
volatile u64 results[256] __attribute__((aligned(64)));
static u64 memory[8] __attribute__((aligned(64))) = {1, 2, 3, 4, 5, 6, 7, 8};

#define TIME(name, text)                                                                           \
    __attribute__((noinline, aligned(64))) static u64 name(u64* at) {                              \
        u64 a, b;                                                                                  \
        __asm__ volatile(                                                                          \
            ".option push\n.option norvc\n"                                                        \
            ".option arch, +zba, +zbb, +zbc, +zbs, +zbkb\n"                                        \
            " li t0,0x1234567\n li t1,77\n li t2,5\n fcvt.d.l fa0,t1\n"                            \
            " mv s0,%2\n mv s1,%2\n csrr %0,mcycle\n" text " csrr %1,mcycle\n.option pop"          \
            : "=&r"(a), "=&r"(b)                                                                   \
            : "r"(at)                                                                              \
            : "t0", "t1", "t2", "t3", "t4", "t5", "s0", "s1", "fa0", "fa1", "memory");             \
        return b - a;                                                                              \
    }

// Chains of six, and six side by side.
#define CHAIN(n, a) TIME(chain_##n, a a a a a a)
#define BESIDE(n, a, b, c) TIME(side_##n, a b c a b c)
#define TWO(n, op)                                                                                 \
    CHAIN(n, " " op " t0,t0,t1\n")                                                                 \
    BESIDE(n, " " op " t3,t0,t1\n", " " op " t4,t0,t1\n", " " op " t5,t0,t1\n")
#define ONE(n, op)                                                                                 \
    CHAIN(n, " " op " t0,t0\n")                                                                    \
    BESIDE(n, " " op " t3,t0\n", " " op " t4,t0\n", " " op " t5,t0\n")
#define IMM(n, op)                                                                                 \
    CHAIN(n, " " op " t0,t0,9\n")                                                                  \
    BESIDE(n, " " op " t3,t0,9\n", " " op " t4,t0,9\n", " " op " t5,t0,9\n")

// clang-format off
#define EACH(TWO, ONE, IMM)                                                                        \
    TWO(sh1add, "sh1add") TWO(sh2add, "sh2add") TWO(sh3add, "sh3add") TWO(add_uw, "add.uw")        \
    TWO(sh1add_uw, "sh1add.uw") TWO(sh2add_uw, "sh2add.uw") TWO(sh3add_uw, "sh3add.uw")            \
    IMM(slli_uw, "slli.uw") TWO(andn, "andn") TWO(orn, "orn") TWO(xnor, "xnor") TWO(rol, "rol")    \
    TWO(ror, "ror") TWO(rolw, "rolw") TWO(rorw, "rorw") IMM(rori, "rori") IMM(roriw, "roriw")      \
    ONE(rev8, "rev8") TWO(min, "min") TWO(minu, "minu") TWO(max, "max") TWO(maxu, "maxu")          \
    ONE(clz, "clz") ONE(ctz, "ctz") ONE(cpop, "cpop") ONE(clzw, "clzw") ONE(ctzw, "ctzw")          \
    ONE(cpopw, "cpopw") ONE(sext_b, "sext.b") ONE(sext_h, "sext.h") ONE(zext_h, "zext.h")          \
    ONE(orc_b, "orc.b") TWO(pack, "pack") TWO(packh, "packh") TWO(packw, "packw")                  \
    ONE(brev8, "brev8") TWO(clmul, "clmul") TWO(clmulh, "clmulh") TWO(clmulr, "clmulr")            \
    TWO(bclr, "bclr") TWO(bext, "bext") TWO(binv, "binv") TWO(bset, "bset") IMM(bclri, "bclri")    \
    IMM(bexti, "bexti") IMM(binvi, "binvi") IMM(bseti, "bseti")                                    \
    TWO(czero_eqz, ".insn r 0x33,5,7,") TWO(czero_nez, ".insn r 0x33,7,7,")
EACH(TWO, ONE, IMM)

// A pair: the first writes t3, which the second reads or does not.
#define PAIR(x, y, one, other, apart)                                                              \
    TIME(reads_##x##_##y, one other one other)                                                     \
    TIME(apart_##x##_##y, one apart one apart)
#define NEIGHBOURS(PAIR, x, one)                                                                   \
    PAIR(x, add, one, " add t4,t3,t1\n", " add t4,t1,t1\n")                                        \
    PAIR(x, mul, one, " mul t4,t3,t1\n", " mul t4,t1,t1\n")                                        \
    PAIR(x, div, one, " div t4,t1,t3\n", " div t4,t1,t2\n")                                        \
    PAIR(x, branch, one, " beq t3,t1,1f\n1:\n", " beq t2,t1,1f\n1:\n")                             \
    PAIR(x, store, one, " sd t3,0(s1)\n", " sd t1,0(s1)\n")                                        \
    PAIR(x, load, one, " andi t3,t3,7\n add t3,t3,s1\n lbu t4,0(t3)\n", " ld t4,8(s1)\n")          \
    PAIR(x, csr, one, " csrw mscratch,t3\n", " csrw mscratch,t1\n")                                \
    PAIR(x, float, one, " fcvt.d.l fa1,t3\n", " fadd.d fa1,fa0,fa0\n")                             \
    PAIR(x, amo, one, " amoadd.d t4,t3,(s1)\n", " amoadd.d t4,t1,(s1)\n")
#define UNITS(PAIR)                                                                                \
    NEIGHBOURS(PAIR, sh1add, " sh1add t3,t0,t1\n")                                                 \
    NEIGHBOURS(PAIR, clmul, " clmul t3,t0,t1\n")                                                   \
    NEIGHBOURS(PAIR, cpop, " cpop t3,t0\n")
UNITS(PAIR)

// What others compute is read.
#define FROM(n, op)                                                                                \
    TIME(after_load_##n, " ld t3,8(s1)\n " op " t4,t3,t1\n ld t3,8(s1)\n " op " t4,t3,t1\n")       \
    TIME(after_div_##n, " div t3,t0,t2\n " op " t4,t3,t1\n")                                       \
    TIME(after_mul_##n, " mul t3,t0,t2\n " op " t4,t3,t1\n mul t3,t0,t2\n " op " t4,t0,t1\n")      \
    TIME(after_float_##n, " fmv.x.d t3,fa0\n " op " t4,t3,t1\n")                                   \
    TIME(after_csr_##n, " csrr t3,mscratch\n " op " t4,t3,t1\n")
FROM(andn, "andn") FROM(clmulh, "clmulh")

// Zcb, by its fields: c.mul s1,s1; c.zext.b s1; c.not s1; c.lbu s1,0(s0); c.sb s1,1(s0); c.lh s1,2(s0).
TIME(c_mul, ".insn 2,0x9CC5\n.insn 2,0x9CC5\n.insn 2,0x9CC5\n.insn 2,0x9CC5\n")
TIME(c_unary, ".insn 2,0x9CE1\n.insn 2,0x9CE5\n.insn 2,0x9CE9\n.insn 2,0x9CED\n.insn 2,0x9CF1\n.insn 2,0x9CF5\n")
TIME(c_memory, ".insn 2,0x8004\n.insn 2,0x8844\n.insn 2,0x8464\n.insn 2,0x8C24\n.insn 2,0x8424\n.insn 2,0x8044\n")
#define ZCB c_mul, c_unary, c_memory

#define CASES(n, ...) chain_##n, side_##n,
#define PAIRS(x, y, ...) reads_##x##_##y, apart_##x##_##y,
#define READS(n) after_load_##n, after_div_##n, after_mul_##n, after_float_##n, after_csr_##n
static u64 (*const cases[])(u64*) = {EACH(CASES, CASES, CASES) UNITS(PAIRS) READS(andn), READS(clmulh), ZCB};
// clang-format on

int main(void) {
    const unsigned count = sizeof cases / sizeof cases[0];
    for (unsigned i = 0; i < count; i++) {
        cases[i](memory);
        results[1 + i] = cases[i](memory);
    }
    results[0] = count;
    return 0;
}
