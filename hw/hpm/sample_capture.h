// SPDX-License-Identifier: Apache-2.0
// hw/hpm/rtl/pes_sample_capture.sv from a bank's registers: the instruction whose event brought a
// counter to its threshold.
#pragma once

#include "hw/hpm/counter_csr.h"
#include "hw/hpm/model_bank.h"
#include "hw/hpm/rtl_model.h"

#include <array>
#include <optional>

namespace pes {

/// What the capture holds.
struct CapturedSample {
    std::uint32_t reached = 0; ///< comparators, bit = counter index
    Cycle cycle = 0;           ///< mcycle
    Address pc = 0;
    std::uint8_t privilege = 0;
};

class SampleCapture {
  public:
    explicit SampleCapture(const CounterConfig& config) : config_(&config) {}

    /// Before the bank's tick(): the selectors that count in this cycle.
    void before(const CounterBank& bank, const CyclePulses& pulses);
    /// After it, with the pins of the cycle.
    void after(const ModelBank& bank, const RtlModel::Inputs& inputs);

    /// As the RTL must show it now.
    const CapturedSample& sample() const { return sample_; }
    /// Of the instruction that retired last.
    Address last_pc() const { return youngest_pc_; }
    void reset() { *this = SampleCapture(*config_); }

  private:
    bool takes_older(const ModelBank& bank, const RtlModel::Inputs& inputs) const;

    const CounterConfig* config_; ///< outlives this
    CapturedSample sample_;
    std::optional<CapturedSample> next_; ///< from the next cycle on
    std::array<std::uint64_t, kCounterLimit> selectors_{};
    Address youngest_pc_ = 0;
    std::uint8_t privilege_ = 0;
    bool line_ = false;
};

} // namespace pes
