// SPDX-License-Identifier: Apache-2.0
// Counters of the host, in addition to those of a hart. They count the same pulses, but the guest
// cannot see, stop or program them. They sit between the hart and its bank and pass everything
// through. With a restored hart they begin at 0.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/crossing.h"
#include "hw/common/random_numbers.h"

#include <cstdint>
#include <vector>

namespace pes {

/// The events of a counter and its period, the number of pulses between two crossings.
struct HostCounter {
    EventMask sources{};      ///< counts at most 1 a cycle, except Event::Instructions alone
    std::uint64_t period = 0; ///< mean; 0: it never crosses
    unsigned spread = 0;      ///< percent: intervals are random within period +- spread
    std::uint64_t seed = 0;   ///< of the intervals; if not 0, the first is random up to period
};

class HostCounters final : public CounterBank {
  public:
    /// `sink` receives each crossing, with the index of the counter in the list. Counters without a
    /// period cost one call.
    HostCounters(CounterBank& guest, const std::vector<HostCounter>& counters, CrossingSink& sink);

    /// The last cycle that is not counted.
    Cycle began() const { return began_; }
    /// Pulses of a counter since then, up to now().
    std::uint64_t counted(unsigned counter) const { return counters_[counter].counted; }

    /// The number of pulses at which a counter crosses next; kNever: it does not.
    std::uint64_t next_crossing(unsigned counter) const { return counters_[counter].next; }
    /// A counter without a period crosses at this number of pulses, which is yet to come.
    void cross_once(unsigned counter, std::uint64_t pulses) { counters_[counter].next = pulses; }

    /// Of the intervals behind the next crossing.
    void set_period(unsigned counter, std::uint64_t period) {
        counters_[counter].what.period = period;
    }

    /// Of the interval that has just begun, too. To be called for a crossing, without a spread.
    void lengthen(unsigned counter, std::uint64_t period) {
        counters_[counter].next += period - counters_[counter].what.period;
        set_period(counter, period);
    }

    bool owns(std::uint16_t csr) const override { return guest_.owns(csr); }
    std::uint64_t read(std::uint16_t csr) const override { return guest_.read(csr); }
    std::uint64_t peek(std::uint16_t csr) const override { return guest_.peek(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override { guest_.write(csr, value); }
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    EventMask counted() const override;
    void set_totals(const EventTotals& totals) override { guest_.set_totals(totals); }
    void set_privilege(Privilege mode, Cycle from) override { guest_.set_privilege(mode, from); }
    bool depends_on_mode() const override { return guest_.depends_on_mode(); }
    Cycle now() const override { return guest_.now(); }
    BankInterrupt interrupt(BankLine line) const override { return guest_.interrupt(line); }
    void connect(BankLine line, LevelSink& sink) override { guest_.connect(line, sink); }
    bool watch_crossings(CrossingSink& sink) override { return guest_.watch_crossings(sink); }
    bool connect_samples(SampleHost& host) override { return guest_.connect_samples(host); }
    void name_cause(const SampleCause& cause) override { guest_.name_cause(cause); }
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override {
        return guest_.overflow_ahead(coming);
    }
    Cycle safe_cycles() const override;
    PulseRoom room() const override;
    bool can_interrupt(Privilege mode, CountedEvents events) const override {
        return guest_.can_interrupt(mode, events);
    }
    void state(Archive& archive) override;
    bool begins_anew() const override { return true; }
    void restored(const EventTotals& totals) override;

  private:
    struct Counter {
        HostCounter what;
        RandomNumbers random;
        std::uint64_t base = 0; ///< pulses of the hart before this counter began
        std::uint64_t counted = 0;
        std::uint64_t next = kNever; ///< value of `counted` at the next crossing
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
    Cycle began_ = 0;
    bool unions_ = false; ///< a counter of several sources needs single cycles
};

} // namespace pes
