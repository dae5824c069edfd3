// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static int v[256];
void setup(void) {
    u32 x = 1;
    for (int i = 0; i < 256; i++) {
        x = x * 1103515245u + 12345u;
        v[i] = (int)(x >> 8) & 0xffff;
    }
}
static void qs(int* a, long l, long r) {
    while (l < r) {
        int p = a[(l + r) >> 1];
        long i = l, j = r;
        while (i <= j) {
            while (a[i] < p)
                i++;
            while (a[j] > p)
                j--;
            if (i <= j) {
                int t = a[i];
                a[i] = a[j];
                a[j] = t;
                i++;
                j--;
            }
        }
        if (j - l < r - i) {
            qs(a, l, j);
            l = i;
        } else {
            qs(a, i, r);
            r = j;
        }
    }
}
long run(void) {
    qs(v, 0, 255);
    return v[0] + v[255] * 65536L;
}
