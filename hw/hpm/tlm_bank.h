// SPDX-License-Identifier: Apache-2.0
// The counters of a hart and the comparators of precise event sampling, as a model without a cost
// per counter: the bank keeps one running total per pulse source, and a counter is a view
//
//     value = base + total[source] - total[source] when `base` was set
//
// that gets a new base when one of its registers is written. A counter that counts several sources
// at most once per cycle has its own total, which needs single cycles: as long as it runs, there is
// neither a safe span nor room. docs/counters.md describes the registers and the order of events
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
#include "hw/hpm/sample_capture.h"
#include "hw/hpm/sample_registers.h"
#include "hw/hpm/tlm_bank_state.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace pes {

class TlmCounterBank : public ModelBank, private TlmBankState {
  public:
    explicit TlmCounterBank(const CounterConfig& config = {});

    bool owns(std::uint16_t csr) const override {
        return is_own(csr) || (samples_ && is_sample_csr(csr));
    }
    std::uint64_t read(std::uint16_t csr) const override;

    /// At most one write per cycle, because the hardware has one write port; a second one before
    /// tick() aborts.
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;

    /// Aborts if the span is longer than safe_cycles() and outside room(), or if a line changes,
    /// which breaks the model's bound or the hart's rule of at most one pulse per cycle.
    void advance(const EventTotals& totals, Cycle cycle) override;

    EventMask counted() const override;
    bool depends_on_mode() const override {
        return filtered_ != 0 || pending_ || samples_ || wave_ || tap_ || debug_;
    }
    void set_totals(const EventTotals& totals) override;

    /// Costs nothing as long as no counter has a filter, because the mode is unused then.
    void set_privilege(Privilege mode, Cycle from) override;

    /// From then on safe_cycles() ends before each crossing, also while the line is high.
    bool watch_crossings(CrossingSink& sink) override {
        watchers_.push_back(&sink);
        return true;
    }
    bool connect_samples(SampleHost& host) override {
        samples_.emplace(host);
        return true;
    }
    void name_cause(const SampleCause& cause) override { samples_->name_cause(cause); }
    /// Null without Sspesa.
    const SampleRegisters* samples() const override { return samples_ ? &*samples_ : nullptr; }
    /// Counts on from the counters of another bank of the same configuration; thresholds stay off.
    void take_over(const CounterBank& other, const PrivilegeTrack& privilege);
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override;

    Cycle now() const override { return now_; }
    BankInterrupt interrupt(BankLine line) const override { return lines_[line]; }
    void connect(BankLine line, LevelSink& sink) override { lines_.connect(line, sink); }

    /// now() + safe_cycles() does not wrap. The bound is computed by advance(), by a write and by
    /// the tick() that uses it up; other ticks only count it down.
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

    /// One pulse less than the first comparator or overflow request needs. No room while a line is
    /// high, a write is pending, a counter of several sources runs, or waveforms
    /// are recorded.
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
    void set_mode(Privilege mode) override;
    void state(Archive& archive) override;

  private:
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

    /// The increment of a running counter in a cycle with these pulses.
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
    bool tells() const { return !watchers_.empty() || samples_; }
    void tell_reached(std::uint32_t reached);
    void tell_overflow(unsigned index);
    Crossing crossing_of(unsigned index, Crossing::Kind kind, const Counter& counting,
                         std::optional<std::uint64_t> beyond) const;
    std::uint64_t read_control() const;
    bool buffer_full() const;

    BankLines lines_;
    std::vector<CrossingSink*> watchers_;
    std::optional<SampleRegisters> samples_;
    std::optional<CounterCsr> written_; ///< in the cycle that is being counted
    Counter before_write_;              ///< the counter that it concerns
    std::optional<BankWave> wave_;
    std::optional<SampleTap> tap_;
};

} // namespace pes
