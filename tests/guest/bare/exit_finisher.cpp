// SPDX-License-Identifier: Apache-2.0
// Ends through the test finisher with exit code EXIT_CODE; before that, its register reads 0.
#include "firmware/boot/mmio.h"
#include "platform.h"

int main() {
    constexpr int kWrongValue = 99;
    return pes::read_device<uint32_t>(PES_FINISHER_BASE) == 0 ? EXIT_CODE : kWrongValue;
}
