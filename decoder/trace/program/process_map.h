// SPDX-License-Identifier: Apache-2.0
// The programs of a process, from a copy of its /proc/PID/maps: what is mapped executable, with the
// base that it was loaded at. They belong to the context (the number that Ownership messages carry)
// alone: other processes have other code at the same addresses.
#pragma once

#include "platform/program/program_file.h"

#include <string>
#include <vector>

namespace pes::trace {

struct ProcessMap {
    std::uint64_t context = 0;
    std::string path;
};

/// ID=FILE. Throws UserError.
ProcessMap parse_process_map(const std::string& text);

struct MappedPrograms {
    std::vector<ProgramFile> programs;
    std::vector<std::string> missing; ///< names for which there is no file
};

/// Files are looked for as written and beside the map; [vdso] as FILE.vdso or vdso.so beside it.
/// Throws UserError if the map cannot be read or maps nothing executable.
MappedPrograms read_process_map(const ProcessMap& map);

} // namespace pes::trace
