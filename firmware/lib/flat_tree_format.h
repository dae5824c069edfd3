// SPDX-License-Identifier: Apache-2.0
// The header of a flattened device tree (Devicetree Specification 0.4, 5.2). Freestanding.
#pragma once

#include <stdint.h>

namespace pes::flat_tree {

/// Fields of the header, in 32-bit words.
enum Field : unsigned {
    Magic = 0,
    TotalSize = 1,
    StructureOffset = 2,
    StringsOffset = 3,
    LastCompatible = 6,
    StringsSize = 8,
    StructureSize = 9,
};

/// Big endian, on any boundary.
inline uint32_t load(const uint8_t* bytes) {
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 |
           uint32_t{bytes[3]};
}

inline void store(uint8_t* bytes, uint32_t value) {
    for (unsigned i = 0; i < 4; ++i) {
        bytes[i] = static_cast<uint8_t>(value >> (24 - 8 * i));
    }
}

} // namespace pes::flat_tree
