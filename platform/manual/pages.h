// SPDX-License-Identifier: Apache-2.0
// What is written of a program's commands. Each text ends with a line end.
#pragma once

#include "platform/manual/command_facts.h"

#include <string>

namespace pes {

/// Of section 1, in the macros of man(7).
std::string man_page(const ProgramFacts& program);

/// A script for bash to source: bash(1), "Programmable Completion".
std::string bash_completion(const ProgramFacts& program);

/// A function for zsh's completion system, to be called _NAME in its fpath: zshcompsys(1).
std::string zsh_completion(const ProgramFacts& program);

} // namespace pes
