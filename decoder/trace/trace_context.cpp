// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_context.h"

#include "hw/common/trace/format_statement.h"

namespace pes::trace {
namespace {

std::optional<std::uint64_t> expand_address(const TraceMessage& message, Field field,
                                            AddressReference& reference) {
    const bool full = layout_of(message.code).timestamp == TimestampKind::Absolute;
    return full ? reference.from_full(message.value(field))
                : reference.from_unique(message.value(field));
}

/// It may have moved the reference.
std::optional<std::uint64_t> unknown_event(AddressReference& reference) {
    reference.lose();
    return std::nullopt;
}

std::optional<std::uint64_t> event_address(const TraceMessage& message,
                                           AddressReference& reference) {
    const bool two_values = message.has(Field::EventData1);
    if (!two_values && message.value(Field::DataFormat) != 0) {
        return unknown_event(reference);
    }
    std::optional<std::uint64_t> address;
    switch (static_cast<EventSource>(message.value(Field::EventSource))) {
    case EventSource::Control:
        // Without a second value its only one is the control code.
        return two_values ? expand_address(message, Field::EventData0, reference) : std::nullopt;
    case EventSource::Counters:
        return reference.current(); // they belong to the event in front of them
    case EventSource::CallReturn:
        address = expand_address(message, Field::EventData0, reference);
        if (two_values) {
            // The second value is where control went, relative to where it came from.
            reference.from_unique(message.value(Field::EventData1));
        }
        return address;
    case EventSource::ExternalTrigger:
    case EventSource::Exception:
    case EventSource::Interrupt:
    case EventSource::Context:
    case EventSource::Watchpoint:
    case EventSource::PcSample:
        return expand_address(message, Field::EventData0, reference);
    }
    return unknown_event(reference);
}

std::optional<std::uint64_t> program_address(const TraceMessage& message,
                                             AddressReference& reference) {
    switch (message.code) {
    case MessageCode::IndirectBranch:
    case MessageCode::IndirectBranchHistory:
    case MessageCode::ProgramTraceSync:
    case MessageCode::DirectBranchSync:
    case MessageCode::IndirectBranchSync:
    case MessageCode::IndirectBranchHistorySync:
        return expand_address(message, Field::Address, reference);
    case MessageCode::InCircuitTrace:
    case MessageCode::InCircuitTraceSync:
        return event_address(message, reference);
    default:
        return std::nullopt;
    }
}

} // namespace

MessageContext ContextTracker::next(const TraceItem& item) {
    if (item.kind != TraceItem::Kind::Message) {
        lose(item);
        return {};
    }
    const TraceMessage& message = item.message;
    Source& from = source(message.source);
    follow_statement(from, message);
    MessageContext context;
    // Values are put in place one by one: copied as a whole, they would wait for their parts to
    // arrive in memory, once for each message.
    if (message.timestamp &&
        from.clock.advance(*message.timestamp, layout_of(message.code).timestamp)) {
        context.time.emplace(from.clock.time());
    }
    if (message.code == MessageCode::DataAcquisition) {
        return context; // the bulk of many traces has no address
    }
    if (const auto address = program_address(message, from.reference)) {
        context.address.emplace(*address);
    }
    if (message.code == MessageCode::Error) { // its own timestamp still continues the old times
        from.clock.lose();
        from.reference.lose();
    }
    return context;
}

void ContextTracker::follow_statement(Source& source, const TraceMessage& message) const {
    if (message.code != MessageCode::Ownership || statements_ == FormatStatements::Ignore) {
        return;
    }
    const std::optional<TimestampFormat> stated = stated_format(message);
    if (stated && *stated != source.format) {
        source.format = *stated;
        source.clock = TimestampExpander(*stated);
    }
}

ContextTracker::Source& ContextTracker::source(std::uint16_t number) {
    if (recent_ == sources_.end() || recent_->first != number) {
        recent_ = sources_.try_emplace(number, format_).first;
    }
    return recent_->second;
}

/// Who sent it is known only of a whole message with an unknown code.
void ContextTracker::lose(const TraceItem& item) {
    if (item.status == ParseStatus::UnknownCode) {
        source(item.message.source).clock.lose();
        source(item.message.source).reference.lose();
        return;
    }
    for (auto& [number, from] : sources_) {
        from.clock.lose();
        from.reference.lose();
    }
}

} // namespace pes::trace
