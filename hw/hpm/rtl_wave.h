// SPDX-License-Identifier: Apache-2.0
// The pins of counters in RTL as waveform signals (group "rtl"), named as in pes_hpm.sv: what the
// hart drives, the comparators and the sample capture. The registers are in group "hpm", with the
// same names for every kind of counters.
#pragma once

#include "hw/common/wave.h"
#include "hw/hpm/rtl_model.h"

#include <array>
#include <cstdint>
#include <string>

namespace pes {

class RtlWave {
  public:
    static constexpr const char* kGroup = "rtl";

    RtlWave(WaveSink& sink, const std::string& scope);

    /// After the clock edge that ends `cycle`.
    void ticked(const RtlModel::Inputs& inputs, const RtlModel::Outputs& outputs, Cycle cycle);

  private:
    static constexpr std::size_t kInputs = 8;
    static constexpr std::size_t kOutputs = 5;
    struct Signal {
        SignalId id{};
        std::uint64_t published = 0;
    };

    template <std::size_t Count>
    void publish(std::array<Signal, Count>& signals, const std::array<std::uint64_t, Count>& values,
                 Cycle at);

    WaveSink& sink_;
    std::array<Signal, kInputs> inputs_;
    std::array<Signal, kOutputs> outputs_;
};

} // namespace pes
