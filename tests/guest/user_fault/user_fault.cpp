// SPDX-License-Identifier: Apache-2.0
// A user program that writes to the machine layer's memory: it must be stopped by the supervisor,
// with exit code 128 + 15 (store page fault).
#include "platform.h"

#include <stdint.h>

int main() {
    *reinterpret_cast<volatile uint64_t*>(PES_DRAM_BASE) = 0;
    return 0;
}
