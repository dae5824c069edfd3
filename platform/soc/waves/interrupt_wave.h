// SPDX-License-Identifier: Apache-2.0
// Part of the wave group "commit": mip_q, the bits of mip that interrupt wires drive. Stands
// between the wires and the hart and passes everything on unchanged. Timing: mip is a register; a
// wire that rises in cycle C shows in C + 1.
#pragma once

#include "hw/common/archive.h"
#include "hw/common/level.h"
#include "hw/common/wave.h"

#include <cstdint>
#include <string_view>

namespace pes {

class InterruptWave : public LevelSink {
  public:
    InterruptWave(WaveSink& sink, std::string_view scope, LevelSink& hart);

    void set_level(unsigned line, bool level, Cycle at) override;
    void state(Archive& archive) { archive(mip_); } ///< of a checkpoint

  private:
    WaveSink& sink_;
    LevelSink& hart_;
    SignalId signal_;
    std::uint64_t mip_ = 0;
};

} // namespace pes
