// SPDX-License-Identifier: Apache-2.0
// The pipeline's reports about the current instruction to the oracle and to a PassageSink. Without
// them each call costs one test.
#pragma once

#include "hw/core/truth/oracle.h"
#include "hw/core/truth/passage.h"
#include "hw/core/truth/waits.h"
#include "hw/interface/types.h"

namespace pes {

class CycleAttribution {
  public:
    /// `waits`: record the delays of the current instruction even without an oracle.
    CycleAttribution(Oracle* truth, bool waits)
        : truth_(truth), told_(truth), always_(waits), waits_(waits || truth != nullptr) {}

    /// Null: nobody is told of passages.
    void tell_of_passages(PassageSink* sink) {
        sink_ = sink;
        renew_wish();
    }
    /// A block goes through the pipeline. An oracle without a ledger is not told of it.
    void begin_block() {
        if (truth_ != nullptr) {
            told_ = truth_->begin_block() ? truth_ : nullptr;
            renew_wish();
        }
    }
    /// The rest of the block is stepped: the oracle is told of it in any case.
    void step_on() {
        if (told_ == nullptr) {
            end_block();
        }
    }
    void end_block() {
        if (truth_ != nullptr) {
            truth_->end_block();
            told_ = truth_;
            renew_wish();
        }
    }
    PassageSink* passages() { return sink_; }
    /// Of the current instruction, for its passage.
    PassageRegisters& registers() { return registers_; }

    /// True if delays are recorded.
    bool wanted() const { return waits_.wanted(); }

    /// The delays of the current instruction, to which the parts of the pipeline add.
    Waits& waits() { return waits_; }
    void wait(CycleReason reason, Cycle retires) { waits_.until(reason, retires); }

    void begin(Address pc) {
        if (wanted()) [[unlikely]] {
            note_begin(pc);
        }
    }
    /// The queue offers the instruction from `offered` on; it is decoded in `decode`.
    void fetched(Cycle offered, Cycle decode) {
        if (wanted()) [[unlikely]] {
            note_fetch(offered, decode);
        }
    }

    /// First cycle in which an instruction has its operands, has a scoreboard entry, is ready to
    /// issue to a free unit, and issues.
    struct Issue {
        Cycle operands, entry, ready, issue;
    };
    void issued(const Issue& at) {
        if (wanted()) [[unlikely]] {
            note_issue(at);
        }
    }
    /// The instruction is ready to retire in `ready` and retires in `retired`. `before` is the
    /// retirement of the previous one, which may have become known late: see LastRetirements.
    void retired(Cycle before, Cycle ready, Cycle retired) {
        if (wanted()) [[unlikely]] {
            note_retirement(before, ready, retired);
        }
    }
    /// The instruction flushes the pipeline when it retires.
    void flush(CycleReason reason) {
        if (truth_ != nullptr) [[unlikely]] {
            truth_->flush(reason);
        }
    }
    void trap(Cycle taken, CycleReason reason) {
        if (truth_ != nullptr) [[unlikely]] {
            truth_->trap(taken, waits_, reason);
        }
    }
    /// A WFI that has retired waits up to and including `cycle`.
    void idle_through(Cycle cycle) {
        if (truth_ != nullptr) [[unlikely]] {
            truth_->hold_through(cycle, CycleReason::Idle);
        }
    }

    /// See timing_state.h.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle decode) {
        if (truth_ != nullptr) [[unlikely]] {
            truth_->relative_state(archive, decode);
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    void renew_wish() { waits_.want(always_ || told_ != nullptr || sink_ != nullptr); }
    [[gnu::cold, gnu::noinline]] void note_begin(Address pc);
    [[gnu::cold, gnu::noinline]] void note_fetch(Cycle offered, Cycle decode);
    [[gnu::cold, gnu::noinline]] void note_issue(const Issue& at);
    [[gnu::cold, gnu::noinline]] void note_retirement(Cycle before, Cycle ready, Cycle retired);

    Oracle* const truth_;
    Oracle* told_;      ///< null while a block is none of its business
    const bool always_; ///< delays are recorded even without a sink or an oracle
    Waits waits_;
    PassageSink* sink_ = nullptr;
    PassageRegisters registers_;
};

} // namespace pes
