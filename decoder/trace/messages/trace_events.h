// SPDX-License-Identifier: Apache-2.0
// The events of a trace: in-circuit trace messages (event trace, PC samples) and ownership, as
// values.
#pragma once

#include "decoder/trace/messages/trace_context.h"
#include "hw/interface/trace/event_counters.h"

namespace pes::trace {

struct TraceEvent {
    std::uint16_t source = 0;
    std::optional<std::uint64_t> time;
    EventSource kind{};
    std::optional<std::uint64_t> address;     ///< where; unknown after a loss
    bool has_value = false;                   ///< CKDF 1
    std::uint64_t value = 0;                  ///< control code, id, cause, or context * 4 + tag
    std::optional<std::uint64_t> destination; ///< of a call or return, if it is not in the opcode
    std::optional<EventCounters> counters;    ///< of the event in front of this one
};

struct Ownership {
    std::uint16_t source = 0;
    std::optional<std::uint64_t> time;
    std::uint64_t process = 0; ///< the whole field
    std::uint64_t context = 0;
    unsigned privilege = 0;   ///< 0 U, 1 S, 3 M
    bool virtualised = false; ///< V

    /// The context is a process: scontext (PROCESS format 2).
    bool names_process() const { return (process & 3) == 2; }
};

/// "pc-sample", "call-return"
const char* to_string(EventSource kind);

/// Nothing if the item is no such message.
std::optional<TraceEvent> event_of(const TraceItem& item, const MessageContext& context);
std::optional<Ownership> ownership_of(const TraceItem& item, const MessageContext& context);

/// From here on the source runs this process, by an Ownership message or an event of scontext.
struct ProcessChange {
    std::uint16_t source = 0;
    std::uint64_t process = 0;
};
std::optional<ProcessChange> process_change(const TraceItem& item, const MessageContext& context);

} // namespace pes::trace
