// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "platform/cli/options.h"

namespace pes {

/// Carries out the command line; returns the exit code of the process. Throws UserError.
int run_command(const Options& options);

} // namespace pes
