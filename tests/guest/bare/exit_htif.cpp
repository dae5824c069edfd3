// SPDX-License-Identifier: Apache-2.0
// Ends through HTIF with exit code EXIT_CODE: an odd word in `tohost`, code in the bits above.
#include <stdint.h>

extern "C" {
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t tohost = 0;
alignas(64) __attribute__((section(".tohost"), used)) volatile uint64_t fromhost = 0;
}

int main() {
    tohost = uint64_t{EXIT_CODE} << 1 | 1;
    for (;;) {
    }
}
