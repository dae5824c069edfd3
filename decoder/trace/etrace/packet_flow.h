// SPDX-License-Identifier: Apache-2.0
// The instruction flow of one source of E-Trace packets (the specification's chapter "Decoder").
//
// A packet says up to which instruction the hart has come. The flow walks the program until it is
// there: conditional branches as the branch map says, jumps that the program does not determine to
// the address that the packet tells. Where the walk meets the address without such a jump, only the
// next packet tells whether this is the place or whether the way leads to it once more.
#pragma once

#include "decoder/trace/etrace/branch_outcomes.h"
#include "decoder/trace/etrace/packet_reader.h"
#include "decoder/trace/flow/flow_sink.h"
#include "platform/program/program_image.h"

#include <vector>

namespace pes::trace::etrace {

class PacketFlow {
  public:
    /// So many jumps without a branch or a packet are a loop that never ends.
    static constexpr unsigned kMostJumps = 1U << 16;

    PacketFlow(std::uint16_t source, const Parameters& parameters, const ProgramImage& image,
               const std::vector<FlowSink*>& sinks)
        : source_(source), parameters_(parameters), image_(image), sinks_(sinks),
          branches_(parameters), targets_(parameters) {}

    /// A packet of this source.
    void add(const PacketItem& item);
    /// Packets are lost here; at this place in the file.
    void lose(GapReason reason, std::uint64_t offset);

    /// The next instruction to run, if the packets so far tell it.
    std::optional<Address> position() const;
    /// Packets that could not be used, because the place or the encoder's options were unknown.
    std::uint64_t unplaced_packets() const { return unplaced_; }

  private:
    /// Where a packet says that the hart is.
    struct Target {
        Address address = 0;
        bool notify = false;
        bool updiscon = false;
        bool irreport = false;
        std::uint32_t irdepth = 0;
        std::optional<std::uint8_t> privilege = {}; ///< of Goal::Start
    };
    /// What ends a walk.
    enum class Goal : std::uint8_t {
        Report,     ///< an address of formats 0 to 2
        Start,      ///< of format 3
        LastBranch, ///< the last branch of a map without an address
    };
    enum class Step : std::uint8_t { Moved, Arrived, Failed };
    /// How an instruction passes control on.
    struct Leave {
        RunEnd end = RunEnd::Plain;
        std::optional<Address> next = {}; ///< none: the program does not say
        bool implicit_return = false;
    };
    /// A trap that is told of, but not its handler.
    struct PendingTrap {
        TrapKind kind = TrapKind::Exception;
        Address from = 0;
    };

    void sync(const Packet& packet);
    void start(const Packet& packet);
    void go_on(const Packet& packet);
    void trap(const Packet& packet);
    void trap_behind_trap(const Packet& packet, TrapKind kind);
    void trap_behind_instruction(const Packet& packet, TrapKind kind);
    void trapped(TrapKind kind, Address from, const Packet& packet);
    void support(const Packet& packet);
    void stop();
    void report(const Packet& packet);
    bool take_branches(const Packet& packet);
    bool take_address(const Packet& packet);

    void begin(Address address);
    void arrive(const Packet& packet);
    void tell_privilege(const Packet& packet);
    void tell_trap(TrapKind kind, Address from, Address to);

    // These are false when the flow is lost; they have told so then.
    bool walk(const Target& target, Goal goal);
    bool walk_to_second(const Target& target);
    bool is_there(const Target& target, Goal goal);
    Step step(const Target& target);
    bool fails(const Target& target) const;
    bool note_branch(Address address, bool not_taken);
    bool unprocessed_branches();

    const CodeRun* find(Address pc);
    bool is_branch(Address pc);
    Leave way_of(const CodeRun& run) const;
    void pass(const CodeRun& run, const Leave& way);
    void emit(const CodeRun& run, RunEnd end, std::optional<Address> next);
    void settle();
    void finish();
    void push(Address address);
    bool contradict(const char* detail);
    void lose(GapReason reason, const char* detail);
    void forget();

    std::uint16_t source_;
    const Parameters parameters_;
    const ProgramImage& image_;
    const std::vector<FlowSink*>& sinks_;
    const CodeSegment* segment_ = nullptr; ///< where pc_ was last

    std::optional<Options> options_; ///< since a support packet
    bool located_ = false;
    Address pc_ = 0;                 ///< the last instruction that is known to have retired
    bool told_ = false;              ///< it has been told, with where it leads
    Address begin_ = 0;              ///< of the run that is not told yet
    std::uint32_t passed_ = 0;       ///< instructions of it before pc_
    std::optional<Target> inferred_; ///< met, and perhaps once more
    std::optional<PendingTrap> trap_;
    std::optional<Address> handler_; ///< of a trap that has been told; nothing has retired there

    Address address_ = 0; ///< the last that was told
    BranchOutcomes branches_;
    JumpTargetCache targets_;
    std::vector<Address> returns_;
    std::optional<std::uint8_t> privilege_;
    unsigned jumps_ = 0; ///< since the last branch, in this packet
    FlowTime time_;
    std::uint64_t offset_ = 0;
    std::uint64_t unplaced_ = 0;
};

} // namespace pes::trace::etrace
