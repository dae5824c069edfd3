// SPDX-License-Identifier: Apache-2.0
#include "common.h"
#define N 4096
struct node {
    struct node* next;
    u64 pad;
} __attribute__((aligned(16)));
static struct node nd[N] __attribute__((aligned(4096)));
void setup(void) {
    u32 x = 12345;
    static unsigned short perm[N];
    for (int i = 0; i < N; i++)
        perm[i] = i;
    for (int i = N - 1; i > 0; i--) {
        x = x * 1664525u + 1013904223u;
        int j = (x >> 8) % (u32)(i + 1);
        unsigned short t = perm[i];
        perm[i] = perm[j];
        perm[j] = t;
    }
    for (int i = 0; i < N; i++)
        nd[perm[i]].next = &nd[perm[(i + 1) % N]];
}
long run(void) {
    struct node* p = nd;
    for (int i = 0; i < N; i++)
        p = p->next;
    return p == nd;
}
