// SPDX-License-Identifier: Apache-2.0
// The options of the software trace module, of run and exec.
#pragma once

#include "platform/cli/options.h"

#include <CLI/CLI.hpp>

namespace pes {

void add_osd_options(CLI::App& run, Options& options);
/// Throws UserError.
void check_osd_options(const CLI::App& run, const Options& options);

} // namespace pes
