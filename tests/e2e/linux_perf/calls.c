// SPDX-License-Identifier: Apache-2.0
// Call stacks with a known truth: `work` runs three times as long below `often` as below `seldom`,
// which calls it through `middle`.
#include <stdint.h>

#define ALONE __attribute__((noipa)) static

enum { kRounds = 400, kSteps = 2500 };

static volatile uint64_t g_sum;

ALONE uint64_t work(uint64_t value) {
    for (unsigned i = 0; i < kSteps; ++i) {
        value = value * UINT64_C(6364136223846793005) + i;
        value ^= value >> 29;
    }
    return value;
}

ALONE uint64_t middle(uint64_t value) {
    return work(value) + 1;
}

ALONE uint64_t often(uint64_t value) {
    for (unsigned i = 0; i < 3; ++i) {
        value = work(value) + i;
    }
    return value;
}

ALONE uint64_t seldom(uint64_t value) {
    return middle(value) * 3;
}

int main(void) {
    for (unsigned i = 0; i < kRounds; ++i) {
        g_sum = often(g_sum) + seldom(g_sum);
    }
    return 0;
}
