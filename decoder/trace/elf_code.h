// SPDX-License-Identifier: Apache-2.0
// What a trace decoder reads in an ELF file besides symbols and lines: its code, and the strings of
// its .comment section. The file has been found to be a program (ElfProgram).
#pragma once

#include "decoder/trace/program_image.h"

#include <string>
#include <vector>

namespace pes::trace {

/// All executable sections; the executable segments of a file without sections. Throws UserError if
/// there is no code.
void add_program_code(ProgramImage& image, const std::string& path);

/// The strings that `#ident` and compilers leave; never loaded into the target.
std::vector<std::string> read_comment_strings(const std::string& path);

} // namespace pes::trace
