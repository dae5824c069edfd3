// SPDX-License-Identifier: Apache-2.0
// The option --generate of a program, which prints its manual page, or completion for a shell.
#pragma once

#include "platform/manual/command_facts.h"

#include <CLI/CLI.hpp>

#include <vector>

namespace pes {

/// Before parsing, and before the other options are added or after. The text is what the parser
/// throws, as it does for --help: a CLI::Success. `words` is what completions offer beside what
/// --help lists, and is called for them alone.
void add_generate_option(CLI::App& app, const char* version,
                         std::vector<OptionWords> (*words)() = nullptr);

} // namespace pes
