// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/records/perf_stream.h"

#include <bit>
#include <span>
#include <utility>

namespace pes::trace {

using namespace perf_record;
using Reason = PerfLoss::Reason;

namespace {

bool is_marker(const PerfWrite& write) {
    return write.bytes == 4 && write.value == kMarker;
}

/// The write could be the one behind the marker of a header.
bool is_count_type(const PerfWrite& write) {
    return write.bytes == 1 && write.value < kCountTypes;
}

bool is_kind(const PerfWrite& write) {
    return write.bytes == 1 && write.value < kRecordKinds;
}

/// The writes are one record with that many values, no more and no less.
bool is_whole_record(std::span<const PerfWrite> writes, int values) {
    std::size_t next = 0;
    const auto take = [&](unsigned bytes) {
        const bool there = next < writes.size() && writes[next].bytes == bytes;
        next += there ? 1 : 0;
        return there;
    };
    if (!take(1)) {
        return false;
    }
    const int addresses = has_call_site(static_cast<RecordKind>(writes.front().value)) ? 2 : 1;
    for (int address = 0; address < addresses; ++address) {
        if (!take(4) || ((writes[next - 1].value & kHighAddressFollows) != 0 && !take(4))) {
            return false;
        }
    }
    for (int value = 0; value < values; ++value) {
        if (!take(4)) {
            return false;
        }
        take(2);
    }
    return next == writes.size();
}

} // namespace

const char* describe(Reason reason) {
    switch (reason) {
    case Reason::MessagesLost:
        return "messages of the trace are lost";
    case Reason::NoHeader:
        return "no header before them";
    case Reason::UnexpectedWrite:
        return "write of an unexpected size";
    case Reason::UnknownKind:
        return "unknown record kind";
    case Reason::UnknownCountType:
        return "unknown count type";
    case Reason::UnknownEventType:
        return "unknown event type";
    case Reason::HeaderInside:
        return "a header inside of a record";
    case Reason::TraceEnded:
        return "the trace ends inside of them";
    }
    return "";
}

void PerfStream::add(const PerfWrite& write) {
    if (doubt_) {
        resolve_doubt(write);
    }
    step(write);
}

void PerfStream::step(const PerfWrite& write) {
    if (std::exchange(after_marker_, is_marker(write)) && is_count_type(write) &&
        header_inside(write)) {
        return;
    }
    bool fits = true;
    switch (state_) {
    case State::Searching:
        search(write);
        return;
    case State::Proving:
        prove(write);
        return;
    case State::CountType:
    case State::Mask:
    case State::EventType:
    case State::EventCode:
    case State::EventHigh:
    case State::Info:
        fits = step_header(write);
        break;
    default:
        fits = step_record(write);
        break;
    }
    if (!fits) { // lose() has been called: the write may be the beginning of something
        after_marker_ = is_marker(write);
        state_ == State::Proving ? prove(write) : search(write);
    }
}

/// A byte behind what may be a marker. The coding has the pair [marker][count type] at the start of
/// a header, and else only where the marker is the last value of a record by chance and the byte
/// the kind of the next: which of them it is will be seen at the next write.
bool PerfStream::header_inside(const PerfWrite& write) {
    if (state_ == State::CountType) {
        return false;
    }
    if (state_ == State::ValueEnd && std::has_single_bit(remaining_)) {
        doubt_ = write;
        return true;
    }
    if (state_ == State::Proving) {
        const PerfWrite marker = proof_[--proof_size_];
        if (is_whole_record({proof_.data(), proof_size_}, std::popcount(mask_))) {
            replay_proof();
            step_record(marker);
        } else {
            drop_proof();
            begin_header();
        }
    } else {
        lose(Reason::HeaderInside, write.offset);
        begin_header();
    }
    step_header(write);
    return true;
}

/// A header repeats the mask; no program has code at such an address.
void PerfStream::resolve_doubt(const PerfWrite& write) {
    const PerfWrite byte = *doubt_;
    doubt_.reset();
    if (write.bytes == 4 && write.value == mask_) {
        lose(Reason::HeaderInside, byte.offset);
        begin_header();
        step_header(byte);
    } else {
        after_marker_ = false;
        step(byte);
    }
}

void PerfStream::search(const PerfWrite& write) {
    if (is_marker(write)) {
        begin_header();
        return;
    }
    if (!loss_) {
        loss_ = PerfLoss{Reason::NoHeader, write.offset, 0};
    }
    ++loss_->writes;
}

void PerfStream::prove(const PerfWrite& write) {
    if (proof_size_ == kMostWrites) {
        drop_proof();
    }
    if (proof_size_ == 0) {
        if (is_kind(write)) {
            proof_[proof_size_++] = write;
        } else {
            search(write);
        }
        return;
    }
    if (write.bytes != 1) {
        proof_[proof_size_++] = write;
        return;
    }
    if (is_whole_record({proof_.data(), proof_size_}, std::popcount(mask_))) {
        replay_proof();
        step(write);
        return;
    }
    drop_proof();
    prove(write);
}

void PerfStream::replay_proof() {
    resynchronised();
    state_ = State::Kind;
    const std::size_t size = std::exchange(proof_size_, 0);
    for (std::size_t index = 0; index < size; ++index) {
        step_record(proof_[index]); // it has been checked to fit
    }
    after_marker_ = false;
}

void PerfStream::drop_proof() {
    loss_->writes += std::exchange(proof_size_, 0); // Proving begins with a loss
}

void PerfStream::begin_header() {
    resynchronised();
    header_known_ = false;
    after_marker_ = false;
    state_ = State::CountType;
    reference_ = 0;
    running_.fill(0);
    wraps_.fill(0);
}

bool PerfStream::step_header(const PerfWrite& write) {
    if (write.bytes != (state_ == State::CountType ? 1U : 4U)) {
        return refuse(Reason::UnexpectedWrite, write.offset);
    }
    switch (state_) {
    case State::CountType:
        if (write.value >= kCountTypes) {
            return refuse(Reason::UnknownCountType, write.offset);
        }
        type_ = static_cast<CountType>(write.value);
        sink_->count_type(source_, type_, write.time);
        state_ = State::Mask;
        return true;
    case State::Mask:
        return take_mask(write);
    case State::EventType:
        if (write.value >= kEventTypes) {
            return refuse(Reason::UnknownEventType, write.offset);
        }
        definition_ = {};
        definition_.counter = static_cast<unsigned>(std::countr_zero(remaining_));
        definition_.type = static_cast<EventType>(write.value);
        state_ = State::EventCode;
        return true;
    case State::EventCode:
        definition_.event = write.value;
        state_ = event_words(definition_.type) == 2 ? State::EventHigh : State::Info;
        return true;
    case State::EventHigh:
        definition_.event |= std::uint64_t{write.value} << 32;
        state_ = State::Info;
        return true;
    default:
        return take_info(write);
    }
}

bool PerfStream::take_mask(const PerfWrite& write) {
    mask_ = write.value;
    remaining_ = mask_;
    header_known_ = mask_ == 0;
    sink_->mask(source_, mask_, write.time);
    state_ = mask_ == 0 ? State::Kind : State::EventType;
    return true;
}

bool PerfStream::take_info(const PerfWrite& write) {
    definition_.info = unpack_info(write.value);
    widths_[definition_.counter] = static_cast<std::uint8_t>(definition_.info.width);
    sink_->definition(source_, definition_, write.time);
    remaining_ &= remaining_ - 1;
    header_known_ = remaining_ == 0;
    state_ = header_known_ ? State::Kind : State::EventType;
    return true;
}

bool PerfStream::step_record(const PerfWrite& write) {
    switch (state_) {
    case State::Kind:
        return take_kind(write);
    case State::Address:
    case State::AddressHigh:
        return take_address(write);
    case State::ValueEnd:
        return take_value_end(write);
    default:
        if (write.bytes != 4) {
            return refuse(Reason::UnexpectedWrite, write.offset);
        }
        low_ = write.value;
        low_time_ = write.time;
        state_ = State::ValueEnd;
        return true;
    }
}

bool PerfStream::take_kind(const PerfWrite& write) {
    if (is_marker(write)) {
        tell_end();
        begin_header();
        return true;
    }
    if (!is_kind(write)) { // so the record before it did not end well either
        return refuse(write.bytes == 1 ? Reason::UnknownKind : Reason::UnexpectedWrite,
                      write.offset);
    }
    tell_end();
    record_ = {};
    record_.kind = static_cast<RecordKind>(write.value);
    record_.started = write.time;
    call_site_next_ = false;
    state_ = State::Address;
    return true;
}

bool PerfStream::take_address(const PerfWrite& write) {
    if (write.bytes != 4) {
        return refuse(Reason::UnexpectedWrite, write.offset);
    }
    if (state_ == State::AddressHigh) {
        address_complete(std::uint64_t{write.value} << 32 | low_, write.time);
    } else if ((write.value & kHighAddressFollows) != 0) {
        low_ = write.value & ~kHighAddressFollows;
        state_ = State::AddressHigh;
    } else {
        address_complete(write.value, write.time);
    }
    return true;
}

void PerfStream::address_complete(std::uint64_t coded, TraceTime time) {
    const std::uint64_t address = type_ == CountType::DeltaXor ? coded ^ reference_ : coded;
    reference_ = address;
    (call_site_next_ ? record_.call_site : record_.address) = address;
    if (!call_site_next_ && has_call_site(record_.kind)) {
        call_site_next_ = true;
        state_ = State::Address;
        return;
    }
    record_.time = time;
    sink_->address(source_, record_);
    remaining_ = mask_;
    next_value();
}

void PerfStream::next_value() {
    state_ = remaining_ != 0 ? State::Value : State::Kind;
    ended_ = remaining_ == 0;
}

void PerfStream::tell_end() {
    if (std::exchange(ended_, false)) {
        sink_->record_end(source_);
    }
}

/// The write behind a low word: its high half-word, or what shows that it has none.
bool PerfStream::take_value_end(const PerfWrite& write) {
    if (write.bytes == 2) {
        value_complete(std::uint64_t{write.value} << 32 | low_, write.time, write.time,
                       PerfValue::End::Seen);
        return true;
    }
    if (write.bytes == 1 && !std::has_single_bit(remaining_)) {
        return refuse(Reason::UnexpectedWrite, write.offset); // more values had to come
    }
    value_complete(low_, low_time_, write.time, PerfValue::End::Seen);
    return step_record(write);
}

void PerfStream::value_complete(std::uint64_t coded, TraceTime time, TraceTime settled,
                                PerfValue::End end) {
    const auto counter = static_cast<unsigned>(std::countr_zero(remaining_));
    PerfValue value{counter, coded, coded, time, settled, end};
    if (type_ == CountType::DeltaXor) {
        // A wrap sets the bit above the counter in the difference; in the XOR of all differences a
        // second wrap would take it away again.
        const unsigned width = widths_[counter];
        running_[counter] ^= coded;
        value.running = running_[counter];
        value.value = value.running;
        if (width < kMostValueBits) {
            const std::uint64_t wrap = std::uint64_t{1} << width;
            wraps_[counter] += (coded & wrap) != 0 ? wrap : 0;
            value.value = (value.running & (wrap - 1)) + wraps_[counter];
        }
    }
    remaining_ &= remaining_ - 1;
    sink_->value(source_, value);
    next_value();
}

void PerfStream::messages_lost(std::uint64_t offset) {
    doubt_.reset();
    after_marker_ = false;
    if (state_ == State::Proving) {
        drop_proof();
        return;
    }
    if (state_ != State::Searching) {
        tell_end();
        lose(Reason::MessagesLost, offset);
    }
}

void PerfStream::lose(Reason reason, std::uint64_t offset) {
    ended_ = false;
    sink_->torn(source_);
    loss_ = PerfLoss{reason, offset, 0};
    after_marker_ = false;
    const bool can_go_on = header_known_ && type_ != CountType::DeltaXor;
    state_ = can_go_on ? State::Proving : State::Searching;
}

/// `false` for the step that got a write that does not fit.
bool PerfStream::refuse(Reason reason, std::uint64_t offset) {
    lose(reason, offset);
    return false;
}

void PerfStream::resynchronised() {
    if (loss_) {
        sink_->lost(source_, *loss_);
        loss_.reset();
    }
}

void PerfStream::finish(std::uint64_t end_of_file) {
    if (doubt_) { // no header goes on: it was the kind of a record
        const PerfWrite byte = *doubt_;
        doubt_.reset();
        step(byte);
    }
    if (state_ == State::Proving &&
        is_whole_record({proof_.data(), proof_size_}, std::popcount(mask_))) {
        replay_proof();
    }
    switch (state_) {
    case State::Searching:
        break;
    case State::Proving:
        drop_proof();
        break;
    case State::ValueEnd:
        if (std::has_single_bit(remaining_)) {
            value_complete(low_, low_time_, std::nullopt, PerfValue::End::TraceEnded);
            break;
        }
        [[fallthrough]];
    default:
        if (state_ != State::Kind) {
            lose(Reason::TraceEnded, end_of_file);
        }
        break;
    }
    tell_end();
    resynchronised();
    state_ = State::Searching;
}

void PerfStreams::messages_lost(std::uint64_t offset) {
    for (PerfStream& stream : streams_) {
        stream.messages_lost(offset);
    }
}

void PerfStreams::finish(std::uint64_t end_of_file) {
    for (PerfStream& stream : streams_) {
        stream.finish(end_of_file);
    }
}

PerfStream& PerfStreams::grow(std::uint16_t source) {
    while (streams_.size() <= source) {
        streams_.emplace_back(static_cast<std::uint16_t>(streams_.size()), *sink_);
    }
    return streams_[source];
}

} // namespace pes::trace
