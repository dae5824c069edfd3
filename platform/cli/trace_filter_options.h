// SPDX-License-Identifier: Apache-2.0
// --trace-range, --trace-mode and --trace-traps: which instructions --trace has.
#pragma once

#include "platform/boot/boot.h"
#include "platform/cli/options.h"
#include "platform/config/config.h"

#include <CLI/CLI.hpp>

#include <string>

namespace pes {

void add_trace_filter_options(CLI::App& run, Options& options);

/// True if one of them is given.
bool filters_trace(const Options& options);
/// The options as a checkpoint has them; empty: none.
std::string text_of_trace_filters(const Options& options);
/// Throws UserError if the program or the platform does not have what they ask for.
TraceFilterSetup trace_filters(const Options& options, const PlatformConfig& config,
                               const BootImage& boot);

} // namespace pes
