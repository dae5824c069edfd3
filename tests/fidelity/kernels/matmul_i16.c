// SPDX-License-Identifier: Apache-2.0
#include "common.h"
static int a[16][16], b[16][16], c[16][16];
void setup(void) {
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            a[i][j] = i * 3 + j;
            b[i][j] = i - j;
            c[i][j] = 0;
        }
}
long run(void) {
    long s = 0;
    for (int i = 0; i < 16; i++)
        for (int j = 0; j < 16; j++) {
            int t = 0;
            for (int k = 0; k < 16; k++)
                t += a[i][k] * b[k][j];
            c[i][j] = t;
            s += t;
        }
    return s;
}
