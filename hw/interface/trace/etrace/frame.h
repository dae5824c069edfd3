// SPDX-License-Identifier: Apache-2.0
// Packets <-> bytes: payloads with sign-based compression, in the encapsulation of "Unformatted
// Trace & Diagnostic Data Packet Encapsulation for RISC-V":
//
//   header(8): length(5) flow(2) extend(1), srcID(n), timestamp(8 T) if extend, payload
//
// Fields follow each other without gaps, the least significant bit first. A packet has
// 1 + S + T * extend + length bytes, where S is the number of whole bytes of srcID. Behind the
// payload its last bit is repeated up to a whole byte. A header of length 0 is a null packet.
#pragma once

#include "hw/interface/trace/etrace/packet.h"
#include "hw/interface/trace/message_packer.h"

#include <optional>
#include <span>

namespace pes::trace::etrace {

inline constexpr std::uint8_t kIdleByte = 0x00;      ///< null.idle
inline constexpr std::uint8_t kAlignmentByte = 0x80; ///< null.alignment
inline constexpr unsigned kMostSourceBits = 16;
inline constexpr unsigned kMostTimestampBytes = 8;
inline constexpr unsigned kMostLength = 31; ///< of the field length

/// Fixed for a stream.
struct Framing {
    unsigned source_bits = 0;     ///< srcID: 0 to 16
    unsigned timestamp_bytes = 0; ///< T: 0 to 8

    bool operator==(const Framing&) const = default;

    /// Null bytes that no packet contains in a row, and one more: whatever is not one behind so
    /// many of them begins a packet.
    constexpr unsigned sync_bytes() const {
        return kMostLength + timestamp_bytes + source_bits / 8 + 1;
    }
};
/// The longest packet of all; bytes.
inline constexpr std::size_t kMostFrame =
    1 + kMostSourceBits / 8 + kMostTimestampBytes + kMostLength;
static_assert(kMostFrame <= kMostSlices);

/// A packet with what its encapsulation says.
struct Frame {
    std::uint16_t source = 0;
    std::optional<std::uint64_t> timestamp = {}; ///< its low T bytes count
    Packet packet;

    bool operator==(const Frame&) const = default;
};

/// Aborts if a value does not fit its field, or the payload a packet.
PackedMessage pack_frame(const Frame& frame, const Framing& framing, const Parameters& parameters);
/// Null packets and null.alignment behind them: a place where a reader can begin.
PackedMessage pack_synchronisation(const Framing& framing);

enum class FrameStatus : std::uint8_t {
    Packet,
    Idle,       ///< a run of null packets
    Incomplete, ///< the bytes end inside a packet
    // A whole frame that cannot be read
    TooLong, ///< more bytes than the packet has fields
    Padding, ///< bits behind the payload that are not its last one
    Unknown, ///< a format, or a value of a field, that this encoder cannot send
};
inline constexpr std::size_t kFrameStatuses = 6;

struct FrameResult {
    FrameStatus status = FrameStatus::Incomplete;
    std::size_t size = 0; ///< bytes; of Incomplete: all
    bool aligned = false; ///< Idle: a whole synchronisation
};

/// What the bytes begin with. `frame` is complete if the status is Packet; its source is set for
/// everything but Idle and Incomplete.
FrameResult parse_frame(std::span<const std::uint8_t> bytes, const Framing& framing,
                        const Parameters& parameters, Frame& frame);

} // namespace pes::trace::etrace
