// SPDX-License-Identifier: Apache-2.0
// Where the platform has its trace units. Weak: a program's own tables win.
#include "firmware/perf/trace_places.h"

#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "platform.h"

namespace {

constexpr uint64_t encoder(unsigned hart) {
    return PES_TRACE_ENCODER_BASE + hart * pes::trace_map::kBlockBytes;
}

constexpr uint64_t funnel(unsigned index) {
    return PES_TRACE_FUNNEL_BASE + index * pes::trace_map::kBlockBytes;
}

constexpr uint64_t ram_sink(unsigned index) {
    return PES_TRACE_RAM_SINK_BASE + index * pes::trace_control::kComponentBytes;
}

} // namespace

extern "C" {
[[gnu::weak]] extern volatile TraceRegMemMap* const tmm[];
[[gnu::weak]] extern volatile TfTraceRegMemMap* const fmm;
[[gnu::weak]] extern volatile TfTraceRegMemMap* const perfFunnels[];
[[gnu::weak]] extern volatile RamSinkRegMemMap* const perfRamSinks[];
}

// Casts in place, so that the tables are constants: nobody runs constructors before the program.
volatile TraceRegMemMap* const tmm[] = {
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(0)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(1)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(2)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(3)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(4)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(5)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(6)),
    reinterpret_cast<volatile TraceRegMemMap*>(encoder(7)),
};
static_assert(sizeof tmm / sizeof tmm[0] == PERF_MAX_CORES);

volatile TfTraceRegMemMap* const fmm = reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(0));

volatile TfTraceRegMemMap* const perfFunnels[] = {
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(0)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(1)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(2)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(3)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(4)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(5)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(6)),
    reinterpret_cast<volatile TfTraceRegMemMap*>(funnel(7)),
};
static_assert(sizeof perfFunnels / sizeof perfFunnels[0] == PERF_MAX_FUNNELS);

volatile RamSinkRegMemMap* const perfRamSinks[] = {
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(0)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(1)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(2)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(3)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(4)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(5)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(6)),
    reinterpret_cast<volatile RamSinkRegMemMap*>(ram_sink(7)),
};
static_assert(sizeof perfRamSinks / sizeof perfRamSinks[0] == PERF_MAX_CORES);
