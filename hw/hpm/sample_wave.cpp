// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/sample_wave.h"

#include <string>

namespace pes {

SampleWave::SampleWave(WaveSink& sink, std::string_view scope) : sink_(sink) {
    const std::string own = std::string(scope) + ".sample";
    signals_ = {sink.declare(kGroup, own, "sample_reached_q", 32, 0),
                sink.declare(kGroup, own, "sample_cycle_q", 64, 0),
                sink.declare(kGroup, own, "sample_pc_q", 64, 0),
                sink.declare(kGroup, own, "sample_priv_q", 2, 0)};
}

void SampleWave::show(const CapturedSample& sample, Cycle at) {
    const Values values{sample.reached, sample.cycle, sample.pc, sample.privilege};
    for (std::size_t index = 0; index < kSignals; ++index) {
        if (values[index] != published_[index]) {
            published_[index] = values[index];
            sink_.change(signals_[index], at, values[index]);
        }
    }
}

} // namespace pes
