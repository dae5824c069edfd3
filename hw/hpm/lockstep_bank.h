// SPDX-License-Identifier: Apache-2.0
// The modelled bank and the RTL side by side, with the same pulses and the same CSR accesses. After
// every cycle all outputs must be equal, and every value that software reads. In each cycle without
// a write, one more register, possibly an absent one, is compared through the idle read port. So a
// difference that software does not read is found at most one round (all registers) after it arose.
// At the end of the run all registers are compared once more, which finds differences of the last
// round.
//
// The first difference ends the comparison and produces a report, and a VCD file of the cycles
// before it with all internal signals of the RTL. The hart sees the values of the model.
#pragma once

#include "hw/hpm/counter_coverage.h"
#include "hw/hpm/lockstep_report.h"
#include "hw/hpm/model_bank.h"
#include "hw/hpm/rtl_bank.h"
#include "hw/hpm/rtl_recorder.h"
#include "hw/hpm/sample_capture.h"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pes {

class LockstepBank final : public HpmBank {
  public:
    using Dump = std::function<void(const RtlModel::DumpText&)>;
    struct Hooks {
        /// Called once, with the report.
        std::function<void(const std::string& report)> on_difference{};
        /// Called before a report; false: another hart's counters differed first, and only its
        /// report is kept.
        std::function<bool()> wanted{};
        /// Stores the window: calls `dump` with a receiver for the text of a value change dump, and
        /// returns a line that says where it is, or why there is none. Empty: no window.
        std::function<std::string(const Dump& dump, const CounterDifference& difference)>
            keep_window{};
        NameOfPc name_of_pc{};
    };
    using Difference = CounterDifference;

    LockstepBank(const CounterConfig& config, const RtlFactory& make_rtl, Hooks hooks);

    bool owns(std::uint16_t csr) const override;
    std::uint64_t read(std::uint16_t csr) const override;
    std::uint64_t peek(std::uint16_t csr) const override { return model_->peek(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege mode, Cycle from) override {
        model_->set_privilege(mode, from);
        rtl_.set_privilege(mode, from);
    }
    Cycle now() const override { return model_->now(); }
    BankInterrupt interrupt(BankLine line) const override { return model_->interrupt(line); }
    void connect(BankLine line, LevelSink& sink) override { model_->connect(line, sink); }
    Cycle safe_cycles() const override { return 0; }
    bool watch_crossings(CrossingSink& sink) override { return model_->watch_crossings(sink); }
    bool connect_samples(SampleHost& host) override;
    void name_cause(const SampleCause& cause) override {
        model_->name_cause(cause);
        rtl_.name_cause(cause);
    }
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override {
        return model_->overflow_ahead(coming);
    }

    void attach_wave(WaveSink& sink, std::string_view scope) override;
    void finish() override;
    HartObserver* observer() override { return rtl_.observer(); }
    const CounterCoverage* coverage() const override { return &coverage_; }

    const std::optional<Difference>& difference() const { return difference_; }
    /// For test benches: the debug pin from the next cycle on. No hart of the platform has a debug
    /// mode.
    void set_debug(bool debug) {
        model_->set_debug(debug);
        rtl_.set_debug(debug);
    }
    /// For test benches: asserts reset; time begins again at 0.
    void reset();
    void state(Archive& archive) override;

  private:
    static constexpr std::size_t kCsrNumbers = 0x1000;

    void compare();
    void compare_shown();
    void compare_samples() const;
    /// The pins of a question, as reports call them.
    struct QuestionPins {
        const char *ask, *counter, *selector, *counted, *younger;
    };
    void compare_question(const QuestionPins& pins, const std::optional<Crossing>& model,
                          const RtlModel::Question& rtl) const;
    void compare_value(const char* signal, std::uint64_t model, std::uint64_t rtl,
                       std::uint32_t counters = 0) const;
    Difference difference_in(std::uint16_t csr, std::uint64_t model, std::uint64_t rtl) const;
    void differ(Difference difference, std::optional<std::uint16_t> read = std::nullopt) const;
    std::string write_window(std::optional<std::uint16_t> read) const;

    const RtlFactory make_rtl_;
    Hooks hooks_;
    std::unique_ptr<ModelBank> model_;
    RtlCounterBank rtl_;
    RtlRecorder recorder_;

    std::vector<std::uint16_t> registers_; ///< that the idle read port reads in turn
    std::size_t looked_at_ = 0;

    mutable std::array<Cycle, kCsrNumbers> equal_in_{}; ///< last comparison of each register

    mutable CounterCoverage coverage_; ///< mutable: a read is part of it
    SampleCapture sample_;             ///< as the RTL must show it
    SampleHost* host_ = nullptr;

    mutable std::optional<Difference> difference_; ///< mutable: a read may find it
};

} // namespace pes
