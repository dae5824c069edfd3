// SPDX-License-Identifier: Apache-2.0
// The options of sampling from the host's side, which `profile` and `exec` have.
#pragma once

#include "platform/cli/host_profile.h"
#include "platform/cli/host_recording.h"

#include <CLI/CLI.hpp>

#include <string>

namespace pes {

/// Of all these options, in --help.
inline constexpr char kProfileGroup[] = "Sampling";

/// `page` is the option that asks for the HTML page.
void add_profile_options(CLI::App& command, ProfileOptions& options, const char* page);
/// For programs that are known before the run.
void add_call_graph_option(CLI::App& command, ProfileOptions& options);
/// Performance records, which take the place of all options before.
void add_record_options(CLI::App& command, RecordOptions& options);

/// No option is ignored. Throws UserError.
void check_profile(const ProfileOptions& options, const std::string& page);

} // namespace pes
