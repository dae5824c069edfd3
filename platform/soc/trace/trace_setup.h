// SPDX-License-Identifier: Apache-2.0
// How the host sets the trace blocks up before the first instruction, so that a program needs no
// firmware for it.
#pragma once

#include "hw/interface/maps/trace.h"

#include <cstdint>
#include <vector>

namespace pes {

enum class ProgramTrace : std::uint8_t { None, Events, Branches, History, PlainHistory };

/// Of the software trace modules.
enum class ThreadTracking : std::uint8_t { Off, On };

/// Whose handlers are traced.
enum class TracedTraps : std::uint8_t { Any, Exceptions, Interrupts };

/// Which instructions the program trace has: those for which all of it holds. Standard registers.
struct TraceFilterSetup {
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0; ///< the first address behind it
    };
    std::vector<Range> ranges;            ///< one of them; empty: all addresses
    std::uint8_t privileges = 0;          ///< bit n: mode n; 0: all
    TracedTraps traps = TracedTraps::Any; ///< else handlers alone

    bool any() const { return !ranges.empty() || privileges != 0 || traps != TracedTraps::Any; }
};

struct TraceSetup {
    ProgramTrace program = ProgramTrace::History;
    bool counters = false;       ///< behind each event and PC sample
    bool instrumentation = true; ///< all stimuli
    bool stall = true;           ///< a full FIFO holds the hart; false: messages are lost
    TraceFilterSetup filter{};
};

/// teControl that a setup asks for, without Active, Enable and Tracing.
constexpr std::uint32_t encoder_control(const TraceSetup& setup, std::uint32_t sink) {
    namespace control = trace_map::control;
    namespace instruction = trace_map::instruction;
    constexpr std::uint32_t kMessages = 5;     // synchronise every 2^(5+5) messages
    constexpr std::uint32_t kSampleUnits = 10; // a PC sample every 2^(10+4) half-words
    std::uint32_t mode = instruction::kNone;
    std::uint32_t units = control::kSyncNever;
    switch (setup.program) {
    case ProgramTrace::None:
        break;
    case ProgramTrace::Events:
        mode = instruction::kEvents;
        units = kSampleUnits;
        break;
    case ProgramTrace::Branches:
        mode = instruction::kBranches;
        break;
    case ProgramTrace::History:
        mode = instruction::kOptimisedHistory;
        break;
    case ProgramTrace::PlainHistory:
        mode = instruction::kHistory;
        break;
    }
    const std::uint32_t itc = setup.instrumentation ? trace_map::instrumentation::kStimuli
                                                    : trace_map::instrumentation::kNone;
    return mode << control::kInstructionShift | itc << control::kInstrumentationShift |
           (setup.stall ? control::kStallEnable : 0) | kMessages << control::kSyncMaxMessagesShift |
           units << control::kSyncMaxUnitsShift |
           control::kSixSlices << control::kSliceFormatShift | sink << control::kSinkShift;
}

} // namespace pes
