// SPDX-License-Identifier: Apache-2.0
// Messages -> bytes.
#pragma once

#include "hw/interface/trace/address.h"
#include "hw/interface/trace/message.h"

#include <cstdint>
#include <optional>
#include <span>

namespace pes::trace {

struct PackedMessage {
    std::array<std::uint8_t, kMostSlices> bytes{};
    std::size_t size = 0;

    std::span<const std::uint8_t> view() const { return {bytes.data(), size}; }
};

/// `source_bits`: width of SRC; 0 leaves it out. Aborts if a fixed value does not fit its field.
PackedMessage pack_message(const TraceMessage& message, unsigned source_bits);

/// What an encoder puts in place of the message's own source and timestamp.
struct Stamp {
    std::uint16_t source = 0;
    std::optional<std::uint64_t> timestamp;
};
PackedMessage pack_message(const TraceMessage& message, unsigned source_bits, const Stamp& stamp,
                           AddressForm addresses = AddressForm::Plain);

/// Idle bytes that fill up the last word of a sink.
constexpr std::size_t padding(std::size_t size, std::size_t word_bytes) {
    return (word_bytes - size % word_bytes) % word_bytes;
}

} // namespace pes::trace
