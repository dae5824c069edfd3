// SPDX-License-Identifier: Apache-2.0
// The model of hw/hpm/rtl/pes_sample_capture.sv: captures the instruction whose event brought a
// counter to its threshold.
#pragma once

#include "hw/hpm/model_bank.h"
#include "hw/hpm/retirement_ports.h"
#include "hw/hpm/sample_wave.h"
#include "hw/interface/pmu/counter_csr.h"

#include <array>
#include <optional>

namespace pes {

class SampleCapture {
  public:
    explicit SampleCapture(const CounterConfig& config) : config_(&config) {}

    /// Call before the bank's tick(): reads the selectors that count in this cycle.
    void before(const CounterBank& bank, const CyclePulses& pulses);
    /// Call after it, with the retirements of the cycle.
    void after(const ModelBank& bank, const RetiredPair& retired);
    /// Call after a span in which the line did not change; `retired` contains the youngest.
    void passed(const RetiredPair& retired);

    /// The capture that the RTL must show now.
    const CapturedSample& sample() const { return sample_; }
    /// True if it changes in the cycle after the next.
    bool changes() const { return next_.has_value(); }
    /// pc of the last retired instruction.
    Address last_pc() const { return youngest_.pc; }
    void reset() { *this = SampleCapture(*config_); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool takes_older(const ModelBank& bank, const RetiredPair& retired) const;

    const CounterConfig* config_; ///< outlives this
    CapturedSample sample_;
    std::optional<CapturedSample> next_; ///< from the next cycle on
    std::array<std::uint64_t, kCounterLimit> selectors_{};
    RetiredPair::Port youngest_{.privilege = Privilege::User}; ///< 0 until something retires
    bool line_ = false;
};

/// The capture of a modelled bank without RTL, for waves. It takes the pins of the RTL from the
/// retirement stream.
class SampleTap {
  public:
    SampleTap(const CounterConfig& config, SampleWave wave) : capture_(config), wave_(wave) {}

    HartObserver& observer() { return ports_; }
    void before(const CounterBank& bank, const CyclePulses& pulses) {
        capture_.before(bank, pulses);
    }
    void after(const ModelBank& bank, const CyclePulses& pulses);
    /// Call after the bank's advance(); `retired` instructions have retired since reset.
    void advanced(std::uint64_t retired);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    void show();

    SampleCapture capture_;
    RetirementPorts ports_;
    SampleWave wave_;
    std::uint64_t retired_ = 0;
    Cycle shown_from_ = kNever; ///< of a pending change
};

} // namespace pes
