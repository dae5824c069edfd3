// SPDX-License-Identifier: Apache-2.0
// Main memory as the host sees it: bounds-checked bytes by physical address.
#pragma once

#include "hw/interface/types.h"

#include <bit>
#include <cstddef>
#include <cstring>
#include <optional>
#include <span>

namespace pes {

class GuestMemory {
  public:
    GuestMemory(Address base, std::span<std::byte> bytes) : base_(base), bytes_(bytes) {}

    Address base() const { return base_; }
    std::span<std::byte> bytes() const { return bytes_; }
    /// The bytes [address, address + size), or nothing if any of them lies outside.
    std::optional<std::span<std::byte>> at(Address address, std::uint64_t size) const {
        const Address offset = address - base_;
        if (offset > bytes_.size() || size > bytes_.size() - offset) {
            return std::nullopt;
        }
        return bytes_.subspan(offset, size);
    }

    /// Guest and host are both little-endian.
    std::optional<std::uint64_t> load64(Address address) const {
        const auto place = at(address, sizeof(std::uint64_t));
        if (!place) {
            return std::nullopt;
        }
        std::uint64_t value = 0;
        std::memcpy(&value, place->data(), sizeof value);
        return value;
    }

    bool store64(Address address, std::uint64_t value) const {
        const auto place = at(address, sizeof value);
        if (!place) {
            return false;
        }
        std::memcpy(place->data(), &value, sizeof value);
        return true;
    }

  private:
    static_assert(std::endian::native == std::endian::little);

    Address base_;
    std::span<std::byte> bytes_;
};

} // namespace pes
