// SPDX-License-Identifier: Apache-2.0
// The command line of `pes-vp exec`.
#pragma once

#include "platform/cli/options.h"

namespace CLI {
class App;
}

namespace pes {

/// Adds what belongs to the command: options of runs, which go into `options`, those of sampling,
/// into `profiling`, and its own, into `exec`.
void add_exec_options(CLI::App& command, Options& options, ExecOptions& exec,
                      ProfileOptions& profiling);

/// After parsing: what the run needs. Throws UserError.
Options finish_exec(const CLI::App& command, ExecOptions exec, Options options,
                    const ProfileOptions& profiling);

} // namespace pes
