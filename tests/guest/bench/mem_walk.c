// SPDX-License-Identifier: Apache-2.0
// Memory workload: a dependent pointer walk over 8 MiB, then streaming
// copy/update passes, so that caches, TLB-like fast paths and DMI all matter.
#include "bench.h"

#ifndef PASSES
#define PASSES 8u
#endif
#define NODES (1u << 17) // 128 Ki nodes of 64 bytes = 8 MiB

struct node {
    uint32_t next;
    uint32_t tag;
    uint64_t pay[7];
};
static struct node arena[NODES];

int main(void) {
    uint64_t sum = 0, i0 = rd_instret(), c0 = rd_cycle();
    // An affine step with an odd multiplier (= 1 mod 4) and odd offset visits every node once.
    for (uint32_t i = 0; i < NODES; i++) {
        arena[i].next = (i * 1664525u + 1013904223u) & (NODES - 1);
        arena[i].tag = i;
    }
    for (unsigned p = 0; p < PASSES; p++) {
        uint32_t at = p;
        for (uint32_t n = 0; n < NODES; n++) { // dependent loads
            struct node* q = &arena[at];
            sum += q->tag;
            q->pay[p % 7] += sum;
            at = q->next;
        }
        for (uint32_t i = 1; i < NODES; i++) { // streaming read-modify-write
            const uint64_t* s = arena[i - 1].pay;
            uint64_t* d = arena[i].pay;
            for (int k = 0; k < 7; k++)
                d[k] = (d[k] + s[k]) ^ (uint64_t)k;
        }
        for (uint32_t i = 0; i < NODES * 8; i += 3) // byte-wide strided stores
            ((uint8_t*)arena[i >> 3].pay)[(i & 7) * 7] += (uint8_t)i;
    }
    for (uint32_t i = 0; i < NODES; i += 64)
        sum ^= arena[i].pay[2];
    report("mem_walk", sum, rd_instret() - i0, rd_cycle() - c0);
    return 0;
}
