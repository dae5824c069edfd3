// SPDX-License-Identifier: Apache-2.0
// The merging write buffer between the store buffer and memory, and the port to memory that it
// shares with the refills.
//
// Words of 64 bit, each sent as one transaction, a limited number in flight. A store to a word that
// still waits to be sent costs nothing; one to a word whose transaction has been taken makes it
// dirty again, so that it is sent a second time when the first transaction returns.
//
// The port: a write asks, is taken into a queue of `port_queue` entries and sent in order. Memory
// does one thing at a time; it is busy with a write for `write_interval` cycles, with a refill for
// `read_interval`. A refill of L1D goes through the same queue: it overtakes the writes that have
// not asked before it, and the last of those that have, since that one waits between the port and
// memory, where reads go first. A refill of L1I has a queue of its own: it goes behind the writes
// that wait between port and memory or have their turn at the port.
#pragma once

#include "hw/common/types.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstddef>

namespace pes {

class WriteBuffer {
  public:
    explicit WriteBuffer(const TimingConfig& config);

    /// A store asks for its place in cycle `from`; returns the cycle in which it gets it.
    /// `device_latency` is what a device adds to the transaction.
    Cycle accept(Address physical, Cycle from, Cycle device_latency);

    /// The first cycle in which no write to this cache line is under way: a read that goes to memory
    /// waits for it. The entry itself is freed one cycle later.
    Cycle line_free_from(Address physical) const;

    /// The first cycle in which nothing is buffered any more.
    Cycle empty_from() const { return empty_from_; }

    /// A refill asks for the port in cycle `asked`; returns the cycle in which it goes out, which
    /// is `asked` if nothing is in its way. Writes behind it are sent later.
    Cycle refill_data(Cycle asked);
    Cycle refill_instructions(Cycle asked);

  private:
    static constexpr std::size_t kMaximum = 16;

    struct Word {
        Address word = ~Address{0};
        Cycle taken = 0;             ///< by the port: a store from then on is a new transaction
        Cycle freed = 0;             ///< first cycle in which the entry can be taken again
        std::size_t transaction = 0; ///< the latest
    };
    struct Transaction {
        Cycle asked = 0;
        Cycle taken = 0;
        Cycle sent = 0;
        Cycle latency = 0; ///< from sent to the freed entry
        Cycle returned() const { return sent + latency; }
    };
    struct Refill {
        Cycle asked = 0;
        Cycle from = 0, to = 0; ///< memory is busy with it in [from, to)
    };

    const Transaction& before(std::size_t number, std::size_t distance) const {
        return port_[(number - distance) % kMaximum];
    }
    void send(Word& entry, Cycle from, Cycle device_latency);
    void schedule(std::size_t number);
    Cycle refill(Cycle asked, std::size_t first_behind, Cycle earliest);

    std::array<Word, kMaximum> words_{};
    std::array<Transaction, kMaximum> port_{}; ///< the latest writes, by number
    std::size_t transactions_ = kMaximum;      ///< number of the next write
    Refill refill_{};                          ///< the latest
    Address line_words_;                       ///< words of 64 bit in a cache line
    std::size_t size_;
    std::size_t in_flight_;
    std::size_t queue_;
    Cycle interval_;
    Cycle read_interval_;
    Cycle return_cycles_;
    Cycle empty_from_ = 0;
};

} // namespace pes
