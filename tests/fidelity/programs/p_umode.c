// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// U-mode under Sv39 makes system calls (ecall) to an S-mode handler that saves 8 registers and
// dispatches through a table
static u64 ubuf[512] __attribute__((aligned(4096)));
u64 s_exit, s_sp, sys_count;
__attribute__((naked, aligned(64))) static void s_trap(void) {
    __asm__ volatile(
        "csrrw sp,sscratch,sp\n addi sp,sp,-64\n sd ra,0(sp)\n sd t0,8(sp)\n sd t1,16(sp)\n sd "
        "t2,24(sp)\n sd a1,32(sp)\n sd a2,40(sp)\n sd a3,48(sp)\n"
        "csrr t0,scause\n li t1,8\n bne t0,t1,2f\n csrr t0,sepc\n addi t0,t0,4\n csrw sepc,t0\n "
        "andi t1,a7,3\n slli t1,t1,3\n la t2,sys_tab\n add t2,t2,t1\n ld t2,0(t2)\n jalr ra,t2\n"
        "1: ld ra,0(sp)\n ld t0,8(sp)\n ld t1,16(sp)\n ld t2,24(sp)\n ld a1,32(sp)\n ld "
        "a2,40(sp)\n ld a3,48(sp)\n addi sp,sp,64\n csrrw sp,sscratch,sp\n sret\n"
        "2: la t0,s_exit\n ld t0,0(t0)\n jr t0\n");
}
__attribute__((noinline)) u64 sys0(u64 a) {
    sys_count++;
    return a + 1;
}
__attribute__((noinline)) u64 sys1(u64 a) {
    sys_count += a & 3;
    return a ^ sys_count;
}
__attribute__((noinline)) u64 sys2(u64 a) {
    return a * 3;
}
__attribute__((noinline)) u64 sys3(u64 a) {
    return sys_count;
}
u64 (*sys_tab[4])(u64) = {sys0, sys1, sys2, sys3};
static u64 kstack[256];
__attribute__((naked, aligned(4096))) static void u_code(void) {
    __asm__ volatile(
        "li s2,150\n li s3,0\n 1: mv a0,s2\n andi a7,s2,3\n ecall\n add s3,s3,a0\n la t0,ubuf_p\n "
        "ld t0,0(t0)\n andi t1,s2,63\n slli t1,t1,3\n add t0,t0,t1\n ld t2,0(t0)\n add t2,t2,s3\n "
        "sd t2,0(t0)\n li t3,8\n 3: addi t3,t3,-1\n mul t4,t3,t2\n bnez t3,3b\n addi s2,s2,-1\n "
        "bnez s2,1b\n mv a0,s3\n ebreak\n .balign 4096\n");
}
u64* ubuf_p = ubuf;
static long work(void) { // S-mode: enter U and come back through s_exit
    long r;
    __asm__ volatile("la t0,s_exit\n la t1,9f\n sd t1,0(t0)\n la t0,s_sp\n sd sp,0(t0)\n csrw "
                     "sepc,%1\n li t0,0x100\n csrc sstatus,t0\n csrw sscratch,%2\n sret\n 9: la "
                     "t0,s_sp\n ld sp,0(t0)\n mv %0,s3\n"
                     : "=r"(r)
                     : "r"(u_code), "r"(kstack + 248)
                     : "t0", "t1", "t2", "t3", "t4", "s2", "s3", "a0", "a7", "ra", "memory");
    return r;
}
void setup(void) {
    map_identity_4k();
    // user pages: the code page(s) of u_code and the two data pages are user-accessible; S needs
    // SUM for data
    pt_leaf[((u64)u_code >> 12) & 511] |= U;
    pt_leaf[((u64)ubuf >> 12) & 511] |= U;
    pt_leaf[((u64)&ubuf_p >> 12) & 511] |= U;
    CSRW("medeleg", 0x108ul);
    CSRW("stvec", s_trap);
    CSRS("mstatus", 1ul << 18);
    CSRW("satp", SATP(pt_root));
    SFENCE();
}
long run(void) {
    return run_s(work);
}
