// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_context.h"

#include <bit>

namespace pes::trace {
namespace {

/// The field with an address, if the message has one.
std::optional<Field> address_field(const TraceMessage& message) {
    if (message.has(Field::Address)) {
        return Field::Address;
    }
    if (message.code != MessageCode::InCircuitTrace &&
        message.code != MessageCode::InCircuitTraceSync) {
        return std::nullopt;
    }
    const bool control =
        static_cast<EventSource>(message.value(Field::EventSource)) == EventSource::Control;
    // The only value of a control event is its code.
    return control && !message.has(Field::EventData1) ? std::nullopt
                                                      : std::optional(Field::EventData0);
}

/// False for an event of a kind that does not exist: what it says may be an address or not.
bool is_assigned(const TraceMessage& message) {
    for (const FieldLayout& field : layout_of(message.code).fields) {
        if (field.packing == Packing::Fixed && field.bits != 0 &&
            (field.assigned >> message.value(field.field) & 1) == 0) {
            return false;
        }
    }
    return true;
}

bool is_event(const TraceMessage& message, EventSource kind) {
    return message.has(Field::EventSource) &&
           static_cast<EventSource>(message.value(Field::EventSource)) == kind;
}

std::uint64_t shift_signed(std::uint64_t address) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(address) >> 1);
}

} // namespace

std::uint64_t extend_address(std::uint64_t address, std::optional<unsigned> bits) {
    if (bits) {
        const unsigned unused = 64 - *bits;
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(address << unused) >> unused);
    }
    constexpr std::uint64_t kWidths =
        1ULL << 39 | 1ULL << 40 | 1ULL << 48 | 1ULL << 49 | 1ULL << 57 | 1ULL << 58;
    constexpr unsigned kKernelBits = 32; // its code lies in the last 4 GiB
    const auto width = static_cast<unsigned>(std::bit_width(address));
    const bool kernel = width < 64 && (kWidths >> width & 1) != 0 &&
                        (address >> kKernelBits) + 1 == 1ULL << (width - kKernelBits);
    return kernel ? address | ~std::uint64_t{0} << width : address;
}

MessageContext ContextTracker::next(const TraceItem& item) {
    if (item.kind != TraceItem::Kind::Message) {
        lose(item);
        return {};
    }
    const TraceMessage& message = item.message;
    Source& from = source(message.source);
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
    follow_address(message, from.reference, context);
    if (message.code == MessageCode::Error) { // its own timestamp still continues the old times
        from.clock.lose();
        from.reference.lose();
    }
    return context;
}

void ContextTracker::follow_address(const TraceMessage& message, AddressReference& reference,
                                    MessageContext& context) const {
    const std::optional<Field> field = address_field(message);
    if (!field) {
        return;
    }
    if (*field == Field::EventData0 && !is_assigned(message)) {
        reference.lose();
        return;
    }
    const std::uint64_t before = reference.current().value_or(0);
    if (is_event(message, EventSource::Counters)) { // they belong to the event in front of them
        if (reference.known()) {
            context.address.emplace(extend_address(before, address_bits_));
        }
        return;
    }
    const bool full = layout_of(message.code).timestamp == TimestampKind::Absolute;
    const std::uint64_t value = message.value(*field);
    const auto sent = full ? reference.from_full(value) : reference.from_unique(value);
    if (!sent) {
        return;
    }
    const std::uint64_t address = extend_address(*sent, address_bits_);
    context.address.emplace(address);
    const std::uint64_t difference = full ? 0 : extend_address(before, address_bits_);
    if ((address ^ difference) != value << 1) {
        context.extended_field.emplace(shift_signed(address ^ difference));
    }
    if (is_event(message, EventSource::CallReturn) && message.has(Field::EventData1)) {
        // The second value is where control went, relative to where it came from.
        const auto target = reference.from_unique(message.value(Field::EventData1));
        context.destination.emplace(extend_address(*target, address_bits_));
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
