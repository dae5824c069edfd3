// SPDX-License-Identifier: Apache-2.0
// The instruction flow of one source: walks the program as far as I-CNT and HIST tell.
//
// I-CNT counts the half-words of instructions that retired since the last message with I-CNT, with
// the instruction that causes the message (N-Trace 1.0, "I-CNT Details"). In BTM every conditional
// branch inside is not taken. In HTM each takes a bit of HIST; HIST may come ahead of I-CNT
// (ResourceFull), and is walked at once, because it ends at a branch. I-CNT that comes ahead of
// HIST is walked up to the next branch and waits there. So does an instruction at the very end of
// ResourceFull's I-CNT, whose way only the next message tells.
#pragma once

#include "decoder/trace/flow/flow_sink.h"
#include "decoder/trace/messages/trace_context.h"
#include "hw/interface/trace/return_stack.h"
#include "platform/program/program_image.h"

#include <vector>

namespace pes::trace {

class SourceFlow {
  public:
    /// More half-words than this in one message, or in HIST ahead of I-CNT, are no trace: N-Trace
    /// limits I-CNT to 22 bits. It also bounds the work that a damaged message can cause.
    static constexpr std::uint64_t kMostUnits = std::uint64_t{1} << 22;
    static constexpr std::uint64_t kMostRepeats = std::uint64_t{1} << 18; ///< N-Trace: B-CNT

    SourceFlow(std::uint16_t source, const ProgramImage& image, const std::vector<FlowSink*>& sinks)
        : source_(source), image_(image), sinks_(sinks) {}

    /// A message of this source.
    void add(const TraceItem& item, const MessageContext& context);
    /// Messages are lost here; at this place in the file.
    void lose(GapReason reason, std::uint64_t offset);

    /// Where the flow stands: the next instruction to run.
    std::optional<Address> position() const { return located_ ? std::optional(pc_) : std::nullopt; }
    /// Messages that could not be used, because the position was unknown.
    std::uint64_t unplaced_messages() const { return unplaced_messages_; }
    /// Half-words of I-CNT behind which what was to tell their way has not come: it was lost, or
    /// the trace ends.
    std::uint64_t unresolved_units() const { return dropped_units_ + waiting_units(); }

  private:
    /// What a message says about the last instruction of its I-CNT.
    enum class Arrival : std::uint8_t {
        Sequence, ///< nothing: ProgTraceSync, ProgTraceCorrelation
        Taken,    ///< a direct branch that was taken
        Transfer, ///< B-TYPE 0: an indirect jump, or no change of flow (HTM's I-CNT overflow)
        Trap,     ///< a trap behind it
    };
    enum class Mode : std::uint8_t { Unknown, Branches, History };

    /// A message that ends a stretch of the flow.
    struct Stretch {
        MessageCode code = MessageCode::DirectBranch;
        Arrival arrival = Arrival::Sequence;
        TrapKind trap = TrapKind::Unknown;
        bool full = false; ///< a synchronising message
        SyncReason reason = SyncReason::Periodic;
        std::uint64_t units = 0;
        std::uint64_t history = 1;
        std::optional<Address> address;
    };

    void program_message(const TraceMessage& message, const MessageContext& context);
    void play(const Stretch& stretch);
    void begin(const Stretch& stretch);
    void resource_full(const TraceMessage& message);
    void correlation(const TraceMessage& message);
    void repeat_branch(std::uint64_t count);
    void own(const TraceMessage& message);

    /// What to do where only the next message tells how it goes on.
    enum class AtBranch : std::uint8_t { Wait, Refuse };

    // These are false when the flow is lost; they have told so then.
    bool add_units(std::uint64_t units);
    bool walk_history(std::uint64_t history, std::uint64_t repeat = 1);
    bool walk_branches(std::uint64_t count, RunEnd way);
    bool walk_to_branch(RunEnd way);
    bool walk_inside(AtBranch at_branch);
    bool walk_last(const Stretch& stretch);
    bool walk_part(const CodeRun& run, std::int64_t units);
    bool walk_up_to_last(const CodeRun& run);
    bool finish_run(const CodeRun& run, const Stretch& stretch);
    bool finish_jump(const CodeRun& run, const Stretch& stretch);
    bool arrive(const Stretch& stretch, bool transferred);
    bool follow(const CodeRun& run);
    bool follow_implicit_return(const CodeRun& run);
    bool contradict(const char* detail);
    const CodeRun* find(); ///< null likewise

    void pass(const CodeRun& run, RunEnd end, std::optional<Address> next);
    void note_links(const CodeRun& run);
    void lose(GapReason reason, const char* detail);
    std::uint64_t waiting_units() const {
        return located_ && units_ > 0 ? static_cast<std::uint64_t>(units_) : 0;
    }

    std::uint16_t source_;
    const ProgramImage& image_;
    const std::vector<FlowSink*>& sinks_;
    const CodeSegment* segment_ = nullptr; ///< where pc_ was last
    std::optional<std::uint64_t> context_; ///< the process, once it is told
    Address pc_ = 0;
    std::int64_t units_ = 0; ///< I-CNT not yet walked; negative: HIST was ahead
    bool located_ = false;
    Mode mode_ = Mode::Unknown;
    ReturnStack<1024> returns_;       ///< N-Trace allows encoders 32 levels
    std::optional<Stretch> previous_; ///< what RepeatBranch repeats
    FlowTime time_;
    std::uint64_t offset_ = 0;
    std::uint64_t unplaced_messages_ = 0;
    std::uint64_t dropped_units_ = 0; ///< of unresolved_units(): up to the last loss
};

} // namespace pes::trace
