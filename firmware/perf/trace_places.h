// SPDX-License-Identifier: Apache-2.0
// Where the trace units are. These are the names under which programs define them.
#pragma once

#include "firmware/perf/perf.h"

extern "C" {
extern volatile TraceRegMemMap* const tmm[];            ///< encoders, by hart
extern volatile TfTraceRegMemMap* const fmm;            ///< the first funnel
extern volatile TfTraceRegMemMap* const perfFunnels[];  ///< all of them, if there are several
extern volatile RamSinkRegMemMap* const perfRamSinks[]; ///< by hart, or one behind the funnels
}
