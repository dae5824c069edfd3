// SPDX-License-Identifier: Apache-2.0
// Counts what the pipeline decodes, reports it to a DecodeTap, and follows the instruction that the
// tap has chosen to its end. Only a hart that samples decoded instructions has one.
//
// Blocks run unreported: quiet_until() says up to which decode cycle nothing in them can be chosen,
// and their outcomes say how much they have decoded.
#pragma once

#include "hw/common/decode_tap.h"
#include "hw/core/arch/instruction.h"
#include "hw/core/timing/code_reader.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/truth/waits.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

/// What a block decodes; index = DecodedGroup.
using BlockDecoded = std::array<std::uint16_t, kDecodedGroups>;

/// Gets the instruction that was followed, but for what only the hart knows: the time.
class SampleSink {
  public:
    SampleSink() = default;
    SampleSink(const SampleSink&) = delete;
    SampleSink& operator=(const SampleSink&) = delete;
    virtual ~SampleSink() = default;

    virtual void sample_ended(const SampledInstruction& sample) = 0;
};

class DecodeWatch {
  public:
    explicit DecodeWatch(SampleSink& sink) : sink_(sink) {}
    DecodeWatch(const DecodeWatch&) = delete;
    DecodeWatch& operator=(const DecodeWatch&) = delete;

    void connect(DecodeTap& tap) { tap_ = &tap; }

    // --- For the pipeline, in the order of decoding -------------------------------------------

    /// The instruction at `pc` is decoded in `cycle`; its handler has not run.
    void decoded(const Instruction& instruction, Address pc, Cycle cycle, const Waits& waits,
                 const CodeReader& registers);
    // What it does then, in case that it is the one that is followed:
    void missed_line() { sample_.l1d_miss = true; }
    void missed_translation() { sample_.dtlb_miss = true; }
    void mispredicted() { sample_.mispredicted = true; }
    /// It retires or traps in `ended`; the one before it in `before`.
    void timed(Cycle issued, Cycle completed, Cycle before, Cycle ended);

    /// One behind the instruction in hand that will be thrown away. True: flushed() shall follow.
    bool decoded_in_vain(const Instruction& instruction, Address pc, Cycle cycle);
    struct Discarded {
        Cycle issued = kNever; ///< kNever: it never was
        Cycle flush = 0;
        SampledInstruction::Flush reason = SampledInstruction::Flush::None;
        Address by = 0; ///< pc
    };
    void flushed(const Discarded& how);

    // --- For the hart -------------------------------------------------------------------------

    /// The instruction in hand is the one that is followed.
    bool follows() const { return following_; }
    /// It has retired ...
    void retired(Address next_pc, bool taken, const MemoryAccess& access);
    /// ... or an exception, or an interrupt, has been taken in its place.
    void trapped(bool interrupted);
    void enter(Privilege mode) {
        if (tap_ != nullptr) {
            tap_->entered(mode, totals_);
        }
    }

    /// Nothing that blocks decode before this cycle can be chosen.
    Cycle quiet_until() const;
    const DecodedTotals& totals() const { return totals_; }
    /// What a block has decoded since then.
    BlockDecoded since(const DecodedTotals& before) const;
    /// Blocks have decoded this.
    void add(const BlockDecoded& more);

  private:
    bool report(const Instruction& instruction, Address pc, Cycle cycle);
    void end(SampledInstruction::End how);

    SampleSink& sink_;
    DecodeTap* tap_ = nullptr;
    DecodedTotals totals_{};
    Cycle reported_ = 0; ///< decode cycle of the last report
    bool following_ = false;
    bool in_memory_ = false; ///< the one followed is performed there: an AMO, LR or SC
    SampledInstruction sample_;
};

} // namespace pes
