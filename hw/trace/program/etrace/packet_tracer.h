// SPDX-License-Identifier: Apache-2.0
// E-Trace: retired instructions -> packets from which a decoder that has the program gets every one
// of them back. docs/e-trace.md says when which packet is sent.
//
// What has to be said of an instruction depends on the one before it and the one behind it (the
// specification's pipeline of three): an instruction is held until the next one, a trap, or the end
// of the trace is known.
#pragma once

#include "hw/common/retirement.h"
#include "hw/interface/riscv/instruction_class.h"
#include "hw/interface/trace/etrace/prediction.h"
#include "hw/interface/trace/return_stack.h"
#include "hw/trace/instruction_tracer.h"
#include "hw/trace/packet_port.h"

#include <array>

namespace pes::trace::etrace {

/// Where a program has been. From each begin() on it only goes forward, up to the next.
class Passed {
  public:
    void clear(Address begin) {
        count_ = 0;
        begin_ = begin;
    }
    void begin(Address last, Address next) {
        stretches_[count_++] = {begin_, last};
        begin_ = next;
    }
    /// There is no room for one more begin().
    bool full() const { return count_ == kStretches; }
    Address begin() const { return begin_; } ///< of the present stretch
    /// Before the present stretch.
    bool before(Address pc) const;
    /// Also in the present stretch, which has come as far as `last`.
    bool holds(Address pc, Address last) const {
        return (pc >= begin_ && pc <= last) || before(pc);
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kStretches = 8;
    struct Stretch {
        Address first = 0;
        Address last = 0;
        void state(class Archive& archive);
    };
    std::array<Stretch, kStretches> stretches_{};
    std::size_t count_ = 0;
    Address begin_ = 0;
};

class PacketTracer {
  public:
    explicit PacketTracer(PacketPort& port)
        : port_(port), predictor_(port.parameters()), targets_(port.parameters()) {}

    void configure(const InstructionTraceSettings& settings);
    void start(Cycle at);
    void stop(Cycle at);
    /// A synchronising packet with the next instruction.
    void synchronise() {
        wanted_ = true;
        quiet_ = false;
    }

    /// The place of the next instruction is told.
    void notify_next() {
        notify_ = true;
        quiet_ = false;
    }

    void retired(const Retirement& retirement) {
        if (quiet_ && retirement.privilege == held_.privilege &&
            !may_leave_sequence(retirement.raw) && units_ < unit_limit_) [[likely]] {
            held_.pc = retirement.pc;
            held_.next_pc = retirement.next_pc;
            held_.cycle = retirement.cycle;
            units_ += retirement.length / 2U;
            return;
        }
        take(retirement);
    }
    /// So many packets would not hold the hart if they came in `at` or later.
    std::size_t room(Cycle at) { return port_.room(at); }
    /// Blocks for which so many packets suffice.
    std::size_t blocks_within(std::size_t packets) const;
    /// The same of a block.
    void retired_block(const RetiredBlock& block);
    void trapped(const TrapTaken& trap);

    void state(class Archive& archive); ///< of a checkpoint

  private:
    enum class State : std::uint8_t {
        Stopped,
        Waiting, ///< for the first item
        Running, ///< one is held
    };
    /// What stands before the held item.
    enum class Before : std::uint8_t {
        Nothing,        ///< it is the first one of the trace, or behind a loss
        Sequence,       ///< the program tells that it comes next
        ImplicitReturn, ///< the return stack does
        Updiscon,       ///< its address must be told
        Trap,           ///< a trap that no packet has told of: trap_
        ReportedTrap,   ///< a trap whose handler no packet has named
    };
    /// An instruction that has retired, or a trap.
    struct Item {
        bool trap = false;
        bool notify = false; ///< its place is to be told
        Address pc = 0;      ///< of a trap: the instruction that did not retire
        Address next_pc = 0; ///< of a trap: the handler
        Privilege privilege = Privilege::Machine;
        InstructionFlow flow{};
        std::uint64_t cause = 0; ///< of a trap
        std::uint64_t tval = 0;
        Cycle cycle = 0;
        void state(class Archive& archive);
    };
    /// What stands behind it.
    struct Next {
        enum class Kind : std::uint8_t { Instruction, Trap, End };
        Kind kind = Kind::Instruction;
        Privilege privilege = Privilege::Machine;
        Cycle at = 0;
    };
    enum class Notify : std::uint8_t { No, Yes };
    /// After so many packets the next one that synchronises has a support packet before it.
    static constexpr std::uint64_t kSupportInterval = 128;

    void take(const Retirement& retirement);
    void advance(const Item& item);
    void encode(const Next& next);
    void encode_instruction(const Next& next);
    void encode_trap(const Next& next);
    bool sends_sync() const;
    bool mispredicts() const;
    void note_branch();
    bool learn_branch();
    /// A branch to the next instruction counts as not taken: the flow is the same.
    bool branch_taken() const { return held_.next_pc != held_.pc + held_.flow.length; }
    void pass();
    bool placed(bool changes) const;
    bool repeats() const;
    bool begins_stretch() const;
    bool predicts_return() const;

    bool sync_due() const;
    Packet sync_packet(Sync sync) const;
    void send_start(const Next& next);
    bool send_way_here(const Next& next);
    void send_trap(const Item& trap, Address address, bool thaddr, const Next& next);
    void send_report(const Next& next, Notify notify, bool updiscon);
    Packet report(Address address, Address last) const;
    void use_index(Packet& packet) const;
    Packet branches_packet() const;
    void send_branches(const Next& next);
    void told_branches();
    bool branches_due() const;
    void send_sync(const Packet& packet, const Next& next);
    bool send(std::span<const Packet> packets, const Next& next);
    Packet support(bool enabled, QualStatus status) const;
    void end(const Next& next);
    void forget();

    PacketPort& port_;
    InstructionTraceSettings settings_;
    State state_ = State::Stopped;
    bool sending_ = false;
    bool lost_ = false;  ///< no packet has told of a loss yet
    bool quiet_ = false; ///< nothing is to be done if a plain instruction of this mode follows
    Cycle from_ = 0;     ///< instructions up to this cycle do not begin

    Before before_ = Before::Nothing;
    Item held_;
    Item trap_;                                ///< of Before::Trap
    Privilege privilege_ = Privilege::Machine; ///< that the last synchronising packet has told

    Address address_ = 0; ///< that the last packet with one has told
    /// Not told yet: so many branches, those of them that were predicted, and the first 31.
    std::uint64_t branches_ = 0;
    std::uint64_t predicted_ = 0;
    std::uint32_t branch_map_ = 0;
    BranchPredictor predictor_;
    JumpTargetCache targets_;
    bool jumped_ = false; ///< of Before::Updiscon: by an indirect jump, not by an xRET
    /// The last packet has told the target of a jump. A synchronising one as the next would say
    /// that the first time the address is met is meant.
    bool unresolved_ = false;
    bool told_ = false; ///< a packet has told the place of the held instruction
    ReturnStack<32> calls_;
    Passed passed_;         ///< since the last branch or told place
    Address branch_pc_ = 0; ///< the last branch

    bool notify_ = false; ///< somebody has asked for the place of the next instruction
    bool wanted_ = false; ///< somebody has asked for a synchronising packet
    bool resync_ = false; ///< one is due with the next instruction; nothing is left to be told
    std::uint64_t unsupported_ = 0; ///< packets since the last support packet
    std::uint64_t packets_ = 0;     ///< since the last that did
    std::uint64_t units_ = 0;       ///< half-words since then
    std::uint64_t unit_limit_ = ~std::uint64_t{0};
};

} // namespace pes::trace::etrace
