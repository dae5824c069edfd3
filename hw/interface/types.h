// SPDX-License-Identifier: Apache-2.0
// Small types that every room speaks.
#pragma once

#include <cstdint>

namespace pes {

/// A point in time or a span, in hart clock cycles. Cycle 0 is the first cycle after reset.
using Cycle = std::uint64_t;
inline constexpr Cycle kNever = ~Cycle{0};

/// A physical or virtual byte address.
using Address = std::uint64_t;

struct MemoryRange {
    Address base = 0;
    std::uint64_t size = 0; ///< bytes; 0: nothing
    constexpr bool contains(Address address) const { return address - base < size; }
    constexpr bool overlaps(Address address, std::uint64_t bytes) const {
        return contains(address) || (size != 0 && base - address < bytes);
    }
    bool operator==(const MemoryRange&) const = default;
};

/// Privilege modes with the encoding of mstatus.MPP (privileged specification, table 1).
enum class Privilege : std::uint8_t { User = 0, Supervisor = 1, Machine = 3 };

} // namespace pes
