// SPDX-License-Identifier: Apache-2.0
// What pes-lab does from the options to the exit code.
#pragma once

#include "tb/lab/options.h"

namespace pes::lab {

inline constexpr int kRunFailedExit = 1;
inline constexpr int kInterruptedExit = 130;

/// Throws UserError, or RunFailure if a run of pes-vp fails.
int lab_command(const Options& options);

} // namespace pes::lab
