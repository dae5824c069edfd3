// SPDX-License-Identifier: Apache-2.0
#include "priv.h"
// S <-> U under Sv39 4K pages: S sets SUM and reads/writes a U page, loads from an execute-only
// page with MXR, provokes and skips page faults with SUM and MXR off; the U side asks by ecall;
// everything delegated, S handler in C-free assembler
static u64 upage[512] __attribute__((aligned(4096)));
struct {
    u64* p;
    u64 pad[511];
} pp_upg __attribute__((aligned(4096))) = {upage};
u64* pp_up = upage;
u64 pp_exit, pp_sp, pp_faults, pp_calls;
__attribute__((naked, aligned(4096), section(".text.u"))) static void u_side(void) {
    __asm__ volatile(
        "1: andi a7,s2,3\n ecall\n add s3,s3,a0\n la t0,pp_upg\n ld t0,0(t0)\n slli t1,s2,3\n andi "
        "t1,t1,0x7f8\n add t0,t0,t1\n ld t2,0(t0)\n xor t2,t2,s3\n sd t2,0(t0)\n div t3,s3,s2\n "
        "add s3,s3,t3\n addi s2,s2,-1\n bnez s2,1b\n li a7,9\n ecall\n .balign 4096\n");
}
__attribute__((naked, aligned(4096), section(".text.x"))) static void x_page(void) {
    __asm__ volatile(".rept 128\n .dword 0x8082001300130013\n .endr\n .balign 4096\n");
}
__attribute__((naked, aligned(64))) static void s_vec(void) {
    __asm__ volatile(
        "csrrw sp,sscratch,sp\n sd t0,-8(sp)\n sd t1,-16(sp)\n sd t2,-24(sp)\n csrr t0,scause\n li "
        "t1,8\n beq t0,t1,1f\n"
        // page fault inside S (sscratch holds the user's sp then: swapped twice)
        " csrr t0,sepc\n addi t0,t0,4\n csrw sepc,t0\n la t0,pp_faults\n ld t1,0(t0)\n addi "
        "t1,t1,1\n sd t1,0(t0)\n ld t0,-8(sp)\n ld t1,-16(sp)\n ld t2,-24(sp)\n csrrw "
        "sp,sscratch,sp\n sret\n"
        "1: csrr t0,sepc\n addi t0,t0,4\n csrw sepc,t0\n li t0,9\n beq a7,t0,9f\n la t0,pp_calls\n "
        "ld t1,0(t0)\n addi t1,t1,1\n sd t1,0(t0)\n"
        " li t0,1\n beq a7,t0,3f\n li t0,2\n beq a7,t0,4f\n"
        // SUM round: read and write the user page
        " li t0,0x40000\n csrs sstatus,t0\n la t1,pp_up\n ld t1,0(t1)\n ld t2,8(t1)\n addi "
        "t2,t2,5\n sd t2,8(t1)\n csrc sstatus,t0\n mv a0,t2\n j 8f\n"
        // MXR round: load from execute-only
        "3: li t0,0x80000\n csrs sstatus,t0\n la t1,xp\n ld t1,0(t1)\n lw t2,16(t1)\n lw "
        "t0,24(t1)\n add a0,t2,t0\n li t0,0x80000\n csrc sstatus,t0\n j 8f\n"
        // faults: nested trap in S. sscratch must again hold the S stack
        "4: csrr t1,sscratch\n sd t1,-32(sp)\n csrr t1,sepc\n sd t1,-40(sp)\n csrr t1,sstatus\n sd "
        "t1,-48(sp)\n addi t1,sp,-64\n csrw sscratch,t1\n la t1,pp_up\n ld t1,0(t1)\n li a0,3\n "
        ".option push\n.option norvc\n ld a0,0(t1)\n sd a0,0(t1)\n la t1,xp\n ld t1,0(t1)\n lw "
        "a0,8(t1)\n.option pop\n ld t1,-48(sp)\n csrw sstatus,t1\n ld t1,-40(sp)\n csrw sepc,t1\n "
        "ld t1,-32(sp)\n csrw sscratch,t1\n"
        "8: ld t0,-8(sp)\n ld t1,-16(sp)\n ld t2,-24(sp)\n csrrw sp,sscratch,sp\n sret\n"
        "9: la t0,pp_exit\n ld t0,0(t0)\n jr t0\n");
}
u64 xp;
static u64 kst[256];
static long s_main(void) {
    long r;
    __asm__ volatile("la t0,pp_exit\n la t1,9f\n sd t1,0(t0)\n la t0,pp_sp\n sd sp,0(t0)\n csrw "
                     "sepc,%1\n li t0,0x100\n csrc sstatus,t0\n csrw sscratch,%2\n li s2,90\n li "
                     "s3,0\n sret\n 9: la t0,pp_sp\n ld sp,0(t0)\n mv %0,s3\n"
                     : "=r"(r)
                     : "r"(u_side), "r"(kst + 248)
                     : "t0", "t1", "t2", "t3", "s2", "s3", "a0", "a7", "ra", "memory");
    return r;
}
void setup(void) {
    map_identity_4k();
    xp = (u64)x_page;
    pp_faults = pp_calls = 0;
    for (int i = 0; i < 512; i++)
        upage[i] = i * 77;
    pt_leaf[((u64)u_side >> 12) & 511] |= U;
    pt_leaf[((u64)upage >> 12) & 511] |= U;
    pt_leaf[((u64)&pp_upg >> 12) & 511] |= U;
    pt_leaf[((u64)x_page >> 12) & 511] &= ~(u64)(R | W);
    CSRW("medeleg", 0xb100ul);
    CSRW("stvec", s_vec);
    CSRW("satp", SATP(pt_root));
    SFENCE();
}
long run(void) {
    long r = run_s(s_main);
    return r + pp_faults * 1000 + pp_calls;
}
