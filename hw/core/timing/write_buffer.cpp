// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/write_buffer.h"

#include <algorithm>
#include <span>

namespace pes {

WriteBuffer::WriteBuffer(const TimingConfig& config)
    : line_words_(config.l1d.line_bytes / 8), size_(config.write_buffer_words),
      in_flight_(config.writes_in_flight), interval_(config.write_interval),
      return_cycles_(config.write_return_cycles + config.memory_latency) {}

Cycle WriteBuffer::accept(Address physical, Cycle from, Cycle device_latency) {
    const Address word = physical / 8;
    Word* victim = words_.data();
    for (Word& entry : std::span(words_).first(size_)) {
        if (entry.word == word && entry.freed > from) {
            if (entry.sent <= from) {
                send(entry, entry.freed, device_latency);
            }
            return from;
        }
        if (entry.freed < victim->freed) {
            victim = &entry;
        }
    }
    const Cycle granted = std::max(from, victim->freed);
    victim->word = word;
    send(*victim, granted + 1, device_latency);
    return granted;
}

Cycle WriteBuffer::line_free_from(Address physical) const {
    const Address line = physical / 8 / line_words_;
    Cycle free = 0;
    for (const Word& entry : std::span(words_).first(size_)) {
        if (entry.word / line_words_ == line) {
            free = std::max(free, entry.freed);
        }
    }
    return free;
}

void WriteBuffer::send(Word& entry, Cycle from, Cycle device_latency) {
    const Cycle slot = returned_[(transactions_ - in_flight_) % kMaximum];
    entry.sent = std::max({from, next_send_, slot});
    entry.freed = entry.sent + return_cycles_ + device_latency;
    next_send_ = entry.sent + interval_;
    returned_[transactions_++ % kMaximum] = entry.freed;
    empty_from_ = std::max(empty_from_, entry.freed);
}

} // namespace pes
