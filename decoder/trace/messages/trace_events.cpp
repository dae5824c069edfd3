// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_events.h"

namespace pes::trace {

const char* to_string(EventSource kind) {
    switch (kind) {
    case EventSource::Control:
        return "control";
    case EventSource::ExternalTrigger:
        return "trigger";
    case EventSource::CallReturn:
        return "call-return";
    case EventSource::Exception:
        return "exception";
    case EventSource::Interrupt:
        return "interrupt";
    case EventSource::Counters:
        return "counters";
    case EventSource::Context:
        return "context";
    case EventSource::Watchpoint:
        return "watchpoint";
    case EventSource::PcSample:
        return "pc-sample";
    }
    return "reserved";
}

std::optional<TraceEvent> event_of(const TraceItem& item, const MessageContext& context) {
    const TraceMessage& message = item.message;
    if (item.kind != TraceItem::Kind::Message ||
        (message.code != MessageCode::InCircuitTrace &&
         message.code != MessageCode::InCircuitTraceSync)) {
        return std::nullopt;
    }
    TraceEvent event;
    event.source = message.source;
    event.time = context.time;
    event.kind = static_cast<EventSource>(message.value(Field::EventSource));
    event.address = context.address;
    event.counters = counters_of(message);
    event.has_value = message.has(Field::EventData1);
    event.value = message.value(event.has_value ? Field::EventData1 : Field::EventData0);
    event.destination = context.destination;
    return event;
}

std::optional<Ownership> ownership_of(const TraceItem& item, const MessageContext& context) {
    const TraceMessage& message = item.message;
    if (item.kind != TraceItem::Kind::Message || message.code != MessageCode::Ownership) {
        return std::nullopt;
    }
    const std::uint64_t process = message.value(Field::Process);
    constexpr std::uint64_t kReservedFormat = 1;
    if ((process & 3) == kReservedFormat) {
        return std::nullopt;
    }
    Ownership ownership;
    ownership.source = message.source;
    ownership.time = context.time;
    ownership.process = process;
    ownership.context = process >> 5;
    ownership.privilege = static_cast<unsigned>(process >> 2 & 3);
    ownership.virtualised = (process >> 4 & 1) != 0;
    return ownership;
}

std::optional<ProcessChange> process_change(const TraceItem& item, const MessageContext& context) {
    constexpr std::uint64_t kTagBits = 2;
    constexpr std::uint64_t kSupervisorTag = 2;
    if (const auto ownership = ownership_of(item, context)) {
        return ownership->names_process()
                   ? std::optional(ProcessChange{ownership->source, ownership->context})
                   : std::nullopt;
    }
    const auto event = event_of(item, context);
    if (!event || event->kind != EventSource::Context || !event->has_value ||
        (event->value & ((1U << kTagBits) - 1)) != kSupervisorTag) {
        return std::nullopt;
    }
    return ProcessChange{event->source, event->value >> kTagBits};
}

} // namespace pes::trace
