// SPDX-License-Identifier: Apache-2.0
// Counters in event trace: an in-circuit trace message with CKSRC 12 and CKDF 1 tells eight of 16
// bits, CKDATA0 counters 0 to 3 and CKDATA1 counters 4 to 7, the lowest number in the lowest bits.
// It has no address: it belongs to the event (or PC sample) in front of it, and moves no reference.
#pragma once

#include "hw/interface/trace/message.h"

namespace pes::trace {

inline constexpr unsigned kEventCounters = 8;
inline constexpr unsigned kEventCounterBits = 16;
using EventCounters = std::array<std::uint16_t, kEventCounters>;

inline TraceMessage make_counters_message(const EventCounters& counters) {
    std::array<std::uint64_t, 2> data{};
    for (unsigned i = 0; i < kEventCounters; ++i) {
        data[i / 4] |= std::uint64_t{counters[i]} << (kEventCounterBits * (i % 4));
    }
    return make_message(MessageCode::InCircuitTrace)
        .set(Field::EventSource, EventSource::Counters)
        .set(Field::DataFormat, 1U)
        .set(Field::EventData0, data[0])
        .set(Field::EventData1, data[1]);
}

/// Nothing if the message is no such one.
inline std::optional<EventCounters> counters_of(const TraceMessage& message) {
    const bool of_event = message.code == MessageCode::InCircuitTrace ||
                          message.code == MessageCode::InCircuitTraceSync;
    if (!of_event || !message.has(Field::EventData1) ||
        static_cast<EventSource>(message.value(Field::EventSource)) != EventSource::Counters) {
        return std::nullopt;
    }
    const std::array data{message.value(Field::EventData0), message.value(Field::EventData1)};
    EventCounters counters{};
    for (unsigned i = 0; i < kEventCounters; ++i) {
        counters[i] = static_cast<std::uint16_t>(data[i / 4] >> (kEventCounterBits * (i % 4)));
    }
    return counters;
}

} // namespace pes::trace
