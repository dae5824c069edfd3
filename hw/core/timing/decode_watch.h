// SPDX-License-Identifier: Apache-2.0
// Counts the decoded instructions, reports them to a DecodeTap, and follows the instruction that
// the tap selects to its end. Only a hart that samples decoded instructions has one.
//
// Instructions of blocks are not reported: quiet_until() is the decode cycle up to which none of
// them can be selected, and the outcomes of blocks contain the number of decoded instructions.
#pragma once

#include "hw/common/decode_tap.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/timing/code_reader.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulses/further_pulses.h"
#include "hw/core/truth/waits.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

/// Instructions decoded by a block; index = DecodedGroup.
using BlockDecoded = std::array<std::uint16_t, kDecodedGroups>;

/// Receives the followed instruction, complete but for the time, which only the hart knows.
class SampleSink {
  public:
    SampleSink() = default;
    SampleSink(const SampleSink&) = delete;
    SampleSink& operator=(const SampleSink&) = delete;
    virtual ~SampleSink() = default;

    virtual SampleFate sample_ended(const SampledInstruction& sample) = 0;
};

class DecodeWatch {
  public:
    explicit DecodeWatch(SampleSink& sink) : sink_(sink) {}
    DecodeWatch(const DecodeWatch&) = delete;
    DecodeWatch& operator=(const DecodeWatch&) = delete;

    void connect(DecodeTap& tap) { tap_ = &tap; }
    bool has_tap() const { return tap_ != nullptr; }
    /// What is decoded, and what becomes of samples, pulses there.
    void connect(FurtherPulses& pulses) { pulses_ = &pulses; }

    // --- For the pipeline, in the order of decoding -------------------------------------------

    /// The instruction at `pc` is decoded in `cycle`; its handler has not run yet.
    void decoded(const Instruction& instruction, Address pc, Cycle cycle, const Waits& waits,
                 const CodeReader& registers);
    // Events of the current instruction, which may be the followed one:
    void missed_line() { sample_.l1d_miss = true; }
    void missed_translation() { sample_.dtlb_miss = true; }
    void mispredicted() { sample_.mispredicted = true; }
    /// It retires or traps in `ended`, the previous instruction in `before`.
    void timed(Cycle issued, Cycle completed, Cycle before, Cycle ended);

    /// A younger instruction is decoded that will be flushed. True: flushed() must follow.
    bool decoded_in_vain(const Instruction& instruction, Address pc, Cycle cycle);
    struct Discarded {
        Cycle issued = kNever; ///< kNever: it never was
        Cycle flush = 0;
        SampledInstruction::Flush reason = SampledInstruction::Flush::None;
        Address by = 0; ///< pc of the cause
    };
    void flushed(const Discarded& how);

    // --- For the hart -------------------------------------------------------------------------

    /// True if the current instruction is the followed one.
    bool follows() const { return following_; }
    /// It has retired.
    void retired(Address next_pc, bool taken, const MemoryAccess& access);
    /// An exception, or an interrupt, was taken in its place.
    void trapped(bool interrupted);
    void enter(Privilege mode) {
        if (tap_ != nullptr) {
            tap_->entered(mode, totals_);
        }
    }

    /// No instruction decoded by blocks before this cycle can be selected.
    Cycle quiet_until() const;
    const DecodedTotals& totals() const { return totals_; }
    /// The instructions decoded by a block since `before`.
    BlockDecoded since(const DecodedTotals& before) const;
    /// Adds instructions decoded by blocks.
    void add(const BlockDecoded& more);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    bool report(const Instruction& instruction, Address pc, Cycle cycle);
    void end(SampledInstruction::End how);
    void pulse(Event event, Cycle cycle);

    SampleSink& sink_;
    DecodeTap* tap_ = nullptr;
    FurtherPulses* pulses_ = nullptr;
    DecodedTotals totals_{};
    Cycle reported_ = 0; ///< decode cycle of the last report
    bool following_ = false;
    bool in_memory_ = false; ///< the followed one is performed in memory: an AMO, LR or SC
    SampledInstruction sample_;
};

} // namespace pes
