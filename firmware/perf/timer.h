// SPDX-License-Identifier: Apache-2.0
// Records from the machine timer interrupt.
#pragma once

#include "firmware/perf/hart_state.h"

namespace pes::perf {

inline constexpr int kShortestInterval = 100; ///< microseconds

/// An error if there is no timer, or if nobody knows its frequency.
Status check_timer();
/// From here on this hart is interrupted every so many microseconds.
void start_timer(HartState& hart, int interval);

} // namespace pes::perf
