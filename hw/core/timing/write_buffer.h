// SPDX-License-Identifier: Apache-2.0
// The merging write buffer between the store buffer and memory: words of 64 bit, each sent as one
// transaction, one transaction every `write_interval` cycles, a limited number in flight. A store
// to a word that still waits to be sent costs nothing; one to a word in flight makes it dirty
// again, so that it is sent a second time when the first transaction returns.
//
// The buffer is kept as its transactions in the order in which they are sent; an entry is the last
// transaction of its word.
#pragma once

#include "hw/common/types.h"
#include "hw/core/timing/tables.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstddef>

namespace pes {

class WriteBuffer {
  public:
    WriteBuffer(const TimingConfig& config, Tables& tables);

    /// A store asks for its place in cycle `from`; returns the cycle in which it gets it.
    /// `device_latency` is what a device adds to the transaction.
    Cycle accept(Address physical, Cycle from, Cycle device_latency);

    /// The first cycle in which no write to this cache line is buffered, if that is later than
    /// `from`: a read that goes to memory waits for it. Otherwise a cycle not later than `from`.
    Cycle line_free_from(Address physical, Cycle from);

    /// The first cycle in which nothing is buffered any more.
    Cycle empty_from() const { return empty_from_; }

    /// See timing_state.h. No store asks and no read waits before `next`; what has returned until
    /// then holds up nothing. The words are in the tables.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle next) {
        archive.cycle(next_send_, next);
        archive.cycle(empty_from_, next);
        for (std::uint64_t age = kTracked; age != 0; --age) {
            Transaction& transaction = transactions_[(count_ - age) % kTracked];
            archive.cycle(transaction.freed, next);
            if (transaction.freed > next) {
                archive.cycle(transaction.sent, next);
                archive.flag(transaction.sent_again);
            }
        }
    }

  private:
    static constexpr std::size_t kTracked = 32; ///< two for each of at most 16 entries

    struct Transaction {
        Cycle sent = 0;
        Cycle freed = 0;         ///< first cycle in which the entry can be taken again
        bool sent_again = false; ///< a later transaction has its word
    };

    /// Bit n: the transaction n before the next one holds an entry in `cycle`.
    std::uint64_t entries(Cycle cycle) const;
    void send(Address physical, Cycle from, Cycle device_latency);

    std::array<Transaction, kTracked> transactions_{};
    std::uint64_t count_ = kTracked;
    std::size_t size_;
    std::size_t in_flight_;
    Cycle interval_;
    Cycle return_cycles_;
    Cycle next_send_ = 0;
    Cycle empty_from_ = 0;
    Tables& tables_;
};

} // namespace pes
