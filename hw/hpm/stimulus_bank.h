// SPDX-License-Identifier: Apache-2.0
// A counter bank whose pins are written to a stimulus file, with what the counters show. It is
// around any other bank, which counts; every cycle is recorded, so the hart steps.
#pragma once

#include "hw/hpm/hpm_bank.h"
#include "hw/hpm/pin_driver.h"
#include "hw/hpm/stimulus_writer.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace pes {

class StimulusBank final : public HpmBank {
  public:
    /// The values of all counters that exist are in the file every so many cycles.
    static constexpr Cycle kInterval = 256;

    /// `counting` has the shape of `config`.
    StimulusBank(const CounterConfig& config, std::unique_ptr<HpmBank> counting,
                 StimulusWriter::Sink sink);

    bool owns(std::uint16_t csr) const override { return bank_->owns(csr); }
    std::uint64_t read(std::uint16_t csr) const override;
    std::uint64_t peek(std::uint16_t csr) const override { return bank_->peek(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege mode, Cycle from) override;
    Cycle now() const override { return bank_->now(); }
    BankInterrupt interrupt(BankLine line) const override { return bank_->interrupt(line); }
    void connect(BankLine line, LevelSink& sink) override { bank_->connect(line, sink); }
    Cycle safe_cycles() const override { return 0; }
    bool watch_crossings(CrossingSink& sink) override { return bank_->watch_crossings(sink); }
    bool connect_samples(SampleHost& host) override;
    void name_cause(const SampleCause& cause) override;
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override {
        return bank_->overflow_ahead(coming);
    }
    bool can_interrupt(Privilege mode, CountedEvents events) const override {
        return bank_->can_interrupt(mode, events);
    }

    void attach_wave(WaveSink& sink, std::string_view scope) override {
        bank_->attach_wave(sink, scope);
    }
    /// Ends the file.
    void finish() override;
    HartObserver* observer() override;
    const CounterCoverage* coverage() const override { return bank_->coverage(); }

  private:
    /// The retirement stream, for both.
    class Fork final : public HartObserver {
      public:
        Fork(HartObserver& first, HartObserver* second) : first_(&first), second_(second) {}
        void retired(const Retirement& retirement) override {
            first_->retired(retirement);
            if (second_ != nullptr) {
                second_->retired(retirement);
            }
        }

      private:
        HartObserver* first_;
        HartObserver* second_;
    };

    void begin() const;
    void must_hold(const std::vector<std::uint16_t>& registers) const;
    bool exists(std::uint16_t csr) const;

    std::unique_ptr<HpmBank> bank_;
    PinDriver pins_;
    mutable StimulusWriter file_; ///< reading does not change the registers, but it is recorded
    mutable bool begun_ = false;
    bool write_pending_ = false;
    std::vector<std::uint16_t> registers_; ///< all, for the end
    std::vector<std::uint16_t> existing_;  ///< those of counters that exist
    std::optional<Fork> fork_;
};

} // namespace pes
