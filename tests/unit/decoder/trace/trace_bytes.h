// SPDX-License-Identifier: Apache-2.0
// Trace files for tests: messages with times, packed as an encoder would.
#pragma once

#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/timestamp.h"

#include <map>
#include <string>

namespace pes::trace::test {

class TraceWriter {
  public:
    explicit TraceWriter(unsigned source_bits, TimestampFormat format = {})
        : source_bits_(source_bits), format_(format) {}

    TraceWriter& at(std::uint64_t time, TraceMessage message) {
        TimestampCompressor& clock = clocks_.try_emplace(message.source, format_).first->second;
        message.timestamp = clock.compress(time, layout_of(message.code).timestamp);
        return untimed(message);
    }

    TraceWriter& untimed(const TraceMessage& message) {
        const PackedMessage packed = pack_message(message, source_bits_);
        bytes_.append(packed.bytes.begin(), packed.bytes.begin() + packed.size);
        return *this;
    }

    TraceWriter& raw(std::string_view bytes) {
        bytes_ += bytes;
        return *this;
    }

    const std::string& bytes() const { return bytes_; }

  private:
    unsigned source_bits_;
    TimestampFormat format_;
    std::map<std::uint16_t, TimestampCompressor> clocks_;
    std::string bytes_;
};

inline TraceMessage stimulus_write(std::uint64_t tag, std::uint64_t data,
                                   std::uint16_t source = 0) {
    TraceMessage message =
        make_message(MessageCode::DataAcquisition).set(Field::IdTag, tag).set(Field::Data, data);
    message.source = source;
    return message;
}

/// The event that carries nothing but the absolute time.
inline TraceMessage time_event(std::uint16_t source = 0) {
    TraceMessage message = make_message(MessageCode::InCircuitTraceSync);
    message.source = source;
    return message;
}

} // namespace pes::trace::test
