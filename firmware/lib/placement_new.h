// SPDX-License-Identifier: Apache-2.0
// Placement new; the freestanding tool chain has no <new>.
#pragma once

#include <stddef.h>

inline void* operator new(size_t, void* place) noexcept {
    return place;
}
