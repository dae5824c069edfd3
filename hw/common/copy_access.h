// SPDX-License-Identifier: Apache-2.0
// Copies the data of one access: as many bytes as a register has, which is known only where the
// access is made. memcpy() of a size that is not constant is a call, several an access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace pes {

inline void copy_access(void* to, const void* from, std::size_t bytes) {
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
    case 8:
        std::memcpy(to, from, 8);
        return;
    default:
        std::memcpy(to, from, bytes);
    }
}

} // namespace pes
