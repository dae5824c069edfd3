// SPDX-License-Identifier: Apache-2.0
// The encoder's interface to the part that turns retired instructions into messages: branch trace,
// history trace, event trace and PC samples. That part sends through a MessagePort.
#pragma once

#include "hw/interface/trace/etrace/packet.h"
#include "hw/interface/trace/message_layout.h"
#include "hw/interface/trace/protocol.h"
#include "hw/interface/trace/timestamp.h"
#include "hw/interface/types.h"
#include "hw/trace/filter_settings.h"

namespace pes::trace {

/// teInstruction.
enum class InstructionMode : std::uint8_t {
    None = 0,
    Events = 1,           ///< event trace and periodic PC samples
    Branches = 3,         ///< BTM
    History = 6,          ///< HTM without optimisation
    OptimisedHistory = 7, ///< HTM with implicit returns and repeats
};

/// Modes Branches and History leave these messages out only if asked to (trTeInstFeatures of the
/// Trace Control Interface 1.0).
struct FlowOptions {
    bool implicit_returns = false; ///< of returns to their calls
    bool repeats = false;          ///< that repeat the one before: B-CNT, HREPEAT

    bool operator==(const FlowOptions&) const = default;
};

struct InstructionTraceSettings {
    Protocol protocol = Protocol::Nexus;
    /// Of E-Trace every mode but None is the same trace.
    InstructionMode mode = InstructionMode::None;
    /// trace_map::event bits: what mode Events reports, and whether with counters. In the other
    /// modes the bit for context asks for Ownership messages.
    std::uint32_t events = 0;
    /// A synchronising message after so many messages and after so many half-words of instructions,
    /// with the next branch message or when I-CNT is full; 0 = never. In mode Events the second is
    /// the period of PC samples.
    std::uint64_t sync_messages = 0;
    std::uint64_t sync_units = 0;
    std::uint64_t sync_cycles = 0; ///< the same after so many cycles; not in mode Events
    FlowOptions options{};
    /// N-Trace has B-TYPE 2 and 3 for exceptions and interrupts, and no RCODE 8 and 9.
    TimestampDialect dialect = TimestampDialect::SiFive;
    etrace::Options etrace{}; ///< of E-Trace: what may be left out

    bool operator==(const InstructionTraceSettings&) const = default;
};

class InstructionTracer {
  public:
    InstructionTracer() = default;
    InstructionTracer(const InstructionTracer&) = delete;
    InstructionTracer& operator=(const InstructionTracer&) = delete;
    virtual ~InstructionTracer() = default;

    /// True if it can send counters after events.
    virtual bool has_counters() const { return false; }
    /// Call only while stopped.
    virtual void configure(const InstructionTraceSettings& settings) = 0;
    /// Likewise: which instructions are traced. Mode Events reports all of them.
    virtual void set_filters(const TraceFilters& filters) = 0;
    /// Starts with the next instruction that retires after `at`; its message synchronises.
    virtual void start(SyncReason reason, Cycle at) = 0;
    /// Sends what has been collected, and then ProgTraceCorrelation (mode Events: the control
    /// event). May be called from another process while a message of this tracer waits for room;
    /// that message and these are then Lost.
    virtual void stop(CorrelationEvent reason, Cycle at) = 0;
    /// Sends a synchronising message for the present pc; in mode Events the next message
    /// synchronises.
    virtual void synchronise(SyncReason reason, Cycle at) = 0;
    /// Mode Events: an external trigger as an event.
    virtual void trigger(unsigned input, Cycle at) = 0;
};

} // namespace pes::trace
