// SPDX-License-Identifier: Apache-2.0
// Events of a trace (calls, returns, exceptions, interrupts) -> calls with a stack for each source,
// told in the same way as those of the instruction flow (call_tracker.h).
//
// No event says where a handler is, and SiFive's and our encoders send none for its xRET. So a trap
// becomes a frame with the event behind it: a change to a higher mode is at the handler itself, any
// other event is in it, unless it is back in the function that was interrupted. The frame ends with
// an event of an xRET, a change to a lower mode, a return to a frame below it, or an event in the
// interrupted function while nothing that the handler called is open; in the last two cases it ends
// at the time of the event before.
#pragma once

#include "decoder/trace/calls/call_tracker.h"
#include "decoder/trace/messages/trace_events.h"
#include "decoder/trace/program/code_places.h"
#include "platform/program/program_image.h"

namespace pes::trace {

class EventCalls {
  public:
    /// `code` and `places` of the program, which tell calls from returns, outlive this.
    EventCalls(const ProgramImage& code, CodePlaces& places, CallListener& listener)
        : code_(code), places_(places), calls_(listener) {}

    /// In the order of the trace.
    void add(const TraceEvent& event);
    void lost(std::uint16_t number);
    void lost(); ///< of a source that is not known
    /// Leaves the calls that the trace has no return of.
    void finish();

    /// Call or return events at an address where the program has no such jump.
    std::uint64_t disagreements() const { return disagreements_; }
    const CallTracker& calls() const { return calls_; }

  private:
    struct Source {
        bool has_calls = false;         ///< it tells of calls, so its times are those of a stack
        std::optional<FlowTrap> trap;   ///< whose handler is not known yet
        std::optional<unsigned> mode;   ///< of privilege
        std::optional<Address> address; ///< of the last event
        FlowTime time;                  ///< of the last event
    };

    void transfer(const TraceEvent& event);
    void change_mode(Source& from, const TraceEvent& event);
    void settle_trap(std::uint16_t number, Source& from, Address address);
    void leave_handlers(std::uint16_t number, const Source& from, Address address);
    void leave_traps_above(std::uint16_t number, const Source& from, Address return_to);
    void end_trap(std::uint16_t number, FlowTime time);
    void pass(const TraceEvent& event, RunEnd end, std::uint8_t length,
              std::optional<Address> next);
    bool same_function(std::uint16_t number, Address first, Address second);

    const ProgramImage& code_;
    CodePlaces& places_;
    CallTracker calls_;
    std::map<std::uint16_t, Source> sources_;
    std::uint64_t disagreements_ = 0;
};

} // namespace pes::trace
