// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/memory/write_buffer.h"

#include <algorithm>
#include <bit>

namespace pes {

namespace {

/// Cycles from sending a transaction until the front of the queue is free again.
constexpr Cycle kNextOffered = 2;

/// From the cycle in which a store is taken until it is known whether L1D has its line.
constexpr Cycle kLookUp = 4;

} // namespace

WriteBuffer::WriteBuffer(const TimingConfig& config, Tables& tables)
    : size_(config.write_buffer_words), in_flight_(config.writes_in_flight),
      queue_(config.port_queue), interval_(config.write_interval),
      read_interval_(config.read_interval),
      return_cycles_(config.write_return_cycles + config.memory_latency), tables_(tables) {}

std::uint64_t WriteBuffer::entries(Cycle cycle, std::size_t oldest) {
    std::uint64_t held = 0;
    if (empty_from_ > cycle) {
        const std::size_t looked_at = std::min(kTracked, count_ - oldest);
        for (std::size_t age = 1; age <= looked_at; ++age) {
            const Transaction& transaction = before(count_, age);
            const bool holds = transaction.freed > cycle && !transaction.sent_again;
            held |= std::uint64_t{holds} << age;
        }
    }
    return held;
}

std::uint64_t WriteBuffer::join(Address physical, std::uint64_t held, Cycle from,
                                std::uint64_t size) {
    std::uint64_t not_taken = 0;
    while (not_taken != kTracked && before(count_, not_taken + 1).taken > from) {
        ++not_taken;
    }
    if (not_taken == 0) {
        return tables_.ask<Query::BufferedWord>(physical, held);
    }
    return tables_.ask<Query::JoinWrite>(physical, held | not_sent(not_taken) | store_size(size));
}

WriteBuffer::Place WriteBuffer::place(Address physical, Cycle from, std::uint64_t size) {
    while (oldest_ != count_ && before(oldest_, 0).freed < from) {
        ++oldest_; // stores ask in order
    }
    std::uint64_t held = entries(from - 1, oldest_);
    if (held != 0) {
        const std::uint64_t joined = size == 0 ? tables_.ask<Query::BufferedWord>(physical, held)
                                               : join(physical, held, from, size);
        const std::uint64_t age = joined % 256;
        Transaction& own = before(count_, age);
        if (age != 0 && own.freed > from) {
            return {.granted = from,
                    .merged = count_ - age,
                    .again = own.taken <= from,
                    .left = joined / 256};
        }
    }
    Cycle granted = from;
    while (static_cast<std::size_t>(std::popcount(held)) >= size_) {
        Cycle first_free = kNever;
        for (std::uint64_t ages = held; ages != 0; ages &= ages - 1) {
            const auto age = static_cast<std::size_t>(std::countr_zero(ages));
            first_free = std::min(first_free, before(count_, age).freed);
        }
        granted = first_free + 1;
        held = entries(granted - 1, oldest_);
    }
    return {.granted = granted};
}

Cycle WriteBuffer::accept(Address physical, std::uint64_t size, Cycle from, Cycle device_latency) {
    const Piece store{.physical = physical, .size = size, .device_latency = device_latency};
    const Place place = this->place(physical, from, size);
    if (place.merged == kNone) {
        Cycle ready = this->ready(place);
        if (ready < line_read_until_ && tables_.ask<Query::RefillLine>(physical) != 0) {
            ready = line_read_until_;
        }
        const Sent sent = send(store, ready);
        before(sent.number, 0).looked_up = place.granted + kLookUp;
        send_rest(sent, store);
    } else {
        merge(place, store);
    }
    return place.granted;
}

/// The word of transaction `first` is sent again when that has returned.
WriteBuffer::Sent WriteBuffer::send_again(std::size_t first, const Piece& piece) {
    before(first, 0).sent_again = true;
    const Transaction before = this->before(first, 0);
    const Sent sent = send(piece, before.freed + 1);
    this->before(sent.number, 0).looked_up = before.looked_up;
    this->before(sent.number, 0).first = first;
    return sent;
}

/// The rest of a word after the piece that has been sent. If there are very many pieces, the last
/// ones are not tracked.
void WriteBuffer::send_rest(Sent sent, Piece piece) {
    constexpr std::size_t kMost = kTracked - 8;
    piece.size = kRest;
    while (sent.left != 0 && before(count_, kMost).freed <= before(sent.number, 0).taken) {
        sent = {.number = send_again(sent.number, piece).number, .left = sent.left - 1};
    }
}

/// The transaction of the same word before this one.
std::size_t WriteBuffer::sent_before(std::size_t number) {
    const std::size_t first = before(number, 0).first;
    return first + kTracked < count_ ? kNone : first;
}

/// The store joins the first transaction of the word that is not taken yet, or follows those that
/// are.
void WriteBuffer::merge(const Place& place, const Piece& store) {
    std::size_t last = place.merged;
    look_up_again(last, place.granted);
    if (place.again) {
        send_rest(send_again(last, store), store);
        return;
    }
    std::size_t own = last;
    std::uint64_t behind = 0;
    std::size_t first = sent_before(own);
    while (first != kNone && before(first, 0).taken > place.granted) {
        own = first;
        first = sent_before(own);
        ++behind;
    }
    for (; behind > place.left; --behind) {
        const std::size_t dropped = last;
        last = sent_before(last);
        drop(dropped);
    }
    send_rest({.number = last, .left = place.left - behind}, store);
    if (first == kNone || before(first, 0).freed < place.granted) {
        return;
    }
    look_up_again(first, place.granted);
    before(own, 0).looked_up = before(first, 0).looked_up;
    if (before(first, 0).freed + 1 > before(own, 0).ready) {
        schedule_anew(own);
    }
}

/// A piece of a word that is now sent with the previous one.
void WriteBuffer::drop(std::size_t number) {
    before(before(number, 0).first, 0).sent_again = false;
    tables_.ask<Query::DropWrite>(0, count_ - number);
    --count_;
    for (std::size_t later = number; later != count_; ++later) {
        before(later, 0) = before(later + 1, 0);
        before(later, 0).first -= before(later, 0).first > number ? 1 : 0;
    }
    before(count_, 0) = {};
    refill_.next -= refill_.next > number ? 1 : 0;
    oldest_ = std::min(oldest_, number);
    empty_from_ = 0;
    for (std::size_t age = 1; age <= kTracked; ++age) {
        empty_from_ = std::max(empty_from_, before(count_, age).freed);
    }
    schedule_anew(number);
}

/// A store has changed the entry: L1D is looked up again for its line, or the current lookup
/// continues; the entry is not freed before that is done. [wt_dcache_wbuffer.sv]
void WriteBuffer::look_up_again(std::size_t number, Cycle granted) {
    constexpr Cycle kUnderWay = 2;
    Transaction& write = before(number, 0);
    write.looked_up = write.looked_up >= granted ? std::max(write.looked_up, granted + kUnderWay)
                                                 : granted + kLookUp;
    write.freed = std::max(write.freed, write.looked_up);
    empty_from_ = std::max(empty_from_, write.freed);
}

Cycle WriteBuffer::would_send(Address physical, Cycle from) {
    const Place place = this->place(physical, from);
    if (place.merged != kNone && !place.again) {
        return before(place.merged, 0).sent;
    }
    Transaction write;
    const std::size_t number = turn_of(ready(place));
    write.asked = asks_for_port(number, ready(place));
    schedule(number, write);
    return write.sent;
}

/// Writes that have not been requested from memory yet stay behind the read. In the cycle in which
/// it is freed, a write still blocks the read.
Cycle WriteBuffer::line_written_by(Address physical, Cycle asked) {
    std::uint64_t sent = 0;
    if (empty_from_ >= asked) {
        for (std::size_t age = 1; age <= kTracked; ++age) {
            const Transaction& write = before(count_, age);
            sent |= std::uint64_t{write.freed >= asked && write.taken < asked} << age;
        }
    }
    const std::uint64_t age = sent == 0 ? 0 : tables_.ask<Query::BufferedLine>(physical, sent);
    return age == 0 ? asked : before(count_, age).freed + 1;
}

void WriteBuffer::read_line(Address physical, Cycle asked, Cycle there) {
    line_read_until_ = there;
    std::uint64_t waiting = 0;
    for (std::size_t age = 1; age <= kTracked && before(count_, age).taken >= asked; ++age) {
        waiting |= std::uint64_t{1} << age;
    }
    std::uint64_t first = 0;
    while (waiting != 0) {
        const std::uint64_t age = tables_.ask<Query::BufferedLine>(physical, waiting);
        if (age == 0) {
            break;
        }
        first = age;
        waiting = waiting >> (age + 1) << (age + 1);
    }
    if (first != 0 && before(count_, first).taken < there) {
        before(count_, first).ready = there;
        schedule_anew(count_ - first);
    }
}

Cycle WriteBuffer::word_free_from(Address physical, Cycle cycle) {
    const std::uint64_t held = entries(cycle, count_ - kTracked);
    const std::uint64_t age = held == 0 ? 0 : tables_.ask<Query::BufferedWord>(physical, held);
    return age == 0 ? 0 : before(count_, age).freed;
}

/// The buffer presents a new request in the next cycle. [wt_dcache_wbuffer.sv]
Cycle WriteBuffer::ready(const Place& place) {
    return (place.again ? before(place.merged, 0).freed : place.granted) + 1;
}

/// The number of a new transaction.
std::size_t WriteBuffer::turn_of(Cycle ready) {
    std::size_t number = count_;
    while (number + kTracked / 2 > count_ && before(number, 1).ready > ready) {
        --number;
    }
    return number;
}

Cycle WriteBuffer::asks_for_port(std::size_t number, Cycle from) {
    return std::max({from, before(number, in_flight_).freed, before(number, 1).taken + 1});
}

WriteBuffer::Sent WriteBuffer::send(const Piece& piece, Cycle ready) {
    const std::size_t number = turn_of(ready);
    for (std::size_t later = count_++; later != number; --later) {
        before(later, 0) = before(later, 1);
        before(later, 0).first += before(later, 0).first >= number ? 1 : 0;
    }
    before(number, 0) = {.ready = ready,
                         .next = interval_ + piece.device_latency,
                         .freed = return_cycles_ + piece.device_latency};
    oldest_ = std::min(oldest_, number);
    refill_.next += refill_.next > number ? 1 : 0;
    schedule_anew(number);
    const std::uint64_t left = tables_.ask<Query::PushWrite>(
        piece.physical, (count_ - 1 - number) | store_size(piece.size));
    return {.number = number, .left = left};
}

/// The transactions from `number` on, which are not taken yet.
void WriteBuffer::schedule_anew(std::size_t number) {
    for (; number != count_; ++number) {
        Transaction& write = before(number, 0);
        write.next -= write.sent;
        write.freed -= write.sent;
        write.taken = write.sent = 0;
        write.asked = asks_for_port(number, write.ready);
        schedule(number);
    }
}

void WriteBuffer::take_none_in(Cycle cycle) {
    std::size_t number = count_;
    while (number + kTracked - 3 > count_ && before(number, 1).taken >= cycle) {
        --number;
    }
    if (number != count_ && before(number, 0).taken == cycle) {
        before(number, 0).ready = cycle + 1;
        schedule_anew(number);
    }
}

void WriteBuffer::schedule(std::size_t number) {
    Transaction& write = before(number, 0);
    if (const std::size_t first = sent_before(number); first != kNone) {
        write.ready = std::max(write.ready, before(first, 0).freed + 1);
        write.asked = std::max(write.asked, write.ready);
    }
    schedule(number, write);
    empty_from_ = std::max(empty_from_, write.freed);
}

/// In the order of the queue, and not during the refill that occupies memory.
void WriteBuffer::schedule(std::size_t number, Transaction& write) {
    write.taken = std::max({write.taken, write.asked, before(number, queue_).sent + 2});
    Cycle sent = std::max({write.sent, write.taken, before(number, 1).next});
    if (sent < refill_.to && sent + interval_ > refill_.from) {
        sent = refill_.to;
    }
    write.next += sent - write.sent;
    write.freed += sent - write.sent;
    write.sent = sent;
}

/// Goes out from `earliest` on, before the writes from `first_behind` on.
Cycle WriteBuffer::refill(Cycle asked, std::size_t first_behind, Cycle earliest) {
    Cycle from = std::max(asked, earliest);
    if (asked >= refill_.asked && from < refill_.to) {
        from = refill_.to;
    }
    refill_ = {.asked = asked, .from = from, .to = from + read_interval_, .next = first_behind};
    oldest_ = std::min(oldest_, first_behind);
    for (std::size_t number = first_behind; number != count_; ++number) {
        schedule(number);
    }
    return from;
}

/// The first write that is overtaken by a data read that asks in `asked`.
std::size_t WriteBuffer::overtaken(Cycle asked) {
    std::size_t first_behind = count_;
    const auto comes_later = [asked](const Transaction& write) {
        return write.asked >= asked || write.taken > asked; // of two that ask together, reads first
    };
    while (first_behind + kTracked - 3 > count_ && comes_later(before(first_behind, 1))) {
        --first_behind;
    }
    return first_behind;
}

Cycle WriteBuffer::refill_data(Cycle asked, Cycle ready) {
    const std::size_t first_behind = overtaken(asked);
    return refill(ready, first_behind, before(first_behind, 1).sent + interval_);
}

/// The cycle before the write is at the front of the queue.
Cycle WriteBuffer::offered(std::size_t number) {
    return std::max(before(number, 0).taken, before(number, 1).sent + kNextOffered);
}

/// The arbiter in front of memory prefers the kind that was served last if the other kind was not
/// waiting then; otherwise it prefers the other kind.
bool WriteBuffer::prefers_code(std::size_t next) {
    return refill_.code && refill_.next == next;
}

Cycle WriteBuffer::code_before_data(Cycle asked) {
    const std::size_t next = overtaken(asked);
    const Cycle queued = std::max(asked, before(next, 2).sent + interval_);
    const Cycle free = before(next, 1).sent + kNextOffered;
    if (prefers_code(next)) {
        return std::max(queued, free);
    }
    return queued > free ? queued - 1 : offered(next - 1);
}

Cycle WriteBuffer::refill_instructions(Cycle asked) {
    std::size_t first_behind = count_;
    while (first_behind + kTracked - 3 > count_ && offered(first_behind - 1) >= asked) {
        --first_behind;
    }
    const Cycle turn = std::max(asked, before(first_behind, 1).sent + kNextOffered);
    if (first_behind != count_ && !prefers_code(first_behind) &&
        before(first_behind, 0).taken <= turn) {
        ++first_behind;
    }
    const Cycle from = refill(asked, first_behind, before(first_behind, 1).sent + interval_);
    refill_.code = true;
    return from;
}

/// A device takes a read when it has finished the write; the bridge of a device with extra latency
/// has answered one cycle earlier. [axi_lite_interface.sv, axi2apb_64_32.sv]
Cycle WriteBuffer::external_read(Address physical, Cycle asked) {
    constexpr Cycle kBehindWrite = 2;
    std::size_t behind = count_;
    while (behind + kTracked - 1 > count_ && before(behind, 1).asked >= asked) {
        --behind;
    }
    const Transaction& last = before(behind, 1);
    if (last.next < asked) {
        return asked;
    }
    const std::uint64_t only_it = std::uint64_t{1} << (count_ - behind + 1);
    if (tables_.ask<Query::BufferedDevice>(physical, only_it) == 0) {
        return std::max(asked, last.sent + kBehindWrite);
    }
    const Cycle added = last.next - last.sent - interval_;
    return std::max(asked, last.sent + std::max(added, kBehindWrite) + 1);
}

} // namespace pes
