// SPDX-License-Identifier: Apache-2.0
// With hart.isa = rv64imac_zba: what is left out is illegal, floating-point state included, and
// misa says what is there. The words are those of the specifications' encodings.
#include "directed.h"

namespace {

u64 probe;

#define CHECK_ILLEGAL(word)                                                                        \
    do {                                                                                           \
        probe = PROBE(word, "r"(0));                                                               \
        CHECK_CAUSE(Machine, Illegal);                                                             \
        CHECK_EQ(last_trap.epc, probe);                                                            \
    } while (false)

void check_what_is_there() {
    constexpr u64 kLetters = 1 << 0 | 1 << 2 | 1 << 8 | 1 << 12 | 1 << 18 | 1 << 20; // A C I M S U
    CHECK_EQ(READ_CSR(misa) & 0x3FF'FFFF, kLetters);
    WRITE_CSR(misa, ~u64{0}); // WARL, here read-only
    CHECK_EQ(READ_CSR(misa) & 0x3FF'FFFF, kLetters);
    u64 sum = 5;
    asm(".insn r 0x33, 2, 0x10, %0, %0, %1" : "+r"(sum) : "r"(u64{100})); // sh1add
    CHECK_EQ(sum, 110);
    asm(".insn r 0x3B, 0, 0x04, %0, %0, zero" : "+r"(sum)); // zext.w
    CHECK_EQ(sum, 110);
}

void check_bits() {
    CHECK_ILLEGAL(".insn r 0x33, 7, 0x20, t0, t0, t1"); // andn
    CHECK_ILLEGAL(".insn i 0x13, 1, t0, t0, 0x600");    // clz
    CHECK_ILLEGAL(".insn r 0x33, 1, 0x05, t0, t0, t1"); // clmul
    CHECK_ILLEGAL(".insn r 0x33, 1, 0x14, t0, t0, t1"); // bset
    CHECK_ILLEGAL(".insn r 0x33, 5, 0x07, t0, t0, t1"); // czero.eqz
    CHECK_ILLEGAL(".insn r 0x33, 4, 0x04, t0, t0, t1"); // pack
    CHECK_ILLEGAL(".insn r 0x33, 0, 0x19, t0, t0, t1"); // aes64es
    CHECK_ILLEGAL(".insn 2, 0x8000");                   // c.lbu
    CHECK_ILLEGAL(".insn 2, 0x9C41");                   // c.mul
}

void check_floating_point() {
    WRITE_CSR(mstatus, READ_CSR(mstatus) | kFs);
    CHECK_EQ(READ_CSR(mstatus) & kFs, 0);
    CHECK_EQ(READ_CSR(sstatus) & kFs, 0);
    CHECK_EQ(READ_CSR(mstatus) >> 63, 0);               // SD
    CHECK_ILLEGAL(".insn r 0x53, 0, 0x01, t0, t0, t1"); // fadd.d
    CHECK_ILLEGAL(".insn i 0x07, 3, t0, 0(sp)");        // fld
    CHECK_ILLEGAL(".insn s 0x27, 2, t0, 0(sp)");        // fsw
    CHECK_ILLEGAL(".insn 2, 0x2000");                   // c.fld
    CHECK_ILLEGAL("csrr t0, fcsr");
    CHECK_ILLEGAL("csrwi frm, 0");
}

} // namespace

int main() {
    check_what_is_there();
    check_bits();
    check_floating_point();
    return failures;
}
