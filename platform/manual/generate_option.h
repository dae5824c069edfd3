// SPDX-License-Identifier: Apache-2.0
// The option --generate of a program, which prints its manual page, or completion for a shell.
#pragma once

#include <CLI/CLI.hpp>

namespace pes {

/// Before parsing, and before the other options are added or after. The text is what the parser
/// throws, as it does for --help: a CLI::Success.
void add_generate_option(CLI::App& app, const char* version);

} // namespace pes
