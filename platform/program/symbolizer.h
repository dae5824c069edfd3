// SPDX-License-Identifier: Apache-2.0
// Address -> function and source line over several programs (firmware, kernel, user program).
#pragma once

#include "hw/interface/types.h"
#include "platform/program/elf_program.h"
#include "platform/program/source_path.h"

#include <string>
#include <vector>

namespace pes {

struct Location {
    const ElfProgram* program = nullptr; ///< null if no program knows the address
    const Function* function = nullptr;  ///< null if the address lies outside of every symbol
    SourceLine source;                   ///< line 0 if unknown
};

class Symbolizer {
  public:
    /// Programs are asked in this order. Throws UserError for a file that is not a program.
    explicit Symbolizer(const std::vector<ProgramFile>& files, SourcePath path = {});

    /// The first program with a function around the address; failing that, the first one with a
    /// source line for it. Programs of other contexts are not asked if the context is known.
    Location find(Address pc, std::optional<std::uint64_t> context = std::nullopt) const;

    /// The basic block around the address of a location: of its program, or of the first one that
    /// has code there. Null outside of all code. Throws UserError for a program without code.
    const BasicBlock* find_block(const Location& location, Address pc) const;

    const std::vector<ElfProgram>& programs() const { return programs_; }
    const SourcePath& source_path() const { return source_path_; }

  private:
    std::vector<ElfProgram> programs_;
    SourcePath source_path_;
};

} // namespace pes
