// SPDX-License-Identifier: Apache-2.0
// The counters of a hart and the comparators of precise event sampling, as a model that costs
// nothing per counter: the bank keeps one running total a pulse source, and a counter is a view
//
//     value = base + total[source] - total[source] when `base` was set
//
// that is re-based when something about it is written. A counter that counts several sources at
// most once a cycle has a total of its own, which needs single cycles: as long as it runs,
// there is neither a safe span nor room. docs/counters.md has the registers and the order of events
// inside a cycle, docs/pes.md the comparators.
//
// Timing: everything is registered. A pulse or a write of cycle X is in the registers, and in the
// lines that compare them, from X + 1 on. The reset state is that of now() == 0: the first cycle
// that counts is cycle 1.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/common/wave.h"
#include "hw/hpm/bank_lines.h"
#include "hw/hpm/bank_wave.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/model_bank.h"
#include "hw/hpm/privilege_track.h"
#include "hw/hpm/sample_capture.h"
#include "hw/interface/pmu/counter_csr.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pes {

class TlmCounterBank : public ModelBank {
  public:
    explicit TlmCounterBank(const CounterConfig& config = {});

    bool owns(std::uint16_t csr) const override { return is_own(csr); }
    std::uint64_t read(std::uint16_t csr) const override;

    /// One write a cycle, as through the one write port of the hardware; a second one before tick()
    /// aborts.
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;

    /// Aborts if the span is longer than safe_cycles() and outside room(), or if a line did change:
    /// the model's own promise, or the hart's one of at most one pulse a cycle, is broken then.
    void advance(const EventTotals& totals, Cycle cycle) override;

    /// Costs nothing as long as no counter has a filter: the mode is not used then.
    void set_privilege(Privilege mode, Cycle from) override;

    /// safe_cycles() then ends before each crossing, also while the line is high.
    bool watch_crossings(CrossingSink& sink) override {
        watcher_ = &sink;
        return true;
    }

    Cycle now() const override { return now_; }
    BankInterrupt interrupt(BankLine line) const override { return lines_[line]; }
    void connect(BankLine line, LevelSink& sink) override { lines_.connect(line, sink); }

    /// Never so large that now() + safe_cycles() wraps. The bound is renewed by advance(), by a
    /// write and by the tick() that uses it up; ticks in between only count it down.
    ///
    /// The span ends one cycle before the first one that could move a line, so the cycle of a
    /// crossing is always delivered by tick():
    ///   line low   (threshold - value - 1) / rate, least of the comparators that are armed and
    ///              whose counter is running; rate is 1 a cycle, 2 for minstret
    ///   line high  only a counter that wraps can lower it: (largest value - value) / rate,
    ///              greatest of the comparators that hold it up
    ///   OF = 0     (largest value - value) / rate of a running counter: the next one wraps it
    ///   filters    up to the next change of mode: the counters that run are others then
    /// It is 0 while a write is pending, while an overflow is requested, while a counter of several
    /// sources runs, and for each cycle that a recorded wave window shows.
    Cycle safe_cycles() const override;

    /// Up to one pulse before the first comparator that would go up, or the first overflow that
    /// would be requested. Nothing while a line is high, a write is pending, a counter of several
    /// sources runs, or waveforms are recorded.
    PulseRoom room() const override;

    /// With the group "sample" the bank observes retirements.
    void attach_wave(WaveSink& sink, std::string_view scope) override;
    void attach_register_wave(WaveSink& sink, std::string_view scope) override;
    HartObserver* observer() override { return tap_ ? &tap_->observer() : nullptr; }
    void finish() override {
        if (wave_) {
            wave_->advanced(*this);
        }
    }

    std::uint32_t reached() const override;
    void set_debug(bool debug) override { debug_ = debug; }

  private:
    /// Index into totals_: an Event, what the fixed counters count, or behind those the union of
    /// several for programmable counter 3, 4, ...
    using Source = std::uint8_t;
    static constexpr Source kNoSource = static_cast<Source>(Event::None); // its total stays 0
    static constexpr auto kRetiredSource = static_cast<Source>(Event::Instructions);
    static constexpr auto kCycleSource = static_cast<Source>(Event::Cycles);
    static constexpr Source kFirstUnion = pes::kSourceCount;
    static constexpr std::size_t kTotalCount = kFirstUnion + kMaxProgrammable;
    static_assert(kCycleSource < kFirstUnion && kRetiredSource < kFirstUnion);

