// SPDX-License-Identifier: Apache-2.0
// Records the way of each instruction of a hart through the pipeline, in a window of cycles.
// docs/waveforms.md has the stages.
#pragma once

#include "hw/common/retirement.h"
#include "hw/core/truth/passage.h"
#include "platform/program/disassembler.h"
#include "platform/soc/hart_tap.h"
#include "platform/soc/waves/kanata_writer.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes {

/// The cycles from .. to - 1. An instruction belongs to it if it is in the pipeline in one of them.
struct PipelineWindow {
    Cycle from = 0;
    Cycle to = kNever;
    Cycle lead = 0; ///< no instruction is in the pipeline for longer
};

class PipelineRecorder final : public HartTap, private HartObserver, private PassageSink {
  public:
    PipelineRecorder(unsigned hart, KanataWriter& writer, trace::Disassembler& disassembler,
                     const PipelineWindow& window);

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

  private:
    using Stages = std::vector<KanataInstruction::Stage>;

    void retired(const Retirement& retirement) override;
    void trapped(const TrapTaken& trap) override;
    void passed(const Passage& passage) override;
    void discarded(const DiscardedPassage& passage) override;

    struct Known {
        bool complete = false;
        Stages stages;
        Cycle ended = 0;
        std::string waits;
    };
    std::string label(Address pc, std::optional<std::uint32_t> raw);
    void add(KanataInstruction instruction);
    void add_discarded(Address cause);
    void leave();

    const unsigned index_;
    KanataWriter& writer_;
    trace::Disassembler& disassembler_;
    const PipelineWindow window_;
    Hart* hart_ = nullptr;
    Known known_;                             ///< of the instruction that ends now
    std::vector<DiscardedPassage> discarded_; ///< behind it
    Cycle last_start_ = 0;
};

} // namespace pes
