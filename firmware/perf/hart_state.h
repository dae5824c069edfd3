// SPDX-License-Identifier: Apache-2.0
// What the library knows of each hart and of the places that traces go to.
#pragma once

#include "firmware/perf/counters.h"
#include "firmware/perf/error.h"
#include "firmware/perf/function_stack.h"
#include "firmware/perf/lock.h"
#include "firmware/perf/stimulus.h"
#include "firmware/perf/trace_unit.h"

namespace pes::perf {

enum class Collection : uint8_t { None, Manual, Timer, FunctionEntryExit };

/// A sink: of a funnel, or of an encoder without one. All funnels share a RAM sink.
struct SinkState {
    bool set_up = false;
    uint32_t requested = 0; ///< bytes of memory; 0 = SRAM
    Buffer buffer;          ///< in force
    Buffer taken;           ///< from the pool, kept for later
};

struct HartState {
    Collection collection = Collection::None; ///< None: not initialised
    bool recording = false;
    perf_record::CountType type = perf_record::CountType::Raw;
    Stimulus stimulus;
    TraceUnit encoder;
    /// Whose sink takes the trace: the funnel, or the encoder itself, or a RAM sink.
    TraceUnit sink_unit;
    SinkState* sink = nullptr;
    TraceUnit clock; ///< whose timestamp is the counter of index 1
    CounterSet counters;
    uint64_t last_address = 0; ///< DeltaXor
    uint64_t records = 0;      ///< that were begun
    uint64_t lost_records = 0; ///< of them those that did not leave the program
    bool counted = false;      ///< lost_records has those too that the full buffer has no place for

    FunctionStack functions;
    bool call_sites = false; ///< records of functions have them, and not the caller's start

    uint64_t interval = 0; ///< ticks
    uint64_t deadline = 0;
};

struct Library {
    unsigned harts = 0; ///< 0: perfInit has not been called
    unsigned funnels = 0;
    Lock lock;      ///< of what harts share here
    Lock host_lock; ///< of calls to the host
    Lock sink_lock; ///< of sinks that are being saved
    HartState hart[PERF_MAX_CORES];
    SinkState sinks[PERF_MAX_CORES]; ///< by funnel or, without funnels, by hart
    ErrorText errors[PERF_MAX_CORES];
};

extern Library library;

/// The state of the calling hart; null if perfInit was not told of it.
inline HartState* this_hart() {
    const unsigned id = machine::hart_id();
    return id < library.harts ? &library.hart[id] : nullptr;
}

/// What is missing from a buffer that is full is counted. Once; the buffer does not change again.
void count_lost_records(HartState& hart);

TraceUnit encoder_of(unsigned hart);
TraceUnit funnel(unsigned index);
TraceUnit ram_sink(unsigned index); ///< of units with the standard registers

/// All encoders and funnels to reset; the time of the trace begins.
Status reset_units();

/// Everything of the calling hart but the collection and what belongs to it.
Status set_up_hart(unsigned hart, const perfEvent* events, int count, int channel,
                   perfCountType_t type, uint32_t buffer_size);

} // namespace pes::perf
