// SPDX-License-Identifier: Apache-2.0
// Product of two double matrices, row by column: the walk down a column misses the data cache.
#include "firmware/apps/workload/workload.h"

namespace pes::workload {

namespace {

constexpr unsigned kSize = 72;
double left[kSize][kSize];
double right[kSize][kSize];
double product[kSize][kSize];

} // namespace

[[gnu::noipa]] static void matrix_product() {
    for (unsigned row = 0; row < kSize; ++row) {
        for (unsigned column = 0; column < kSize; ++column) {
            double sum = 0;
            for (unsigned k = 0; k < kSize; ++k) {
                sum += left[row][k] * right[k][column];
            }
            product[row][column] = sum;
        }
    }
}

uint64_t multiply_matrices(unsigned rounds) {
    Sequence numbers(1);
    for (unsigned row = 0; row < kSize; ++row) {
        for (unsigned column = 0; column < kSize; ++column) {
            left[row][column] = numbers.next() % 16;
            right[row][column] = numbers.next() % 16;
        }
    }
    double trace = 0;
    for (unsigned round = 0; round < rounds; ++round) {
        matrix_product();
        left[round % kSize][0] += 1;
        trace += product[round % kSize][round % kSize];
    }
    return static_cast<uint64_t>(trace);
}

} // namespace pes::workload
