// SPDX-License-Identifier: Apache-2.0
// Counters in RTL behind the contract of a bank. Every cycle of the hart is one clock cycle of the
// RTL, so safe_cycles() is always 0 and advance() is never called.
#pragma once

#include "hw/hpm/bank_lines.h"
#include "hw/hpm/bank_wave.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/hpm_bank.h"
#include "hw/hpm/pin_driver.h"
#include "hw/hpm/rtl_model.h"
#include "hw/hpm/rtl_wave.h"
#include "hw/hpm/sample_wave.h"
#include "hw/interface/pmu/counter_csr.h"

#include <memory>
#include <optional>
#include <span>

namespace pes {

class RtlCounterBank final : public HpmBank {
  public:
    /// `model` has the shape of `config`.
    RtlCounterBank(const CounterConfig& config, std::unique_ptr<RtlModel> model);

    bool owns(std::uint16_t csr) const override {
        return is_own(csr) || (pins_.has_samples() && is_sample_csr(csr));
    }
    /// Stands on the CSR pins in the next cycle, as a write does; of several the last.
    std::uint64_t read(std::uint16_t csr) const override {
        read_pending_ = csr;
        return model_->read(csr);
    }
    std::uint64_t peek(std::uint16_t csr) const override { return model_->read(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege mode, Cycle from) override { pins_.announce(mode, from); }
    Cycle now() const override { return now_; }
    BankInterrupt interrupt(BankLine line) const override { return lines_[line]; }
    void connect(BankLine line, LevelSink& sink) override { lines_.connect(line, sink); }
    Cycle safe_cycles() const override { return 0; }
    bool connect_samples(SampleHost& host) override {
        host_ = &host;
        pins_.connect(host);
        return config_.profile->registers == RegisterSet::Hpm;
    }
    /// For lockstep: the host's pins are those of this bank too, but somebody else asks it.
    void share_samples(SampleHost& host) { pins_.connect(host); }
    void name_cause(const SampleCause& cause) override { pins_.name_cause(cause); }
    std::optional<Crossing> overflow_ahead(std::span<const CyclePulses> coming) const override;

    /// Groups "hpm" and "sample", and all signals of the RTL as group "rtl" in a scope inside
    /// `scope`.
    void attach_wave(WaveSink& sink, std::string_view scope) override;
    /// The same without group "hpm".
    void attach_pin_waves(WaveSink& sink, std::string_view scope);
    void finish() override;
    HartObserver* observer() override { return &pins_.observer(); }

    /// The register that `outputs().read_data` shows after a cycle without an access.
    void watch(std::uint16_t csr) { watched_ = csr; }
    /// Pins of the cycle now().
    const RtlModel::Inputs& inputs() const { return pins_.inputs(); }
    const RtlModel::Outputs& outputs() const { return outputs_; }
    /// The values of its retirement pins.
    RetiredPair retired() const { return pins_.retired(); }
    /// The content of the capture from now() + 1 on.
    CapturedSample sample() const;
    /// csr_hit_o for this number. A hart without Sspesa does not offer the numbers that are its.
    bool hit(std::uint16_t csr) const {
        return model_->hit(csr) && (pins_.has_samples() || !is_sample_csr(csr));
    }
    RtlModel& model() { return *model_; }

    /// For test benches: a pin that no hart of the platform drives.
    void set_debug(bool debug) { pins_.set_debug(debug); }
    /// Asserts reset; time begins again at 0.
    void reset();
    void state(Archive& archive) override;

  private:
    void tell_samples();
    Crossing crossing_of(Crossing::Kind kind, const RtlModel::Question& question) const;

    std::unique_ptr<RtlModel> model_;
    Cycle now_ = 0;
    PinDriver pins_;
    RtlModel::Outputs outputs_;
    bool write_pending_ = false;
    mutable std::optional<std::uint16_t> read_pending_; ///< reading does not change the registers
    std::uint16_t watched_ = 0;
    BankLines lines_;
    SampleHost* host_ = nullptr;        ///< Sspesa: whom this bank asks
    std::uint64_t selector_before_ = 0; ///< of the mhpmevent that is written in this cycle
    mutable Cycle no_overflow_before_ = 0;
    std::optional<BankWave> wave_;
    std::optional<SampleWave> sample_wave_;
    std::optional<RtlWave> rtl_wave_;
};

} // namespace pes
