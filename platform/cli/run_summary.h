// SPDX-License-Identifier: Apache-2.0
// The end of a run for a person, in the manner of perf stat.
#pragma once

#include "platform/cli/run_report.h"

#include <string>

namespace pes {

/// "interrupted", "ended by the guest, exit code 3".
std::string how_it_ended(const RunEnd& end);

/// Several lines that begin and end with an empty one. `program`: what ran. Counts of several harts
/// are sums, but for the cycles, which the harts share.
std::string run_summary(const std::string& program, const RunStatistics& statistics,
                        const SampleChannel& samples, const PlatformConfig& config);

} // namespace pes
