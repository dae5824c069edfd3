// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/write_buffer.h"

#include <algorithm>
#include <bit>

namespace pes {

WriteBuffer::WriteBuffer(const TimingConfig& config, Tables& tables)
    : size_(config.write_buffer_words), in_flight_(config.writes_in_flight),
      interval_(config.write_interval),
      return_cycles_(config.write_return_cycles + config.memory_latency), tables_(tables) {}

std::uint64_t WriteBuffer::entries(Cycle cycle) const {
    std::uint64_t held = 0;
    if (empty_from_ > cycle) {
        for (std::uint64_t age = 1; age <= kTracked; ++age) {
            const Transaction& transaction = transactions_[(count_ - age) % kTracked];
            const bool holds = transaction.freed > cycle && !transaction.sent_again;
            held |= std::uint64_t{holds} << age;
        }
    }
    return held;
}

Cycle WriteBuffer::accept(Address physical, Cycle from, Cycle device_latency) {
    std::uint64_t held = entries(from);
    if (held != 0) {
        const std::uint64_t age = tables_.ask<Query::BufferedWord>(physical, held);
        if (age != 0) {
            Transaction& own = transactions_[(count_ - age) % kTracked];
            if (own.sent <= from) {
                own.sent_again = true;
                send(physical, own.freed, device_latency);
            }
            return from;
        }
    }
    Cycle granted = from;
    while (static_cast<std::size_t>(std::popcount(held)) >= size_) {
        Cycle first_free = kNever;
        for (std::uint64_t ages = held; ages != 0; ages &= ages - 1) {
            const auto age = static_cast<std::uint64_t>(std::countr_zero(ages));
            first_free = std::min(first_free, transactions_[(count_ - age) % kTracked].freed);
        }
        granted = first_free;
        held = entries(granted);
    }
    send(physical, granted + 1, device_latency);
    return granted;
}

Cycle WriteBuffer::line_free_from(Address physical, Cycle from) {
    const std::uint64_t held = entries(from);
    const std::uint64_t age = held == 0 ? 0 : tables_.ask<Query::BufferedLine>(physical, held);
    return age == 0 ? 0 : transactions_[(count_ - age) % kTracked].freed;
}

void WriteBuffer::send(Address physical, Cycle from, Cycle device_latency) {
    const Cycle slot = transactions_[(count_ - in_flight_) % kTracked].freed;
    Transaction& transaction = transactions_[count_++ % kTracked];
    transaction.sent = std::max({from, next_send_, slot});
    transaction.freed = transaction.sent + return_cycles_ + device_latency;
    transaction.sent_again = false;
    next_send_ = transaction.sent + interval_;
    empty_from_ = std::max(empty_from_, transaction.freed);
    tables_.ask<Query::PushWrite>(physical);
}

} // namespace pes
