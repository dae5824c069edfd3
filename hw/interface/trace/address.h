// SPDX-License-Identifier: Apache-2.0
// Program addresses in messages: F-ADDR is the address, U-ADDR its difference (XOR) to the previous
// address of the same source, both without bit 0. Encoder and decoder keep the same reference.
#pragma once

#include <cstdint>
#include <optional>

namespace pes::trace {

/// Whether F-ADDR and U-ADDR leave out equal bits at their upper end: zeros only, or also ones
/// (N-Trace 1.0, "Virtual Addresses Optimization"). Then the highest bit of the last slice stands
/// for all above it.
enum class AddressForm : std::uint8_t { Plain, Extended };

inline constexpr unsigned kAddressFieldBits = 63; ///< without bit 0

/// The field whose lowest `bits` were sent in the form Extended.
constexpr std::uint64_t extend_field(std::uint64_t sent, unsigned bits) {
    if (bits == 0 || bits >= kAddressFieldBits || (sent >> (bits - 1) & 1) == 0) {
        return sent;
    }
    return sent | (~std::uint64_t{0} >> (64 - kAddressFieldBits) & ~std::uint64_t{0} << bits);
}

class AddressReference {
  public:
    /// The encoder's side: the field for an address, full (F-ADDR) or as the difference (U-ADDR).
    std::uint64_t full(std::uint64_t address) {
        reference_ = address;
        known_ = true;
        return address >> 1;
    }
    std::uint64_t unique(std::uint64_t address) {
        const std::uint64_t field = (address ^ reference_) >> 1;
        reference_ = address;
        return field;
    }

    /// The decoder's side. A difference means nothing before the first full address.
    std::uint64_t from_full(std::uint64_t field) {
        reference_ = field << 1;
        known_ = true;
        return reference_;
    }
    std::optional<std::uint64_t> from_unique(std::uint64_t field) {
        if (!known_) {
            return std::nullopt;
        }
        reference_ ^= field << 1;
        return reference_;
    }

    /// An Error message, or damage: the next address has to be full.
    void lose() {
        reference_ = 0;
        known_ = false;
    }
    bool known() const { return known_; }
    std::optional<std::uint64_t> current() const {
        return known_ ? std::optional(reference_) : std::nullopt;
    }
    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive(reference_, known_);
    }

  private:
    std::uint64_t reference_ = 0;
    bool known_ = false;
};

} // namespace pes::trace
