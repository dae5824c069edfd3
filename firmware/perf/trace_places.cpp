// SPDX-License-Identifier: Apache-2.0
// Where the platform has its trace units. Weak: a program's own tables win.
#include "firmware/perf/perf.h"

#include "hw/common/maps/trace.h"
#include "platform.h"

namespace {

volatile TraceRegMemMap* encoder_at(unsigned hart) {
    return reinterpret_cast<volatile TraceRegMemMap*>(PES_TRACE_ENCODER_BASE +
                                                      hart * pes::trace_map::kBlockBytes);
}

} // namespace

extern "C" {
[[gnu::weak]] extern volatile TraceRegMemMap* const tmm[];
[[gnu::weak]] extern volatile TfTraceRegMemMap* const fmm;
[[gnu::weak]] extern volatile TfTraceRegMemMap* const perfFunnels[];
}

volatile TraceRegMemMap* const tmm[] = {encoder_at(0), encoder_at(1), encoder_at(2), encoder_at(3),
                                        encoder_at(4), encoder_at(5), encoder_at(6), encoder_at(7)};
static_assert(sizeof tmm / sizeof tmm[0] == PERF_MAX_CORES);

volatile TfTraceRegMemMap* const fmm =
    reinterpret_cast<volatile TfTraceRegMemMap*>(PES_TRACE_FUNNEL_BASE);

// The platform has one funnel.
volatile TfTraceRegMemMap* const perfFunnels[PERF_MAX_FUNNELS] = {
    reinterpret_cast<volatile TfTraceRegMemMap*>(PES_TRACE_FUNNEL_BASE)};
