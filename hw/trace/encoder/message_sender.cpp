// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/message_sender.h"

#include <algorithm>
#include <limits>

namespace pes::trace {
namespace {

// Bits of ECODE: what was lost. N-Trace 1.0 only; SiFive's encoders send 0.
constexpr std::uint64_t kProgramTraceLost = 1U << 2;
constexpr std::uint64_t kOwnershipLost = 1U << 3;
constexpr std::uint64_t kVendorLost = 1U << 7;

bool synchronises(MessageCode code) {
    return layout_of(code).timestamp == TimestampKind::Absolute;
}

} // namespace

MessageSender::MessageSender(MessageQueue& queue, const TimestampUnit& timestamps,
                             TimestampFormat format)
    : queue_(queue), timestamps_(timestamps),
      format_(format), state_{.times = TimestampCompressor(format)} {}

void MessageSender::start() {
    accepting_ = true;
    state_.time_known = false;
}

void MessageSender::stop(Cycle at) {
    if (accepting_ && state_.loss_due) {
        StreamState state = state_;
        Burst burst;
        const Cycle now = std::max(at, last_);
        introduce(burst, now, state);
        if (burst.bytes <= queue_.free()) {
            state_ = state;
            lost_kinds_ = 0;
            put(burst, now);
        }
    }
    accepting_ = false;
}

void MessageSender::abandon(Cycle at) {
    accepting_ = false;
    counts_.lost += queue_.messages();
    queue_.clear();
    if (hart_ != nullptr) {
        hart_->stop_waiting(at);
    }
}

void MessageSender::reset(Cycle at) {
    abandon(at);
    stalled_or_overflowed_ = false;
    lost_kinds_ = 0;
    losing_ = false;
    state_ = {.times = TimestampCompressor(format_)};
}

SendResult MessageSender::send(const TraceMessage& message, Cycle at) {
    return transmit(message, Origin::Tracer, at);
}

MessageSender::Instrumented MessageSender::instrument(const TraceMessage& message, Cycle at) {
    const bool after_loss = state_.loss_due;
    if (transmit(message, Origin::Stimulus, at) == SendResult::Lost) {
        return Instrumented::Lost;
    }
    return after_loss ? Instrumented::Resumed : Instrumented::Sent;
}

SendResult MessageSender::transmit(const TraceMessage& message, Origin origin, Cycle at) {
    if (!accepting_) {
        return SendResult::Lost;
    }
    announce(at);
    return send_alone(message, origin, at) ? SendResult::Sent : send_burst(message, origin, at);
}

/// With what comes before it, or when there is room for it.
[[gnu::noinline]] SendResult MessageSender::send_burst(const TraceMessage& message, Origin origin,
                                                       Cycle at) {
    Cycle from = at;
    while (accepting_) {
        if (state_.loss_due && origin == Origin::Tracer && !synchronises(message.code)) {
            return lose(message, origin);
        }
        StreamState state = state_;
        const Burst burst = compose(message, origin, std::max(at, last_), state);
        if (burst.bytes <= queue_.free()) {
            if (state_.loss_due) {
                lost_kinds_ = 0;
            }
            state_ = state;
            put(burst, from);
            return SendResult::Sent;
        }
        if (!make_room(burst.bytes, from) && accepting_) {
            return lose(message, origin);
        }
    }
    ++counts_.lost; // trace was ended while the message waited
    return SendResult::Lost;
}

std::size_t MessageSender::free_bytes(Cycle at) {
    if (hart_ == nullptr || settings_.when_full == FullFifo::DropMessage) {
        return std::numeric_limits<std::size_t>::max();
    }
    announce(at);
    return queue_.free();
}

std::size_t MessageSender::room(Cycle at, std::size_t field_slices) {
    constexpr unsigned kFixed = 4 + 2; // SYNC and B-TYPE, or CKSRC and CKDF
    const std::size_t most =
        slices(kCodeBits + settings_.source_bits + kFixed) + field_slices + slices(format_.bits);
    return free_bytes(at) / most;
}

void MessageSender::announce(Cycle at) {
    if (hart_ != nullptr) {
        hart_->about_to_send(std::max(at, last_));
    }
}

SendResult MessageSender::insert(std::span<const PackedMessage> packets, Cycle at) {
    std::size_t bytes = 0;
    for (const PackedMessage& packet : packets) {
        bytes += packet.size;
    }
    Cycle from = at;
    if (!accepting_) {
        return SendResult::Lost;
    }
    announce(at);
    while (accepting_) {
        if (bytes <= queue_.free()) {
            for (const PackedMessage& packet : packets) {
                put(packet, std::max(at, last_), from);
            }
            losing_ = false;
            return SendResult::Sent;
        }
        if (!make_room(bytes, from) && accepting_) {
            count_loss();
            return SendResult::Lost;
        }
    }
    ++counts_.lost; // trace was ended while they waited
    return SendResult::Lost;
}

// What ends a period of loss is repeated with every instruction; these count as one.
void MessageSender::count_loss() {
    stalled_or_overflowed_ = true;
    if (!losing_) {
        losing_ = true;
        resumption_lost_ = false;
        ++counts_.overflows;
        ++counts_.lost;
    } else if (!resumption_lost_) {
        resumption_lost_ = true;
        ++counts_.lost;
    }
}

// The usual case: nothing has to be sent before the message, and there is room.
bool MessageSender::send_alone(const TraceMessage& message, Origin origin, Cycle at) {
    const bool introduced = state_.loss_due || (origin == Origin::Stimulus && time_due(state_));
    if (introduced) {
        return false;
    }
    const Cycle now = std::max(at, last_);
    if (queue_.free() >= kMostSlices) [[likely]] { // whatever its values
        put(pack(message, wants_timestamp(message.code), now, state_), now, now);
        return true;
    }
    StreamState state = state_;
    const PackedMessage packed = pack(message, wants_timestamp(message.code), now, state);
    if (packed.size > queue_.free()) {
        return false;
    }
    state_ = state;
    put(packed, now, now);
    return true;
}

// True if the caller should try again. Meanwhile others may have sent messages, or stopped or
// started the trace.
bool MessageSender::make_room(std::size_t bytes, Cycle& from) {
    if (hart_ == nullptr) {
        return false;
    }
    hart_->catch_up(from);
    if (bytes <= queue_.free()) {
        return true;
    }
    return accepting_ && settings_.when_full == FullFifo::StallHart && stall(bytes, from);
}

bool MessageSender::stall(std::size_t bytes, Cycle& from) {
    stalled_or_overflowed_ = true;
    ++counts_.stalls;
    const Cycle begin = from;
    while (accepting_ && bytes > queue_.free()) {
        const Cycle pulled = hart_->wait_for_pull(from);
        if (pulled == kNever) {
            return false;
        }
        from = std::max(from, pulled);
    }
    counts_.stall_cycles += from - begin;
    return true;
}

SendResult MessageSender::lose(const TraceMessage& message, Origin origin) {
    if (!state_.loss_due) {
        state_.loss_due = true;
        resumption_lost_ = false;
        ++counts_.overflows;
        ++counts_.lost;
        stalled_or_overflowed_ = true;
    } else if (origin == Origin::Tracer && synchronises(message.code)) {
        // A synchronising message is retried with every instruction. Only the last of these could
        // have been read, so they count as one.
        counts_.lost += resumption_lost_ ? 0 : 1;
        resumption_lost_ = true;
    } else {
        ++counts_.lost;
    }
    if (message.code == MessageCode::Ownership) {
        lost_kinds_ |= kOwnershipLost;
    } else {
        lost_kinds_ |= origin == Origin::Tracer ? kProgramTraceLost : kVendorLost;
    }
    return SendResult::Lost;
}

// ------------------------------------------------------------------------------------------------
// Messages

MessageSender::Burst MessageSender::compose(const TraceMessage& message, Origin origin, Cycle at,
                                            StreamState& state) const {
    Burst burst;
    introduce(burst, at, state);
    const bool timestamp = wants_timestamp(message.code);
    if (origin == Origin::Stimulus && timestamp && time_due(state)) {
        const Cycle behind = state.time_known ? at : at + 1;
        add(burst,
            make_message(MessageCode::InCircuitTraceSync)
                .set(Field::EventSource, EventSource::Control)
                .set(Field::DataFormat, 0)
                .set(Field::EventData0, ControlCode::None),
            true, at, state);
        add(burst, message, timestamp, behind, state);
        return burst;
    }
    add(burst, message, timestamp, at, state);
    return burst;
}

void MessageSender::introduce(Burst& burst, Cycle at, StreamState& state) const {
    if (state.loss_due) {
        add(burst,
            make_message(MessageCode::Error)
                .set(Field::ErrorType, 0) // FIFO overrun
                .set(Field::ErrorCode, error_code()),
            wants_timestamp(MessageCode::Error), at, state);
        state.time_known = false; // readers do not trust the time behind an Error message
        state.loss_due = false;
    }
}

void MessageSender::add(Burst& burst, const TraceMessage& message, bool timestamp, Cycle at,
                        StreamState& state) const {
    const PackedMessage& packed = burst.messages[burst.count] = pack(message, timestamp, at, state);
    burst.times[burst.count] = at;
    burst.bytes += packed.size;
    ++burst.count;
}

PackedMessage MessageSender::pack(const TraceMessage& message, bool timestamp, Cycle at,
                                  StreamState& state) const {
    const TimestampKind kind = layout_of(message.code).timestamp;
    Stamp stamp;
    stamp.source = static_cast<std::uint16_t>(settings_.source);
    if (timestamp && (kind == TimestampKind::Absolute || state.time_known)) {
        stamp.timestamp = state.times.compress(timestamps_.time(at), kind);
        state.time_known = true;
        state.relative = kind == TimestampKind::Absolute ? 0 : state.relative + 1;
    }
    return pack_message(message, settings_.source_bits, stamp, settings_.addresses);
}

void MessageSender::put(const Burst& burst, Cycle from) {
    for (std::size_t n = 0; n < burst.count; ++n) {
        put(burst.messages[n], burst.times[n], from);
    }
}

// A message that waited for room is ready from then on; the next one of the same instruction still
// has the instruction's time, and the queue keeps it behind the first.
void MessageSender::put(const PackedMessage& message, Cycle time, Cycle from) {
    last_ = std::max(last_, time);
    ++counts_.messages;
    counts_.extended_addresses |= settings_.addresses == AddressForm::Extended;
    counts_.bytes += message.size;
    queue_.push(message.view(), std::max(time, from));
}

bool MessageSender::wants_timestamp(MessageCode code) const {
    switch (code) {
    case MessageCode::Ownership:
        return timestamps_.on_ownership();
    case MessageCode::DataAcquisition:
    case MessageCode::AuxAccessWrite:
        return timestamps_.on_instrumentation();
    case MessageCode::DirectBranch:
    case MessageCode::ResourceFull:
    case MessageCode::RepeatBranch:
        return timestamps_.on_all_branches();
    case MessageCode::Error:
        return timestamps_.on_indirect_branches() || timestamps_.on_instrumentation() ||
               timestamps_.on_ownership();
    default: // flow changes that need an address, synchronising messages, events, the end
        return timestamps_.on_indirect_branches();
    }
}

bool MessageSender::time_due(const StreamState& state) const {
    return !state.time_known ||
           (settings_.most_relative != 0 && state.relative >= settings_.most_relative);
}

std::uint64_t MessageSender::error_code() const {
    return format_.dialect == TimestampDialect::NTrace ? lost_kinds_ : 0;
}

// The bounds are those of the layouts with all bits of every field set.
bool MessageSender::has_room() const {
    const unsigned head = kCodeBits + settings_.source_bits;
    const std::size_t timestamp = slices(format_.bits);
    std::size_t needed = slices(head + 7) + slices(32) + timestamp;
    if (state_.loss_due) {
        needed += slices(head + 4 + 8) + timestamp;
    }
    if (state_.loss_due || time_due(state_)) {
        needed += slices(head + 4 + 2 + 1) + timestamp;
    }
    return needed <= queue_.free();
}

} // namespace pes::trace
