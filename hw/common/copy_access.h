// SPDX-License-Identifier: Apache-2.0
// Copies the data of one access. Its size is not known at compile time, and memcpy() with a
// variable size is a function call; these functions use constant sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pes {

/// `bytes` is 1, 2, 4 or 8.
inline void copy_register(void* to, const void* from, std::size_t bytes) {
    switch (bytes) {
    case 1:
        std::memcpy(to, from, 1);
        return;
    case 2:
        std::memcpy(to, from, 2);
        return;
    case 4:
        std::memcpy(to, from, 4);
        return;
    default:
        std::memcpy(to, from, 8);
    }
}

/// Any number of bytes.
inline void copy_access(void* to, const void* from, std::size_t bytes) {
    if (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8) {
        copy_register(to, from, bytes);
    } else {
        std::memcpy(to, from, bytes);
    }
}

} // namespace pes
