// SPDX-License-Identifier: Apache-2.0
// Branch trace and history trace: retired instructions -> messages from which a decoder that has
// the program gets every one of them back. docs/trace-format.md says when which message is sent.
//
// BTM: a message for each taken branch and for each jump that the program does not determine.
// HTM: branches are bits of HIST; only jumps that the program does not determine, and traps, have
// messages. A message carries the cycle in which its instruction retires, or its trap is taken.
#pragma once

#include "hw/common/retirement.h"
#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/trace/return_stack.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/program/tracer_output.h"

namespace pes::trace {

class FlowTracer {
  public:
    explicit FlowTracer(TracerOutput& output) : output_(output) {}

    void configure(const InstructionTraceSettings& settings);
    void start(SyncReason reason, Cycle at);
    void stop(CorrelationEvent reason, Cycle at);
    void synchronise(SyncReason reason, Cycle at);

    void retired(const Retirement& retirement) {
        if (state_ != State::Running) [[unlikely]] {
            if (!begin(retirement.pc, retirement.privilege, retirement.cycle)) {
                next_pc_ = retirement.next_pc;
                return;
            }
        }
        if (retirement.privilege != privilege_) [[unlikely]] {
            enter(retirement.privilege, retirement.cycle);
        }
        units_ += retirement.length / 2U;
        next_pc_ = retirement.next_pc;
        if (may_leave_sequence(retirement.raw)) {
            follow(classify_flow(retirement.raw), retirement.pc, retirement.next_pc,
                   retirement.cycle);
        }
        if (units_ >= most_units_) [[unlikely]] {
            count_full(retirement.cycle);
        }
    }
    /// Messages, as MessagePort::room(), and the blocks for which so many suffice.
    std::size_t room(Cycle at);
    std::size_t blocks_within(std::size_t messages) const;
    void retired_blocks(std::span<const RetiredBlock> blocks);
    void trapped(const TrapTaken& trap);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    enum class State : std::uint8_t {
        Stopped,
        Waiting, ///< for the next instruction, which begins with a synchronising message
        Running,
    };
    enum class Direction : std::uint8_t { NotTaken, Taken };

    /// I-CNT that is reported without waiting for a branch: SiFive's counter has ten bits, the
    /// uppermost of which is its carry. At most one instruction more than that.
    static constexpr std::uint32_t kMostUnits = 512;
    /// The same where histories repeat, whose messages it would be between.
    static constexpr std::uint32_t kMostRepeatedUnits = 1U << 15;
    static constexpr std::uint32_t kNoHistory = 1;                        ///< the stop bit alone
    static constexpr std::uint32_t kHistoryFull = std::uint32_t{1} << 31; ///< 31 branches
    static constexpr std::uint32_t kHistoryBranches = 31;
    static constexpr unsigned kHistoryBits = kHistoryBranches + 1; ///< with the stop bit
    static constexpr std::uint32_t kLongestRun = 0xFFFF;           ///< and the most repeats
    /// 24 branches: loops whose branches repeat after 2, 3, 4, 6, 8 or 12 give equal histories.
    static constexpr std::uint32_t kRepeatableHistory = std::uint32_t{1} << 24;

    bool history_mode() const { return settings_.mode != InstructionMode::Branches; }
    bool optimised() const { return settings_.mode == InstructionMode::OptimisedHistory; }
    bool n_trace() const { return settings_.dialect == TimestampDialect::NTrace; }
    bool implicit_returns() const { return optimised() || settings_.options.implicit_returns; }
    bool repeats() const { return n_trace() && (optimised() || settings_.options.repeats); }
    bool reports_runs() const { return optimised() && !n_trace(); }
    bool reports_ownership() const;
    bool sync_due(Cycle at) const;

    bool begin(Address pc, Privilege privilege, Cycle at);
    void enter(Privilege privilege, Cycle at);
    void each_retired(const RetiredBlock& block);
    void follow(const InstructionFlow& flow, Address pc, Address next_pc, Cycle at);
    void branch(const InstructionFlow& flow, Address pc, Address next_pc, Cycle at);
    bool leaves_unpredicted(const InstructionFlow& flow, Address pc, Address next_pc);
    void note(Direction direction, Cycle at);
    void note_in_full(Cycle at);
    void history_full(Cycle at);
    void count_full(Cycle at);

    void send_taken_branch(Cycle at);
    void send_indirect(BranchType type, Address target, Cycle at);
    bool send_sync_here(SyncReason reason, Cycle at);
    bool send_repeats(Cycle at);
    bool repeats_branch(BranchType type, bool direct, Address target);
    bool send_branch_repeats(Cycle at);
    bool send_history_repeats(Cycle at);
    bool send_run(Cycle at);
    bool send_resource(Resource code, std::uint64_t data, Cycle at);
    bool send_counted(TraceMessage& message, Cycle at);
    bool send_ownership(std::uint64_t format, Cycle at);
    bool send(const TraceMessage& message, Cycle at);
    bool synchronised(Cycle at);
    void restart();
    void forget();

    TracerOutput& output_;
    InstructionTraceSettings settings_;
    State state_ = State::Stopped;
    SyncReason reason_ = SyncReason::TraceEnable; ///< of the message that begins
    Cycle from_ = 0;                              ///< instructions up to this cycle do not begin

    Address next_pc_ = 0;
    Privilege privilege_ = Privilege::Machine;
    std::uint32_t units_ = 0;            ///< I-CNT
    std::uint32_t history_ = kNoHistory; ///< HIST
    Direction run_direction_ = Direction::Taken;
    std::uint32_t run_ = 0;              ///< branches all one way; history_ is empty meanwhile
    std::uint64_t units_since_sync_ = 0; ///< without units_
    Cycle synced_at_ = 0;                ///< of the last synchronising message
    ReturnStack<32> calls_;
    std::uint32_t most_units_ = kMostUnits;
    std::uint32_t history_limit_ = kHistoryFull;

    /// The last branch message of a branch trace with repeats, if nothing was sent since.
    struct {
        bool known = false;
        bool direct = false;
        BranchType type = BranchType::Indirect;
        std::uint32_t units = 0;
        Address target = 0;        ///< of an indirect one
        std::uint32_t repeats = 0; ///< that have been left out
    } branch_;
    std::uint32_t full_history_ = kNoHistory; ///< of the last message with a full HIST
    std::uint32_t history_repeats_ = 0;       ///< that have been left out
};

} // namespace pes::trace
