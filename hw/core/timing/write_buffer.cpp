// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/write_buffer.h"

#include <algorithm>
#include <span>

namespace pes {

WriteBuffer::WriteBuffer(const TimingConfig& config)
    : line_words_(config.l1d.line_bytes / 8), size_(config.write_buffer_words),
      in_flight_(config.writes_in_flight), queue_(config.port_queue),
      interval_(config.write_interval), read_interval_(config.read_interval),
      return_cycles_(config.write_return_cycles + config.memory_latency) {}

Cycle WriteBuffer::accept(Address physical, Cycle from, Cycle device_latency) {
    const Address word = physical / 8;
    Word* victim = words_.data();
    for (Word& entry : std::span(words_).first(size_)) {
        if (entry.word == word && entry.freed > from) {
            if (entry.taken <= from) {
                send(entry, entry.freed, device_latency);
            }
            return from;
        }
        if (entry.freed < victim->freed) {
            victim = &entry;
        }
    }
    const Cycle granted = std::max(from, victim->freed + 1);
    victim->word = word;
    send(*victim, granted + 1, device_latency);
    return granted;
}

Cycle WriteBuffer::line_free_from(Address physical) const {
    const Address line = physical / 8 / line_words_;
    Cycle free = 0;
    for (const Word& entry : std::span(words_).first(size_)) {
        if (entry.word / line_words_ == line) {
            free = std::max(free, entry.freed - std::min<Cycle>(entry.freed, 1));
        }
    }
    return free;
}

void WriteBuffer::send(Word& entry, Cycle from, Cycle device_latency) {
    const std::size_t number = transactions_++;
    Transaction& write = port_[number % kMaximum];
    write.asked =
        std::max({from, before(number, in_flight_).returned(), before(number, 1).taken + 1});
    write.latency = return_cycles_ + device_latency;
    write.taken = write.sent = 0;
    entry.transaction = number;
    schedule(number);
    entry.taken = write.taken;
    entry.freed = write.returned();
    empty_from_ = std::max(empty_from_, entry.freed);
}

/// In the order of the queue, and not into the refill that memory is busy with.
void WriteBuffer::schedule(std::size_t number) {
    Transaction& write = port_[number % kMaximum];
    write.taken = std::max({write.taken, write.asked, before(number, queue_).sent + 2});
    write.sent = std::max({write.sent, write.taken, before(number, 1).sent + interval_});
    if (write.sent < refill_.to && write.sent + interval_ > refill_.from) {
        write.sent = refill_.to;
    }
}

/// Goes out from `earliest` on, before the writes from `first_behind` on.
Cycle WriteBuffer::refill(Cycle asked, std::size_t first_behind, Cycle earliest) {
    Cycle from = std::max(asked, earliest);
    if (asked >= refill_.asked && from < refill_.to) {
        from = refill_.to;
    }
    refill_ = {.asked = asked, .from = from, .to = from + read_interval_};
    for (std::size_t number = first_behind; number != transactions_; ++number) {
        schedule(number);
        for (Word& entry : std::span(words_).first(size_)) {
            if (entry.transaction == number) {
                entry.taken = port_[number % kMaximum].taken;
                entry.freed = port_[number % kMaximum].returned();
                empty_from_ = std::max(empty_from_, entry.freed);
            }
        }
    }
    return from;
}

Cycle WriteBuffer::refill_data(Cycle asked) {
    std::size_t first_behind = transactions_;
    while (first_behind + kMaximum - 1 > transactions_ && before(first_behind, 1).asked >= asked) {
        --first_behind;
    }
    if (before(first_behind, 1).sent >= asked) {
        --first_behind;
    }
    return refill(asked, first_behind, before(first_behind, 1).sent + interval_);
}

/// A write has its turn at the port when the one before it has left the place in front of memory,
/// which is when the one before that is sent.
Cycle WriteBuffer::refill_instructions(Cycle asked) {
    std::size_t first_behind = transactions_;
    const auto offered = [this](std::size_t number) {
        return std::max(port_[number % kMaximum].taken, before(number, 2).sent + 1);
    };
    while (first_behind + kMaximum - 3 > transactions_ && offered(first_behind - 1) >= asked) {
        --first_behind;
    }
    return refill(asked, first_behind, before(first_behind, 1).sent + interval_);
}

} // namespace pes
