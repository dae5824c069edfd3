// SPDX-License-Identifier: Apache-2.0
// Device registers.
#pragma once

#include <stdint.h>

namespace pes {

template <typename Word>
Word read_device(uint64_t address) {
    return *reinterpret_cast<volatile Word*>(address);
}

template <typename Word>
void write_device(uint64_t address, Word value) {
    *reinterpret_cast<volatile Word*>(address) = value;
}

} // namespace pes
