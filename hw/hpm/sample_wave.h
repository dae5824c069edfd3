// SPDX-License-Identifier: Apache-2.0
// The sample capture as waveform signals (group "sample"), for any bank: sample_reached_q,
// sample_cycle_q, sample_pc_q, sample_priv_q. See docs/pes.md, "Sample capture".
#pragma once

#include "hw/common/wave.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <string_view>

namespace pes {

/// The content of the capture.
struct CapturedSample {
    std::uint32_t reached = 0; ///< comparators, bit = counter index
    Cycle cycle = 0;           ///< mcycle
    Address pc = 0;
    std::uint8_t privilege = 0;

    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive(reached, cycle, pc, privilege);
    }
};

class SampleWave {
  public:
    static constexpr const char* kGroup = "sample";

    /// `sink` must outlive the wave.
    SampleWave(WaveSink& sink, std::string_view scope);

    /// The capture contains `sample` from cycle `at` on.
    void show(const CapturedSample& sample, Cycle at);

    template <typename Archive>
    void state(Archive& archive) { ///< of a checkpoint
        archive(published_);
    }

  private:
    static constexpr std::size_t kSignals = 4;
    using Values = std::array<std::uint64_t, kSignals>;

    WaveSink& sink_;
    std::array<SignalId, kSignals> signals_{};
    Values published_{};
};

} // namespace pes
