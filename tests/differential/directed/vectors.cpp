// SPDX-License-Identifier: Apache-2.0
// Vectored mtvec and stvec: exceptions at the base, interrupt n at base + 4 n.
#include "directed.h"

extern "C" char machine_table[], supervisor_table[];

// Every slot goes on to the ordinary entry, but leaves its number in machine_table_last or
// supervisor_table_last first.
asm(R"(
.macro vector_table name, entry, x
.balign 256
.globl \name
\name:
  .option push
  .option norvc
  .set index, 0
  .rept 16
  j \name\()_slots + index * 16
  .set index, index + 1
  .endr
\name\()_slots:
  .set index, 0
  .rept 16
  csrw \x\()scratch, t0
  li t0, index
  j \name\()_common
  nop
  .set index, index + 1
  .endr
\name\()_common:
  addi sp, sp, -16
  sd t1, 0(sp)
  la t1, \name\()_last
  sd t0, 0(t1)
  ld t1, 0(sp)
  addi sp, sp, 16
  csrr t0, \x\()scratch
  j \entry
  .option pop
.endm
.text
vector_table machine_table, machine_entry, m
vector_table supervisor_table, supervisor_entry, s
)");

extern "C" {
volatile u64 machine_table_last = 99, supervisor_table_last = 99;
}

namespace {

constexpr u64 kSsip = 1 << 1, kStip = 1 << 5, kSeip = 1 << 9;
constexpr u64 kMsip = 0x0200'0000;

void check_machine() {
    WRITE_CSR(mtvec, u64(machine_table) | 1);
    CHECK_EQ(READ_CSR(mtvec), u64(machine_table) | 1);
    asm volatile("ebreak");
    CHECK_CAUSE(Machine, Breakpoint);
    CHECK_EQ(machine_table_last, 0);
    SET_CSR(mie, kMie); // MSIE is bit 3 as well
    word_at(kMsip) = 1;
    SET_CSR(mstatus, kMie);
    asm volatile("nop\nnop\nnop\nnop");
    CLEAR_CSR(mstatus, kMie);
    word_at(kMsip) = 0;
    CHECK_CAUSE(Machine, kInterrupt | 3);
    CHECK_EQ(machine_table_last, 3);
    machine_table_last = 99;
}

void check_supervisor() {
    WRITE_CSR(stvec, u64(supervisor_table) | 1);
    CHECK_EQ(READ_CSR(stvec), u64(supervisor_table) | 1);
    WRITE_CSR(medeleg, u64{1} << Breakpoint);
    WRITE_CSR(mideleg, kSsip | kStip | kSeip);
    run_at(User, [] { asm volatile("ebreak"); });
    CHECK_CAUSE(Supervisor, Breakpoint);
    CHECK_EQ(supervisor_table_last, 0);
    constexpr u64 kNumbers[] = {1, 5, 9};
    for (const u64 number : kNumbers) {
        SET_CSR(mie, u64{1} << number);
        SET_CSR(mip, u64{1} << number);
        run_at(User, [] { asm volatile("nop\nnop"); });
        CLEAR_CSR(mip, u64{1} << number);
        CHECK_CAUSE(Supervisor, kInterrupt | number);
        CHECK_EQ(supervisor_table_last, number);
        supervisor_table_last = 99;
    }
}

} // namespace

int main() {
    check_machine();
    check_supervisor();
    return failures;
}
