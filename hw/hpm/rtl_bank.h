// SPDX-License-Identifier: Apache-2.0
// Counters in RTL behind the contract of a bank. Every cycle of the hart is one clock cycle of the
// RTL, so safe_cycles() is always 0 and advance() is never called.
//
// Pins that are not part of the contract, pc and events of each retirement port, come from
// the hart's retirement stream (RetirementPorts). Without the stream they stay 0; no counter
// depends on them.
#pragma once

#include "hw/hpm/bank_lines.h"
#include "hw/hpm/bank_wave.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/hpm_bank.h"
#include "hw/hpm/privilege_track.h"
#include "hw/hpm/retirement_ports.h"
#include "hw/hpm/rtl_model.h"
#include "hw/hpm/rtl_wave.h"
#include "hw/hpm/sample_wave.h"
#include "hw/interface/pmu/counter_csr.h"

#include <memory>
#include <optional>

namespace pes {

class RtlCounterBank final : public HpmBank {
  public:
    /// `model` has the shape of `config`.
    RtlCounterBank(const CounterConfig& config, std::unique_ptr<RtlModel> model);

    bool owns(std::uint16_t csr) const override { return is_own(csr); }
    /// Appears on the CSR pins in the next cycle, as a write does; of several reads, the last one.
    std::uint64_t read(std::uint16_t csr) const override {
        read_pending_ = csr;
        return model_->read(csr);
    }
    std::uint64_t peek(std::uint16_t csr) const override { return model_->read(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override;
    void tick(const CyclePulses& pulses, Cycle cycle) override;
    void advance(const EventTotals& totals, Cycle cycle) override;
    void set_privilege(Privilege mode, Cycle from) override { privilege_.announce(mode, from); }
    Cycle now() const override { return now_; }
    BankInterrupt interrupt(BankLine line) const override { return lines_[line]; }
    void connect(BankLine line, LevelSink& sink) override { lines_.connect(line, sink); }
    Cycle safe_cycles() const override { return 0; }

    /// Groups "hpm" and "sample", and all signals of the RTL as group "rtl" in a scope inside
    /// `scope`.
    void attach_wave(WaveSink& sink, std::string_view scope) override;
    /// The same without group "hpm".
    void attach_pin_waves(WaveSink& sink, std::string_view scope);
    void finish() override;
    HartObserver* observer() override { return &ports_; }

    /// The register that `outputs().read_data` shows after a cycle without an access.
    void watch(std::uint16_t csr) { watched_ = csr; }
    /// Pins of the cycle now().
    const RtlModel::Inputs& inputs() const { return inputs_; }
    const RtlModel::Outputs& outputs() const { return outputs_; }
    /// The values of its retirement pins.
    RetiredPair retired() const;
    /// The content of the capture from now() + 1 on.
    CapturedSample sample() const;
    /// csr_hit_o for this number.
    bool hit(std::uint16_t csr) const { return model_->hit(csr); }
    RtlModel& model() { return *model_; }

    /// For test benches: a pin that no hart of the platform drives.
    void set_debug(bool debug) { inputs_.debug = debug; }
    /// Asserts reset; time begins again at 0.
    void reset();

  private:
    void drive_retirement(unsigned count);

    std::unique_ptr<RtlModel> model_;
    Cycle now_ = 0;
    EventMask pins_; ///< the pulses that have a pin
    RtlModel::Inputs inputs_;
    RtlModel::Outputs outputs_;
    bool write_pending_ = false;
    mutable std::optional<std::uint16_t> read_pending_; ///< reading does not change the registers
    std::uint16_t watched_ = 0;
    BankLines lines_;
    PrivilegeTrack privilege_;
    RetirementPorts ports_;
    std::optional<BankWave> wave_;
    std::optional<SampleWave> sample_wave_;
    std::optional<RtlWave> rtl_wave_;
};

} // namespace pes
