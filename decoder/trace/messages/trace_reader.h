// SPDX-License-Identifier: Apache-2.0
// A trace file -> messages, and what is not one. Streaming: holds one window whatever the length of
// the file. Behind damage it continues with the next message.
#pragma once

#include "decoder/trace/messages/byte_window.h"
#include "hw/interface/trace/message_parser.h"

#include <istream>

namespace pes::trace {

struct TraceItem {
    enum class Kind : std::uint8_t {
        Message,
        Damage,   ///< bytes that are not a readable message
        Truncated ///< the file ends inside a message
    };

    Kind kind = Kind::Message;
    ParseStatus status = ParseStatus::Message; ///< what is wrong with damage
    bool doubtful = false;                     ///< message: holds a value without assigned meaning
    std::uint8_t code = 0;    ///< TCODE of the first byte, also of what is not readable
    std::uint64_t offset = 0; ///< of its first byte in the file
    std::uint64_t size = 0;
    TraceMessage message; ///< of damage only the source of an unknown code has a meaning
};

/// Where a stream begins.
enum class StreamStart : std::uint8_t {
    AtMessage,
    /// Anywhere: the start of what was the oldest message in a circular buffer has been
    /// overwritten. Its end may look like a message, with a time or place of its own, so everything
    /// up to the first end of a message is left out.
    InMessage,
};

/// Where it ends.
enum class StreamEnd : std::uint8_t {
    BehindMessage,
    InMessage, ///< anywhere: the buffer stopped when it was full
};

class TraceReader {
  public:
    TraceReader(std::istream& input, unsigned source_bits,
                StreamStart start = StreamStart::AtMessage,
                AddressForm addresses = AddressForm::Plain);

    /// Adds all bytes of the stream, as they are read, to `sum`.
    void add_bytes_to(Crc32& sum) { window_.add_bytes_to(sum); }

    /// False at the end of the stream or on a read error (`input.bad()`).
    bool next(TraceItem& item);

    std::uint64_t bytes() const {
        return window_.offset();
    } ///< consumed so far, all of it in the end
    std::uint64_t idle_bytes() const { return idle_bytes_; }
    std::uint64_t cut_bytes() const { return cut_bytes_; } ///< left out at the start

  private:
    /// At least one whole message, unless the file ends before.
    std::span<const std::uint8_t> fill() { return window_.fill(kMostSlices); }
    void leave_out_start();
    void finish_damage(TraceItem& item, bool ended);

    ByteWindow window_;
    unsigned source_bits_;
    AddressForm addresses_;
    StreamStart start_;
    std::uint64_t idle_bytes_ = 0;
    std::uint64_t cut_bytes_ = 0;
};

} // namespace pes::trace
