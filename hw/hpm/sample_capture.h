// SPDX-License-Identifier: Apache-2.0
// hw/hpm/rtl/pes_sample_capture.sv from a bank's registers: the instruction whose event brought a
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

    /// Before the bank's tick(): the selectors that count in this cycle.
    void before(const CounterBank& bank, const CyclePulses& pulses);
    /// After it, with what has retired.
    void after(const ModelBank& bank, const RetiredPair& retired);
    /// After a span in which the line did not move; `retired` has the youngest.
    void passed(const RetiredPair& retired);

    /// As the RTL must show it now.
    const CapturedSample& sample() const { return sample_; }
    /// It is another from the cycle after the next on.
    bool changes() const { return next_.has_value(); }
    /// Of the instruction that retired last.
    Address last_pc() const { return youngest_.pc; }
    void reset() { *this = SampleCapture(*config_); }

  private:
    bool takes_older(const ModelBank& bank, const RetiredPair& retired) const;

    const CounterConfig* config_; ///< outlives this
    CapturedSample sample_;
    std::optional<CapturedSample> next_; ///< from the next cycle on
    std::array<std::uint64_t, kCounterLimit> selectors_{};
    RetiredPair::Port youngest_{.privilege = Privilege::User}; ///< 0 until something retires
    bool line_ = false;
};

/// The capture of a modelled bank on its own, as waves show it: it takes the pins that RTL has from
/// the retirement stream.
class SampleTap {
  public:
    SampleTap(const CounterConfig& config, SampleWave wave) : capture_(config), wave_(wave) {}

    HartObserver& observer() { return ports_; }
    void before(const CounterBank& bank, const CyclePulses& pulses) {
        capture_.before(bank, pulses);
    }
    void after(const ModelBank& bank, const CyclePulses& pulses);
    /// The bank's advance(): so many instructions have retired since reset.
    void advanced(std::uint64_t retired);

  private:
    void show();

    SampleCapture capture_;
    RetirementPorts ports_;
    SampleWave wave_;
    std::uint64_t retired_ = 0;
    Cycle shown_from_ = kNever; ///< of a change on its way
};

} // namespace pes
