// SPDX-License-Identifier: Apache-2.0
// What pes-decode does for each subcommand. Returns the exit code; throws UserError.
#pragma once

#include "decoder/command_line.h"

namespace pes {

inline constexpr int kExitOk = 0;
inline constexpr int kExitNotMet = 1; ///< --strict or --require-top was not satisfied

int run_samples(const SamplesCommand& command);
int run_compare(const CompareCommand& command);
int run_skid(const SkidCommand& command);
int run_export(const ExportCommand& command);
int run_report(const ReportCommand& command);

} // namespace pes
