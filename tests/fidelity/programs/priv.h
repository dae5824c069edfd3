// SPDX-License-Identifier: Apache-2.0
// small privileged kit for the bracket harness: own trap vectors for S and M, Sv39 tables
#pragma once
#include "common.h"
#define CSRW(c, v) __asm__ volatile("csrw " c ",%0" ::"r"(v) : "memory")
#define CSRR(c)                                                                                    \
    ({                                                                                             \
        u64 v_;                                                                                    \
        __asm__ volatile("csrr %0," c : "=r"(v_));                                                 \
        v_;                                                                                        \
    })
#define CSRS(c, v) __asm__ volatile("csrs " c ",%0" ::"r"(v) : "memory")
#define CSRC(c, v) __asm__ volatile("csrc " c ",%0" ::"r"(v) : "memory")
#define SFENCE() __asm__ volatile("sfence.vma" ::: "memory")
#define MTIME (*(volatile u64*)0x200BFF8)
#define MTIMECMP (*(volatile u64*)0x2004000)
#define MSIP (*(volatile u32*)0x2000000)
long run_s(long (*fn)(void));
#define PTE(pa, f) ((((u64)(pa)) >> 12 << 10) | (f))
enum { V = 1, R = 2, W = 4, X = 8, U = 16, G = 32, A = 64, D = 128 };
static u64 pt_root[512] __attribute__((aligned(4096)));
static u64 pt_mid[512] __attribute__((aligned(4096)));  // for 0x8000_0000..
static u64 pt_leaf[512] __attribute__((aligned(4096))); // 0x8000_0000 + 2M as 4K pages
static u64 pt_mid2[512] __attribute__((aligned(4096))); // for VA 0x4000_0000..
static u64 pt_leaf2[512] __attribute__((aligned(4096)));
static inline void map_identity_4k(void) {
    for (int i = 0; i < 512; i++)
        pt_leaf[i] = PTE(0x80000000ul + i * 4096ul, V | R | W | X | A | D);
    for (int i = 1; i < 8; i++)
        pt_mid[i] = PTE(0x80000000ul + i * 0x200000ul, V | R | W | X | A | D);
    pt_mid[0] = PTE(pt_leaf, V);
    pt_root[2] = PTE(pt_mid, V);
    pt_root[1] = PTE(pt_mid2, V);
    pt_mid2[0] = PTE(pt_leaf2, V);
    pt_root[0] = PTE(0, V | R | W | A | D); // devices
}
static inline void map_identity_2m(void) {
    for (int i = 0; i < 8; i++)
        pt_mid[i] = PTE(0x80000000ul + i * 0x200000ul, V | R | W | X | A | D);
    pt_root[2] = PTE(pt_mid, V);
    pt_root[1] = PTE(pt_mid2, V);
    pt_root[0] = PTE(0, V | R | W | A | D);
}
#define SATP(root) ((8ul << 60) | ((u64)(root) >> 12))
