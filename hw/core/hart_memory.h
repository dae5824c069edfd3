// SPDX-License-Identifier: Apache-2.0
// The quick way of a load or store: aligned, to a page whose host memory is known. Everything else
// is in hart_memory.cpp.
#pragma once

#include "hw/core/hart.h"

#include <cstring>

namespace pes {

template <typename T>
bool Hart::load(const Instruction& instruction, Address address, T& value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return load_misaligned(instruction, address, &value);
    }
    Address physical = address;
    if (data_translated_ && !translate_data(address, Access::Load, physical)) {
        return false;
    }
    const HostMemory::Page& page = memory_.page(physical);
    if (page.load_tag == physical >> kPageShift && !page.in_hole(physical)) [[likely]] {
        std::memcpy(&value, page.base + (physical & kPageOffset), sizeof(T));
    } else if (!load_slowly(instruction, address, physical, &value)) {
        return false;
    }
    *fact_++ = physical;
    return true;
}

template <typename T>
bool Hart::store(const Instruction& instruction, Address address, T value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return store_misaligned(instruction, address, &value);
    }
    Address physical = address;
    if (data_translated_ && !translate_data(address, Access::Store, physical)) {
        return false;
    }
    const HostMemory::Page& page = memory_.page(physical);
    if (page.store_tag == physical >> kPageShift && !page.in_hole(physical)) [[likely]] {
        std::memcpy(page.base + (physical & kPageOffset), &value, sizeof(T));
    } else if (!store_slowly(instruction, address, physical, &value)) {
        return false;
    }
    *fact_++ = physical;
    return true;
}

} // namespace pes
