// SPDX-License-Identifier: Apache-2.0
// The write buffer as words of a pipeline state (timing_state.h).
#pragma once

#include "hw/core/timing/memory/write_buffer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pes {

/// Whose turn it is next is asked as long as the write behind the last refill is not sent.
template <typename Archive>
void WriteBuffer::relative_turn(Archive& archive, Cycle last) {
    std::uint64_t distance = count_ - refill_.next;
    if (!refill_.code || distance >= kTracked ||
        (distance != 0 && before(refill_.next, 0).sent <= last)) {
        distance = kTracked;
    }
    distance = kTracked - distance;
    archive.number(distance);
    refill_.code = distance != 0;
    refill_.next = count_ - (kTracked - distance);
}

template <typename Archive>
void WriteBuffer::relative_state(Archive& archive, Transaction& transaction, Cycle last,
                                 Cycle last_sent) {
    archive.cycle(transaction.freed, last);
    archive.cycle(transaction.sent, last_sent);
    archive.cycle(transaction.next, last);
    if (transaction.freed > last || transaction.sent > last_sent) {
        archive.cycle(transaction.ready, last);
        archive.cycle(transaction.asked, last);
        archive.cycle(transaction.taken, last);
        archive.flag(transaction.sent_again);
        archive.cycle(transaction.looked_up, last);
        std::uint64_t to_first = transaction.first == kNone ? 0 : count_ - transaction.first;
        to_first = to_first > kTracked ? 0 : to_first;
        archive.number(to_first);
        transaction.first = to_first == 0 ? kNone : count_ - to_first;
    }
}

/// The oldest are mostly past: three zeros each. Returns how many others there are.
template <typename Archive>
std::size_t WriteBuffer::skip_past(Archive& archive, Cycle last, Cycle last_sent) {
    std::size_t age = kTracked;
    if constexpr (Archive::kSaves) {
        const auto is_past = [&](const Transaction& write) {
            return write.freed <= last && write.sent <= last_sent && write.next <= last;
        };
        while (age != 0 && is_past(before(count_, age))) {
            --age;
        }
        archive.zeros(3 * (kTracked - age));
    } else {
        const std::uint64_t past = std::min<std::uint64_t>(archive.zeros_ahead() / 3, kTracked);
        archive.skip_zeros(3 * past);
        for (; age != kTracked - past; --age) {
            Transaction& write = before(count_, age);
            write.freed = write.next = last;
            write.sent = last_sent;
        }
    }
    return age;
}

template <typename Archive>
void WriteBuffer::relative_state(Archive& archive, Cycle next) {
    // A write holds up the port for some cycles after it was sent: for `interval_` what goes to
    // memory behind it, for 2 what is taken into the queue or comes to its front.
    const Cycle margin = std::max<Cycle>(interval_, 3);
    const Cycle last = next - std::min<Cycle>(next, 1);
    const Cycle last_sent = next - std::min(next, margin);
    const bool is_quiet = empty_from_ <= last && before(count_, 1).sent <= last_sent &&
                          before(count_, 1).next <= last;
    bool quiet = is_quiet;
    archive.flag(quiet);
    archive.cycle(empty_from_, last);
    archive.cycle(line_read_until_, last);
    if (!quiet) {
        for (std::size_t age = skip_past(archive, last, last_sent); age != 0; --age) {
            relative_state(archive, before(count_, age), last, last_sent);
        }
    } else if (!is_quiet) { // the reader's, until now
        transactions_.fill({});
    }
    oldest_ = Archive::kSaves ? oldest_ : count_ - kTracked;
    relative_turn(archive, last);
    archive.cycle(refill_.to, next);
    if (refill_.to > next) {
        archive.cycle(refill_.from, next);
        archive.cycle(refill_.asked, next);
    }
}

} // namespace pes
