// SPDX-License-Identifier: Apache-2.0
// Counters of the host beside those of a hart: they count the same pulses, and no guest can see,
// stop or program them. They stand between the hart and its bank; everything but the pulses is
// handed through.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/crossing.h"
#include "hw/common/random_numbers.h"

#include <cstdint>
#include <vector>

namespace pes {

/// What a counter counts, and how many pulses lie between two of its crossings.
struct HostCounter {
    EventMask sources{};      ///< at most one a cycle, but for Event::Instructions alone
    std::uint64_t period = 0; ///< mean; 0: it never crosses
    unsigned spread = 0;      ///< percent: an interval is a random one within period +- spread
    std::uint64_t seed = 0;   ///< of the intervals; not 0: the first is a random one up to period
};

class HostCounters final : public CounterBank {
  public:
    /// `sink` is told of each crossing, with the number of the counter in their list. A list
    /// without a period costs nothing but the call.
    HostCounters(CounterBank& guest, const std::vector<HostCounter>& counters, CrossingSink& sink);

    /// Pulses of a counter up to now().
    std::uint64_t counted(unsigned counter) const { return counters_[counter].counted; }

    bool owns(std::uint16_t csr) const override { return guest_.owns(csr); }
    std::uint64_t read(std::uint16_t csr) const override { return guest_.read(csr); }
    std::uint64_t peek(std::uint16_t csr) const override { return guest_.peek(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override { guest_.write(csr, value); }
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege mode, Cycle from) override { guest_.set_privilege(mode, from); }
    Cycle now() const override { return guest_.now(); }
    BankInterrupt interrupt(BankLine line) const override { return guest_.interrupt(line); }
    void connect(BankLine line, LevelSink& sink) override { guest_.connect(line, sink); }
    bool watch_crossings(CrossingSink& sink) override { return guest_.watch_crossings(sink); }
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override {
        return guest_.overflow_ahead(coming);
    }
    Cycle safe_cycles() const override;
    PulseRoom room() const override;
    bool cycles_can_interrupt(Privilege mode) const override {
        return guest_.cycles_can_interrupt(mode);
    }

  private:
    struct Counter {
        HostCounter what;
        RandomNumbers random;
        std::uint64_t counted = 0;
        std::uint64_t next = kNever; ///< crosses when it has counted so many
    };

    static std::uint64_t first_interval(Counter& counter);
    static std::uint64_t next_interval(Counter& counter);
    static bool is_union(const Counter& counter) { return counter.what.sources.count() > 1; }
    static std::uint64_t step(const Counter& counter, const CyclePulses& pulses);
    static std::uint64_t total(const Counter& counter, const EventTotals& totals, Cycle cycle);
    void check(unsigned index, Cycle cycle);

    CounterBank& guest_;
    CrossingSink& sink_;
    std::vector<Counter> counters_;
    bool unions_ = false; ///< a counter of several sources wants single cycles
};

} // namespace pes
