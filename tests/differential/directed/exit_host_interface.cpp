// SPDX-License-Identifier: Apache-2.0
// Ends with exit code 9 through HTIF: tohost = code << 1 | 1.
#include "directed.h"

extern "C" {
[[gnu::section(".tohost"), gnu::used]] volatile u64 tohost = 0;
[[gnu::section(".tohost"), gnu::used]] volatile u64 fromhost = 0;
}

int main() {
    tohost = 9 << 1 | 1;
    for (;;) {
    }
}
