// SPDX-License-Identifier: Apache-2.0
// The measured kernel: C += A B for 40 x 40 matrices of double: 38 KiB, more than L1D holds.
#include "tests/guest/pmu_overhead/gemm.h"

namespace pes::overhead {

namespace {

double a[kGemmSize][kGemmSize];
double b[kGemmSize][kGemmSize];
double c[kGemmSize][kGemmSize];

} // namespace

void prepare_gemm() {
    constexpr uint64_t kFloatInitial = 0x2000; // sstatus.FS
    asm volatile("csrs sstatus, %0" ::"r"(kFloatInitial));
    for (unsigned i = 0; i < kGemmSize; ++i) {
        for (unsigned j = 0; j < kGemmSize; ++j) {
            a[i][j] = i + 1;
            b[i][j] = j + 1;
            c[i][j] = 0;
        }
    }
}

void gemm() {
    for (unsigned i = 0; i < kGemmSize; ++i) {
        for (unsigned j = 0; j < kGemmSize; ++j) {
            double sum = c[i][j];
            for (unsigned k = 0; k < kGemmSize; ++k) {
                sum += a[i][k] * b[k][j];
            }
            c[i][j] = sum;
        }
    }
}

void nothing() {}

} // namespace pes::overhead
