// SPDX-License-Identifier: Apache-2.0
// The quick way of a load or store: aligned, to a page whose host memory is known. Everything else
// is in hart_memory.cpp.
#pragma once

#include "hw/core/hart.h"

#include <cstring>

namespace pes {

inline constexpr unsigned kPageShift = 12;
inline constexpr Address kPageOffset = (Address{1} << kPageShift) - 1;

template <typename T>
bool Hart::load(const Instruction& instruction, Address address, T& value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return load_misaligned(instruction, address, &value);
    }
    MemoryAccess access{.physical = address, .size = sizeof(T)};
    if (data_translated_ && !translate_data(address, Access::Load, access)) {
        return false;
    }
    std::uint32_t latency = 0;
    const Address page_number = access.physical >> kPageShift;
    const HostPage& page = (*pages_)[page_number % kHostPages];
    if (page.load_tag == page_number) [[likely]] {
        std::memcpy(&value, page.base + (access.physical & kPageOffset), sizeof(T));
    } else if (!load_slowly(instruction, address, access, &value, latency)) {
        return false;
    }
    retire_at(instruction, pipeline_.retire_memory(instruction, access, latency));
    return true;
}

template <typename T>
bool Hart::store(const Instruction& instruction, Address address, T value) {
    if ((address & (sizeof(T) - 1)) != 0) [[unlikely]] {
        return store_misaligned(instruction, address, &value);
    }
    MemoryAccess access{.physical = address, .size = sizeof(T)};
    if (data_translated_ && !translate_data(address, Access::Store, access)) {
        return false;
    }
    std::uint32_t latency = 0;
    const Address page_number = access.physical >> kPageShift;
    const HostPage& page = (*pages_)[page_number % kHostPages];
    if (page.store_tag == page_number) [[likely]] {
        std::memcpy(page.base + (access.physical & kPageOffset), &value, sizeof(T));
    } else if (!store_slowly(instruction, address, access, &value, latency)) {
        return false;
    }
    retire_at(instruction, pipeline_.retire_memory(instruction, access, latency));
    return true;
}

} // namespace pes
