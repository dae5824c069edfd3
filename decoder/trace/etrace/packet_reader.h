// SPDX-License-Identifier: Apache-2.0
// A file of E-Trace packets -> packets, and what is not one. Streaming, as the reader of messages.
//
// Lengths tell where packets begin, so behind bytes that are no packet nothing is known: the reader
// goes on behind the next run of null bytes that is longer than any that a packet can hold.
#pragma once

#include "decoder/trace/messages/byte_window.h"
#include "decoder/trace/messages/trace_reader.h"
#include "hw/interface/trace/etrace/frame.h"
#include "hw/interface/trace/timestamp.h"

#include <map>

namespace pes::trace::etrace {

/// How a stream was encoded.
struct Encoding {
    Framing framing;
    Parameters parameters;
    unsigned timestamp_bits = kSiFiveTimestampBits; ///< of the counter: where time wraps

    bool operator==(const Encoding&) const = default;
};

struct PacketItem {
    enum class Kind : std::uint8_t {
        Packet,
        Damage,   ///< bytes that are not a readable packet, and those up to the next safe place
        Truncated ///< the file ends inside a packet
    };

    Kind kind = Kind::Packet;
    FrameStatus status = FrameStatus::Packet; ///< what is wrong with damage
    std::uint64_t offset = 0;                 ///< of its first byte in the file
    std::uint64_t size = 0;
    Frame frame;                       ///< of a packet
    std::optional<std::uint64_t> time; ///< of a packet that has a timestamp
};

class PacketReader {
  public:
    PacketReader(std::istream& input, const Encoding& encoding,
                 StreamStart start = StreamStart::AtMessage);

    /// Adds all bytes of the stream, as they are read, to `sum`.
    void add_bytes_to(Crc32& sum) { window_.add_bytes_to(sum); }

    /// False at the end of the stream or on a read error.
    bool next(PacketItem& item);

    std::uint64_t bytes() const { return window_.offset(); } ///< consumed so far
    std::uint64_t idle_bytes() const { return idle_bytes_; }
    std::uint64_t cut_bytes() const { return cut_bytes_; } ///< left out at the start

  private:
    std::uint64_t skip_to_safe_place();
    std::optional<std::uint64_t> time_of(const Frame& frame);

    ByteWindow window_;
    const Encoding encoding_;
    StreamStart start_;
    std::map<std::uint16_t, TimestampExpander> clocks_;
    std::uint64_t idle_bytes_ = 0;
    std::uint64_t cut_bytes_ = 0;
};

} // namespace pes::trace::etrace
