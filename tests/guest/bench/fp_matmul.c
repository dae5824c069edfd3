// SPDX-License-Identifier: Apache-2.0
// Floating-point workload: repeated naive double matrix products with a
// rescaling step (divide and square root) so that values stay finite.
#include "bench.h"

#ifndef ROUNDS
#define ROUNDS 14u
#endif
#define N 128
static double a[N][N], b[N][N], c[N][N];

static inline double root(double v) {
    double r;
    __asm__("fsqrt.d %0, %1" : "=f"(r) : "f"(v));
    return r;
}

int main(void) {
    uint64_t i0 = rd_instret(), c0 = rd_cycle();
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = (double)((i * 7 + j * 3) % 17) / 16.0;
            b[i][j] = (double)((i * 5 + j * 11) % 19) / 18.0;
        }
    for (unsigned r = 0; r < ROUNDS; r++) {
        double norm = 0.0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++) {
                double s = 0.0;
                for (int k = 0; k < N; k++)
                    s += a[i][k] * b[k][j];
                c[i][j] = s;
                norm += s * s;
            }
        norm = root(norm);
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                a[i][j] = c[i][j] * 100.0 / norm;
    }
    double tr = 0.0;
    for (int i = 0; i < N; i++)
        tr += a[i][i];
    report("fp_matmul", (uint64_t)(tr * 1e9), rd_instret() - i0, rd_cycle() - c0);
    return 0;
}
