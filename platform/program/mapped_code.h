// SPDX-License-Identifier: Apache-2.0
// Code that a process has mapped, as /proc/PID/maps tells (proc_pid_maps(5)).
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <string>

namespace pes {

struct MappedCode {
    Address begin = 0, end = 0;
    std::uint64_t offset = 0; ///< in the file
    std::string name;         ///< of the file; [vdso] is none
};

/// Nothing if the line maps no code of a name. Throws UserError, which names the source, for one
/// that is no line of such a file.
std::optional<MappedCode> parse_mapped_code(const std::string& line, const std::string& source);

} // namespace pes
