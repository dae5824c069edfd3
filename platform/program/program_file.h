// SPDX-License-Identifier: Apache-2.0
// A program as an option names it: FILE, or FILE@BASE for one that was not loaded where it was
// linked.
#pragma once

#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pes {

struct ProgramFile {
    std::string path;
    Address base = 0;                     ///< added to every address of the file
    std::optional<std::uint64_t> context; ///< the process that maps it; none: every one
    /// Its code outside of every symbol is one function with the name of the file.
    bool names_the_rest = false;

    bool operator==(const ProgramFile&) const = default;

    /// Whether this process may run it; an unknown one (none) may run every program.
    bool belongs_to(const std::optional<std::uint64_t>& process) const {
        return !context || !process || *context == *process;
    }
};

/// FILE@NUMBER split in its parts; no number if the text is all of a file's name. A file of the
/// whole name goes first.
struct PlacedFile {
    std::string path;
    std::optional<Address> address;
};
PlacedFile parse_placed_file(const std::string& text);

ProgramFile parse_program_file(const std::string& text);
std::vector<ProgramFile> parse_program_files(const std::vector<std::string>& texts);

std::vector<std::string> paths_of(const std::vector<ProgramFile>& programs);

} // namespace pes
