// SPDX-License-Identifier: Apache-2.0
// The counters of the older CV32E40P: PCMR, PCER and PCCR0..31 (docs/counters-cv32e40p.md), with a
// counter an event (RegisterSet::Pcer) or with one for all of them (PcerShared), which adds 1 in a
// cycle in which any enabled event pulses. No thresholds and no interrupts: the lines stay low.
//
// As in TlmCounterBank a counter is a view on the running total of its source, here
//
//     value = base + total[source] - total[source] when `base` was set, clamped or wrapped
//
// so that spans of any length cost the same. Only the one counter of several events needs
// single cycles: no total tells how often two sources pulse together.
//
// Timing: everything is registered. A pulse or a write of cycle X is in the registers from X + 1
// on; a written counter has the written value then, without the pulse of that cycle.
#pragma once

#include "hw/common/counter_bank.h"
#include "hw/hpm/bank_wave.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/model_bank.h"
#include "hw/hpm/pcer_csr.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pes {

class PcerBank final : public ModelBank {
  public:
    /// The profile's registers are Pcer or PcerShared; its selectors are bits of PCER. Of the rest
    /// of the configuration only the shape matters, 31 counters of 32 bits.
    explicit PcerBank(const CounterConfig& config);

    /// Includes the aliases for user mode.
    bool owns(std::uint16_t csr) const override { return is_own(csr); }
    std::uint64_t read(std::uint16_t csr) const override;
    /// At most one write per cycle, and not through an alias.
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege, Cycle) override {} // no counter depends on the mode
    bool depends_on_mode() const override { return false; }

    Cycle now() const override { return now_; }
    BankInterrupt interrupt(BankLine) const override { return {}; }
    void connect(BankLine, LevelSink&) override {} // it has no interrupts
    Cycle safe_cycles() const override;
    PulseRoom room() const override;

    void attach_wave(WaveSink& sink, std::string_view scope) override {
        attach_register_wave(sink, scope);
    }
    void attach_register_wave(WaveSink& sink, std::string_view scope) override;
    void finish() override;

    std::uint32_t reached() const override { return 0; }
    void set_debug(bool debug) override;
    void set_mode(Privilege) override {} // likewise
    void state(Archive& archive) override;

  private:
    /// Index into totals_: an Event, Instructions and Cycles among them, or what only the shared
    /// counter counts.
    using Source = std::uint8_t;
    static constexpr Source kNoSource = static_cast<Source>(Event::None); // its total stays 0
    static constexpr auto kRetiredSource = static_cast<Source>(Event::Instructions);
    static constexpr auto kCycleSource = static_cast<Source>(Event::Cycles);
    static constexpr Source kAnySource = kCycleSource + 1; ///< cycles with any of live_
    static constexpr std::size_t kSourceCount = kAnySource + 1;

    struct Counter {
        std::uint64_t base = 0;
        std::uint64_t total_at_base = 0;
        Source source = kNoSource; ///< kNoSource while it stands still
    };
    struct PendingWrite {
        PcerCsr target;
        std::uint64_t value;
    };

    bool shared() const { return config_.profile->registers == RegisterSet::PcerShared; }
    /// True if single cycles are needed, because the shared counter ORs several events.
    bool needs_ticks() const { return counters_[0].source == kAnySource; }
    std::uint64_t value(const Counter& counter) const;
    void land_write();
    void rebase(Counter& counter, std::uint64_t value);
    void settle();
    void connect();
    Source shared_source() const;

    Cycle now_ = 0;
    std::array<std::uint64_t, kSourceCount> totals_{};
    std::array<Counter, kPcerCounters> counters_{}; ///< the shared one is the first
    std::array<Source, kPcerCounters> events_{};    ///< what bit n of PCER enables
    std::uint32_t stored_ = 0;                      ///< bits of PCER with an event
    std::uint32_t mode_ = csr::kPcmrEnable | csr::kPcmrSaturate;
    std::uint32_t enabled_ = 0; ///< PCER
    EventMask live_{};          ///< what kAnySource counts
    bool debug_ = false;
    std::optional<PendingWrite> pending_;
    std::optional<BankWave> wave_;
};

} // namespace pes
