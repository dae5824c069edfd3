// SPDX-License-Identifier: Apache-2.0
// The merging write buffer between the store buffer and memory: words of 64 bit, each sent as one
// transaction, one transaction every `write_interval` cycles, a limited number in flight. A store
// to a word that still waits to be sent costs nothing; one to a word in flight makes it dirty
// again, so that it is sent a second time when the first transaction returns.
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

    /// The first cycle in which no write to this cache line is buffered: a read that goes to memory
    /// waits for it.
    Cycle line_free_from(Address physical) const;

    /// The first cycle in which nothing is buffered any more.
    Cycle empty_from() const { return empty_from_; }

  private:
    static constexpr std::size_t kMaximum = 16;

    struct Word {
        Address word = ~Address{0};
        Cycle sent = 0;
        Cycle freed = 0; ///< first cycle in which the entry can be taken again
    };

    void send(Word& entry, Cycle from, Cycle device_latency);

    std::array<Word, kMaximum> words_{};
    std::array<Cycle, kMaximum> returned_{}; ///< of the latest transactions
    Address line_words_;                     ///< words of 64 bit in a cache line
    std::size_t size_;
    std::size_t in_flight_;
    std::size_t transactions_ = kMaximum;
    Cycle interval_;
    Cycle return_cycles_;
    Cycle next_send_ = 0;
    Cycle empty_from_ = 0;
};

} // namespace pes
