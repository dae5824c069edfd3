// SPDX-License-Identifier: Apache-2.0
// Setting up the trace units. A hart's encoder is its own; a funnel and its sink are shared, and
// the first hart that comes sets them up. So is the memory pool. All of it under one lock.
#include "firmware/perf/hart_state.h"
#include "firmware/perf/memory_pool.h"
#include "firmware/perf/trace_places.h"

namespace pes::perf {

constinit Library library;

namespace {

namespace map = trace_map;

constexpr int kChannels = 32;

/// With the standard registers.
unsigned ram_sinks() {
    return library.funnels == 0 ? library.harts : 1;
}

unsigned funnel_of(unsigned hart) {
    return hart * library.funnels / library.harts;
}

// The part of the request that fills whole words. What was taken from the pool is used again as
// long as it is large enough.
Status make_buffer(SinkState& sink, const TraceUnit& unit, uint32_t requested) {
    const uint64_t word = unit.sink_word_bytes();
    const uint64_t size = requested / word * word;
    if (size == 0) {
        return fail("a buffer of ", requested, " bytes is not one word of ", word, " of the sink");
    }
    if (sink.taken.size < size) {
        const uint64_t base = take_from_pool(size);
        if (base == 0) {
            return fail("a buffer of ", size, " bytes does not fit into the ", left_in_pool(),
                        " that are left for buffers (perfSetPlatform gives others)");
        }
        sink.taken = {.base = base, .size = size};
    }
    sink.buffer = {.base = sink.taken.base, .size = size};
    return Status::Ok;
}

Status set_up_sink(SinkState& sink, const TraceUnit& unit, uint32_t requested) {
    sink.requested = requested;
    if (requested == 0) {
        if (unit.select_sink(map::sink::kSram) != Status::Ok) {
            return Status::Error;
        }
        sink.buffer = unit.set_sram();
        return Status::Ok;
    }
    if (make_buffer(sink, unit, requested) != Status::Ok ||
        unit.select_sink(map::sink::kMemory) != Status::Ok) {
        return Status::Error;
    }
    return unit.set_buffer(sink.buffer);
}

// perfInit has brought it out of reset.
Status set_up_shared_sink(SinkState& sink, const TraceUnit& unit, uint32_t requested) {
    if (sink.set_up) {
        return sink.requested == requested
                   ? Status::Ok
                   : fail("", UnitName{unit}, " has a buffer of SBABufferSize ", sink.requested,
                          ": its harts must ask for the same size, not ", requested);
    }
    if (set_up_sink(sink, unit, requested) != Status::Ok) {
        return Status::Error;
    }
    if (unit.is_standard()) {
        unit.enable_sink();
    } else {
        unit.enable_funnel();
    }
    sink.set_up = true;
    return Status::Ok;
}

// The trace's timestamp as software reads it: that of the unit which the others follow.
bool find_clock(HartState& state) {
    const auto take = [&state](const TraceUnit& unit) {
        if (!unit.is_timestamp_master()) {
            return false;
        }
        state.clock = unit;
        return true;
    };
    if (take(state.encoder) || take(state.sink_unit)) {
        return true;
    }
    for (unsigned index = 0; index < library.funnels; ++index) {
        if (take(funnel(index))) {
            return true;
        }
    }
    return false;
}

// SiFive's registers: the sink is the encoder's own or that of its funnel.
Status set_up_route(unsigned hart, HartState& state, uint32_t buffer_size) {
    if (library.funnels == 0) {
        state.sink_unit = state.encoder;
        state.sink = &library.sinks[hart];
        return set_up_sink(*state.sink, state.encoder, buffer_size);
    }
    const unsigned index = funnel_of(hart);
    state.sink_unit = funnel(index);
    state.sink = &library.sinks[index];
    const Status status = set_up_shared_sink(*state.sink, state.sink_unit, buffer_size);
    return status == Status::Ok ? state.encoder.select_sink(map::sink::kFunnel) : status;
}

// The standard's: a RAM sink for each encoder, or one behind all funnels.
Status set_up_standard_route(unsigned hart, HartState& state, uint32_t buffer_size) {
    const unsigned index = library.funnels == 0 ? hart : 0;
    state.sink_unit = ram_sink(index);
    state.sink = &library.sinks[index];
    if (library.funnels == 0) { // a second initialisation begins again
        state.sink->set_up = false;
        if (state.sink_unit.reset() != Status::Ok) {
            return Status::Error;
        }
    }
    return set_up_shared_sink(*state.sink, state.sink_unit, buffer_size);
}

Status set_up_units(unsigned hart, HartState& state, uint32_t buffer_size) {
    state.encoder = encoder_of(hart);
    if (state.encoder.reset() != Status::Ok) {
        return Status::Error;
    }
    const Status status = state.encoder.is_standard()
                              ? set_up_standard_route(hart, state, buffer_size)
                              : set_up_route(hart, state, buffer_size);
    if (status != Status::Ok) {
        return status;
    }
    state.encoder.enable_timestamp();
    return Status::Ok;
}

} // namespace

Status reset_units() {
    for (unsigned hart = 0; hart < library.harts; ++hart) {
        if (encoder_of(hart).reset() != Status::Ok) {
            return Status::Error;
        }
    }
    for (unsigned index = 0; index < library.funnels; ++index) {
        if (funnel(index).reset() != Status::Ok) {
            return Status::Error;
        }
        funnel(index).enable_timestamp(); // that of one may be the time of all harts
    }
    if (!encoder_of(0).is_standard()) {
        return Status::Ok;
    }
    for (unsigned index = 0; index < library.funnels; ++index) {
        funnel(index).enable_funnel();
    }
    for (unsigned index = 0; index < ram_sinks(); ++index) {
        if (ram_sink(index).reset() != Status::Ok) {
            return Status::Error;
        }
    }
    return Status::Ok;
}

ErrorText& error_text() {
    const unsigned id = machine::hart_id();
    return library.errors[id < PERF_MAX_CORES ? id : 0];
}

NameParts name_parts(const TraceUnit& unit) {
    for (unsigned index = 0; index < library.funnels; ++index) {
        if (funnel(index).base() == unit.base()) {
            return {.kind = "funnel", .index = index, .base = unit.base()};
        }
    }
    for (unsigned index = 0; index < ram_sinks(); ++index) {
        if (ram_sink(index).base() == unit.base()) {
            return {.kind = "RAM sink", .index = index, .base = unit.base()};
        }
    }
    unsigned index = 0;
    while (index + 1 < library.harts && encoder_of(index).base() != unit.base()) {
        ++index;
    }
    return {.kind = "encoder", .index = index, .base = unit.base()};
}

TraceUnit encoder_of(unsigned hart) {
    return TraceUnit(reinterpret_cast<uint64_t>(tmm[hart]));
}

TraceUnit funnel(unsigned index) {
    // A program for one funnel defines fmm only.
    const volatile TfTraceRegMemMap* base = library.funnels == 1 ? fmm : perfFunnels[index];
    return TraceUnit(reinterpret_cast<uint64_t>(base));
}

TraceUnit ram_sink(unsigned index) {
    return TraceUnit(reinterpret_cast<uint64_t>(perfRamSinks[index]));
}

Status set_up_hart(unsigned hart, const perfEvent* events, int count, int channel,
                   perfCountType_t type, uint32_t buffer_size) {
    HartState& state = library.hart[hart];
    state.collection = Collection::None;
    state.recording = false;
    state.records = state.lost_records = 0;
    state.counted = false;
    const bool known_type =
        type == perfCount_Raw || type == perfCount_Delta || type == perfCount_DeltaXOR;
    if (!known_type) {
        return fail("the count type is Raw, Delta or DeltaXOR");
    }
    if (channel < 0 || channel >= kChannels) {
        return fail("the ITC channel is 0 to 31");
    }
    state.type = static_cast<perf_record::CountType>(type);
    const LockGuard guard(library.lock);
    if (set_up_units(hart, state, buffer_size) != Status::Ok) {
        return Status::Error;
    }
    const unsigned width = find_clock(state) ? state.clock.timestamp_width() : kNoTimestamp;
    if (set_up_counters(state.counters, events, count, width) != Status::Ok) {
        return Status::Error;
    }
    state.stimulus = Stimulus(state.encoder, state.sink_unit, static_cast<unsigned>(channel));
    state.encoder.enable_stimulus(static_cast<unsigned>(channel));
    state.encoder.enable_encoder();
    state.encoder.start_tracing();
    return Status::Ok;
}

} // namespace pes::perf
