// SPDX-License-Identifier: Apache-2.0
// Integer matrices: products in three orders of the loops, a transposition and a stencil, on more
// data than L1D holds.
#include "tb/lab/programs/lab.h"

enum { kSize = 64, kTile = 16 };

static int32_t left[kSize][kSize], right[kSize][kSize];
static int32_t plain[kSize][kSize], tiled[kSize][kSize], turned[kSize][kSize];

HOT void clear(int32_t matrix[kSize][kSize]) {
    for (int i = 0; i < kSize * kSize; ++i) {
        matrix[i / kSize][i % kSize] = 0;
    }
}

HOT void multiply_by_columns(void) {
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            int32_t sum = 0;
            for (int k = 0; k < kSize; ++k) {
                sum += left[row][k] * right[k][column];
            }
            plain[row][column] = sum;
        }
    }
}

HOT void multiply_tile(int row_tile, int column_tile, int k_tile) {
    for (int row = row_tile; row < row_tile + kTile; ++row) {
        for (int k = k_tile; k < k_tile + kTile; ++k) {
            const int32_t factor = left[row][k];
            for (int column = column_tile; column < column_tile + kTile; ++column) {
                tiled[row][column] += factor * right[k][column];
            }
        }
    }
}

HOT void multiply_by_tiles(void) {
    for (int row = 0; row < kSize; row += kTile) {
        for (int column = 0; column < kSize; column += kTile) {
            for (int k = 0; k < kSize; k += kTile) {
                multiply_tile(row, column, k);
            }
        }
    }
}

HOT void transpose(void) {
    for (int row = 0; row < kSize; ++row) {
        for (int column = 0; column < kSize; ++column) {
            turned[column][row] = right[row][column];
        }
    }
}

HOT int64_t multiply_by_rows(void) {
    int64_t trace = 0;
    for (int row = 0; row < kSize; row += 2) {
        for (int column = 0; column < kSize; ++column) {
            int32_t sum = 0;
            for (int k = 0; k < kSize; ++k) {
                sum += left[row][k] * turned[column][k];
            }
            trace += sum == plain[row][column];
        }
    }
    return trace;
}

HOT void smooth(void) {
    for (int row = 1; row < kSize - 1; ++row) {
        for (int column = 1; column < kSize - 1; ++column) {
            left[row][column] = (left[row - 1][column] + left[row + 1][column] +
                                 left[row][column - 1] + left[row][column + 1]) /
                                4;
        }
    }
}

int main(void) {
    uint64_t random = 3;
    for (int i = 0; i < kSize * kSize; ++i) {
        left[i / kSize][i % kSize] = (int32_t)(next_random(&random) % 100);
        right[i / kSize][i % kSize] = (int32_t)(next_random(&random) % 100);
    }
    int64_t equal = 0;
    for (unsigned round = 0; round < ROUNDS; ++round) {
        clear(tiled);
        multiply_by_columns();
        multiply_by_tiles();
        transpose();
        equal += multiply_by_rows();
        for (int i = 0; i < kSize * kSize; ++i) {
            if (plain[i / kSize][i % kSize] != tiled[i / kSize][i % kSize]) {
                return 1;
            }
        }
        for (int i = 0; i < 4; ++i) {
            smooth();
        }
    }
    return equal != (int64_t)ROUNDS * kSize * kSize / 2;
}
