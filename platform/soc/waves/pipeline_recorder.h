// SPDX-License-Identifier: Apache-2.0
// Records the way of each instruction of a hart through the pipeline, in a window of cycles.
// docs/waveforms.md has the stages.
#pragma once

#include "hw/common/retirement.h"
#include "hw/core/truth/passage.h"
#include "platform/program/disassembler.h"
#include "platform/soc/hart_tap.h"
#include "platform/soc/waves/pipeline_log.h"

#include <array>
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
    /// Without a disassembler, the log gets no texts.
    PipelineRecorder(unsigned hart, PipelineLog& log, trace::Disassembler* disassembler,
                     const PipelineWindow& window);

    CounterBank& wrap(CounterBank& seen, HpmBank& guest) override;
    void attach(Hart& hart) override;

    /// For a log that has enough, also in its add(): nothing more is recorded, and the hart goes on
    /// without.
    void leave();

  private:
    void retired(const Retirement& retirement) override;
    void trapped(const TrapTaken& trap) override;
    void passed(const Passage& passage) override;
    void discarded(const DiscardedPassage& passage) override;

    /// The latest writer of a register.
    struct Writer {
        LoggedInstruction::Handle instruction{};
        Address pc = 0;
        Cycle last = 0;      ///< its result comes from the pipeline up to this cycle
        bool seen = false;   ///< false: none
        bool logged = false; ///< it is in the log
    };
    using Writers = std::array<Writer, kSinkRegister + 1>;

    void find_producers(const Writers& writers, const PassageRegisters& registers,
                        LoggedInstruction& instruction) const;
    void add(LoggedInstruction instruction, const PassageRegisters& registers, Writers& writers);
    void add_discarded(Address cause, const Writers& behind);

    const unsigned index_;
    PipelineLog& log_;
    trace::Disassembler* const disassembler_;
    const PipelineWindow window_;
    Hart* hart_ = nullptr;
    bool complete_ = false;                   ///< known_ is
    LoggedInstruction known_;                 ///< what is known of the instruction that ends now
    PassageRegisters registers_{};            ///< likewise
    std::string waits_;                       ///< likewise
    std::vector<DiscardedPassage> discarded_; ///< behind it
    Writers writers_{};
    Cycle last_start_ = 0;
};

} // namespace pes