    struct Counter {
        std::uint64_t base = 0;
        std::uint64_t total_at_base = 0;
        std::uint64_t threshold = 0;             ///< 0 = comparator off
        std::uint64_t selector = 0;              ///< mhpmevent without OF; mcyclecfg, minstretcfg
        std::uint64_t limit = ~std::uint64_t{0}; ///< largest value
        Source source = kNoSource;               ///< kNoSource while it stands still
        Source selected = kNoSource;             ///< what it counts when not inhibited
        EventMask sources{};                     ///< of a union
    };

    struct PendingWrite {
        CounterCsr target;
        std::uint64_t value;
    };

    bool implemented(unsigned index) const { return (implemented_ >> index & 1U) != 0; }
    bool inhibited(unsigned index) const { return (inhibit_ >> index & 1U) != 0; }
    std::uint64_t value(const Counter& counter) const {
        return (counter.base + totals_[counter.source] - counter.total_at_base) & counter.limit;
    }

    bool stands_still(const Counter& counter, unsigned index) const {
        return inhibited(index) || (counter.selector & inhibit_bit(privilege_.present())) != 0;
    }
    /// Two instructions may retire in a cycle; nothing else counts more than one.
    static unsigned rate_shift(const Counter& counter) {
        return counter.source == kRetiredSource ? 1 : 0;
    }

    /// How much a counter that runs counts in a cycle with these pulses.
    static std::uint64_t step_of(const Counter& counter, const CyclePulses& pulses);
    static Source source_of(EventMask sources, unsigned index);

    void count(const CyclePulses& pulses, Cycle cycle);
    void freeze(const CyclePulses& pulses);
    void freeze_for_write(const CyclePulses& pulses);
    bool overflow(std::uint32_t without);
    void enter_mode();
    void land_write();
    void write_inhibit(std::uint64_t value);
    void write_event(Counter& counter, unsigned index, std::uint64_t value);
    void write_filter(Counter& counter, unsigned index, std::uint64_t value);
    void rebase(Counter& counter, std::uint64_t value);
    void reconnect(Counter& counter, unsigned index);

    void compare(bool overflowed);
    void tell_reached(std::uint32_t reached);
    void tell_crossing(unsigned index, Crossing::Kind kind, std::uint64_t beyond);
    std::uint64_t read_control() const;
    bool buffer_full() const;

    Cycle now_ = 0;
    Cycle quiet_until_ = 0; ///< no line can move by counting up to this cycle
    std::array<std::uint64_t, kTotalCount> totals_{};
    std::array<Counter, kCounterLimit> counters_{};
    std::uint32_t implemented_ = 0; ///< bit n = counter n exists
    std::uint32_t armed_ = 0;       ///< bit n = threshold of counter n is not 0
    std::uint32_t inhibit_ = 0;     ///< mcountinhibit
    std::uint32_t overflowed_ = 0;  ///< scountovf: bit n = OF of counter n
    std::uint32_t requesting_ = 0;  ///< bit n = counter n has an event and OF = 0
    std::uint32_t filtered_ = 0;    ///< bit n = counter n has a privilege filter
    std::uint32_t unions_ = 0;      ///< bit n = counter n counts several sources and runs
    PrivilegeTrack privilege_;      ///< followed as long as a filter uses it
    bool debug_ = false;
    BankLines lines_;
    CrossingSink* watcher_ = nullptr;
    std::uint32_t told_ = 0; ///< bit n = the watcher knows that counter n is at its threshold

    std::uint64_t buffer_base_ = 0;
    std::uint64_t buffer_size_ = 0;
    std::uint64_t buffer_offset_ = 0;
    std::uint64_t buffer_control_;

    std::optional<PendingWrite> pending_;
    std::optional<BankWave> wave_;
    std::optional<SampleTap> tap_;
};

} // namespace pes
