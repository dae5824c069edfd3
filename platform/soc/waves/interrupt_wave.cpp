// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/interrupt_wave.h"

#include "platform/soc/waves/commit_wave.h"

namespace pes {

InterruptWave::InterruptWave(WaveSink& sink, std::string_view scope, LevelSink& hart)
    : sink_(sink), hart_(hart), signal_(sink.declare(CommitWave::kGroup, scope, "mip_q", 64, 0)) {}

void InterruptWave::set_level(unsigned line, bool level, Cycle at) {
    const std::uint64_t bit = std::uint64_t{1} << line;
    mip_ = level ? mip_ | bit : mip_ & ~bit;
    sink_.change(signal_, at + 1, mip_);
    hart_.set_level(line, level, at);
}

} // namespace pes
