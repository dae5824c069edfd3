// SPDX-License-Identifier: Apache-2.0
// Messages -> bytes.
#pragma once

#include "hw/common/trace/message.h"

#include <span>

namespace pes::trace {

struct PackedMessage {
    std::array<std::uint8_t, kMostSlices> bytes{};
    std::size_t size = 0;

    std::span<const std::uint8_t> view() const { return {bytes.data(), size}; }
};

/// `source_bits`: width of SRC; 0 leaves it out. Aborts if a fixed value does not fit its field.
PackedMessage pack_message(const TraceMessage& message, unsigned source_bits);

/// Idle bytes that fill up the last word of a sink.
constexpr std::size_t padding(std::size_t size, std::size_t word_bytes) {
    return (word_bytes - size % word_bytes) % word_bytes;
}

} // namespace pes::trace
