// SPDX-License-Identifier: Apache-2.0
// What a trace decoder reads in an ELF file besides symbols and lines: its code, and the strings of
// its .comment section. The file has been found to be a program (ElfProgram).
#pragma once

#include "platform/program/program_file.h"
#include "platform/program/program_image.h"

#include <string>
#include <vector>

namespace pes::trace {

/// All executable sections; the executable segments of a file without sections. Throws UserError if
/// there is no code.
void add_program_code(ProgramImage& image, const ProgramFile& program);
inline void add_program_code(ProgramImage& image, const std::string& path) {
    add_program_code(image, ProgramFile{path, 0, std::nullopt});
}

/// Code as it lies in a file and in memory.
struct CodeMapping {
    Address begin;
    std::uint64_t size;
    std::uint64_t offset; ///< in the file
};

/// The executable segments, where the program was loaded.
std::vector<CodeMapping> code_mappings(const ProgramFile& program);

/// What is added to the addresses of a file whose bytes from `offset` on are mapped at `begin`, as
/// /proc/PID/maps tells. Throws UserError for a file that is no ELF file with code there.
Address load_base(const std::string& path, Address begin, std::uint64_t offset);

/// The strings that `#ident` and compilers leave; never loaded into the target.
std::vector<std::string> read_comment_strings(const std::string& path);

} // namespace pes::trace
