// SPDX-License-Identifier: Apache-2.0
// Event messages for tests.
#pragma once

#include "tests/unit/decoder/trace/trace_bytes.h"

#include <optional>

namespace pes::trace::test {

/// Event messages as an encoder sends them: the first one with F-ADDR, the others with U-ADDR.
class EventWriter {
  public:
    EventWriter& event(std::uint64_t time, EventSource kind, std::uint64_t address,
                       std::optional<std::uint64_t> value = std::nullopt) {
        const bool sync = !reference_;
        TraceMessage message = begin(sync, kind, value.has_value() ? 1 : 0);
        message.set(Field::EventData0, (address ^ reference_.value_or(0)) >> 1);
        if (value) {
            message.set(Field::EventData1, *value);
        }
        reference_ = address;
        trace_.at(time, message);
        return *this;
    }
    /// A call or return that has to say where it goes.
    EventWriter& transfer(std::uint64_t time, std::uint64_t address, std::uint64_t destination) {
        event(time, EventSource::CallReturn, address, (address ^ destination) >> 1);
        reference_ = destination;
        return *this;
    }
    EventWriter& message(std::uint64_t time, const TraceMessage& message) {
        trace_.at(time, message);
        return *this;
    }
    EventWriter& synchronise() { // with the next event
        reference_.reset();
        return *this;
    }

    static TraceMessage begin(bool sync, EventSource kind, std::uint64_t format) {
        return make_message(sync ? MessageCode::InCircuitTraceSync : MessageCode::InCircuitTrace)
            .set(Field::EventSource, static_cast<std::uint64_t>(kind))
            .set(Field::DataFormat, format);
    }
    const std::string& bytes() const { return trace_.bytes(); }

  private:
    TraceWriter trace_{0};
    std::optional<std::uint64_t> reference_;
};

} // namespace pes::trace::test
