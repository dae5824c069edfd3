// SPDX-License-Identifier: Apache-2.0
// What the instruction flow of a trace tells whoever listens: which instructions ran, in order, for
// each source. Tools derive from FlowSink and hand themselves to Flow (flow.h).
//
// Instructions come as runs: a stretch of consecutive addresses whose last instruction may transfer
// control. ProgramImage::at() walks a run instruction by instruction. The order of calls is the
// order of execution of a source: started, then runs, traps and contexts, then a gap or stopped,
// then started again.
//
// Time is that of the message that told of the run, so an upper bound: the instructions ran not
// after it, and after the time of the run before (of another time). The lower bound does not hold
// for a run before which a ResourceFull with a timestamp told of one: its I-CNT may reach over
// instructions that wait for the next message, and ran before it. Time is unknown before the first
// absolute timestamp, after losses, and in traces without timestamps.
#pragma once

#include "hw/interface/trace/message_layout.h"
#include "hw/interface/types.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes::trace {

class CodeSegment;

using FlowTime = std::optional<std::uint64_t>;

/// How the last instruction of a run passes control on. Calls and returns follow the link registers
/// x1 and x5 (unprivileged specification, return-address stack hints).
enum class RunEnd : std::uint8_t {
    Plain,        ///< not a transfer: the run is cut by a message, a trap, or the end of a section
    NotTaken,     ///< conditional branch
    Taken,        ///< conditional branch
    Jump,         ///< direct jump without link
    IndirectJump, ///< through a register, neither call nor return
    Call,         ///< direct or indirect; returns to `last` + its length
    Return,
    ReturnAndCall, ///< through one link register into the other: coroutine
    TrapReturn,    ///< xRET
};
inline constexpr std::size_t kRunEnds = 9;

struct InstructionRun {
    std::uint16_t source = 0;
    RunEnd end = RunEnd::Plain;
    std::uint8_t last_length = 0; ///< bytes of the last instruction
    std::uint32_t instructions = 0;
    Address begin = 0;
    Address last = 0;            ///< of the last instruction
    std::optional<Address> next; ///< what runs next; unknown if the trace stops at an indirect jump
    FlowTime time;
    const CodeSegment* code = nullptr; ///< has its instructions; null: no code is at hand

    Address return_address() const { return last + last_length; }
};

enum class TrapKind : std::uint8_t {
    Unknown, ///< SiFive's encoders do not tell which
    Exception,
    Interrupt,
};

struct FlowTrap {
    std::uint16_t source = 0;
    TrapKind kind = TrapKind::Unknown;
    Address from = 0; ///< the instruction that did not retire: xepc
    Address to = 0;   ///< the handler
    FlowTime time;
};

struct FlowStart {
    std::uint16_t source = 0;
    Address address = 0; ///< of the next instruction to run
    SyncReason reason = SyncReason::TraceEnable;
    FlowTime time;
};

enum class GapReason : std::uint8_t {
    EncoderLoss,    ///< Error message: the encoder could not keep up
    Damage,         ///< bytes that are not a message
    Contradiction,  ///< I-CNT, HIST or an address that the program does not allow
    OutsideProgram, ///< no code of the program at this address
    Truncated,      ///< the trace ends inside a message
};
inline constexpr std::size_t kGapReasons = 5;

/// The position is lost up to the next start. Calls and returns in between are unknown.
struct FlowGap {
    std::uint16_t source = 0;
    GapReason reason = GapReason::EncoderLoss;
    std::uint64_t offset = 0;       ///< of the message (or damage) in the file
    std::optional<Address> address; ///< the last position that was known
    FlowTime time;
    const char* detail = ""; ///< a contradiction in words: "I-CNT ends inside an instruction"
};

/// ProgTraceCorrelation: the encoder stopped, nothing is lost.
struct FlowStop {
    std::uint16_t source = 0;
    CorrelationEvent reason = CorrelationEvent::TraceDisabled;
    std::optional<Address> address; ///< of the next instruction, if known
    FlowTime time;
};

/// Ownership: privilege and process from here on.
struct FlowContext {
    std::uint16_t source = 0;
    std::uint8_t format = 0;    ///< PROCESS 1:0
    std::uint8_t privilege = 0; ///< PRV: 0 U, 1 S, 3 M
    bool virtualised = false;   ///< V
    std::uint64_t context = 0;  ///< scontext or hcontext, by the format; else 0
    FlowTime time;
};

class FlowSink {
  public:
    FlowSink() = default;
    FlowSink(const FlowSink&) = delete;
    FlowSink& operator=(const FlowSink&) = delete;
    virtual ~FlowSink() = default;

    virtual void started(const FlowStart&) {}
    virtual void ran(const InstructionRun&) {}
    virtual void trapped(const FlowTrap&) {}
    virtual void context_changed(const FlowContext&) {}
    virtual void gap(const FlowGap&) {}
    virtual void stopped(const FlowStop&) {}
};

} // namespace pes::trace
