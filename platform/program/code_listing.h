// SPDX-License-Identifier: Apache-2.0
// The code of a program, instruction by instruction, with the source line of each.
#pragma once

#include "hw/interface/riscv/instruction_class.h"
#include "platform/program/disassembler.h"
#include "platform/program/elf_program.h"
#include "platform/program/program_image.h"
#include "platform/program/source_text.h"

#include <optional>
#include <string>
#include <vector>

namespace pes {

struct ListedInstruction {
    Address pc = 0;
    std::string text;              ///< disassembly
    SourceLine source;             ///< line 0 if unknown
    std::optional<Address> target; ///< of a branch or a direct jump
};

class CodeListing {
  public:
    /// `program` must outlive it. Throws UserError for a program without code.
    explicit CodeListing(const ElfProgram& program, SourcePath path = {});

    /// In ascending order; data between the instructions is passed over.
    std::vector<ListedInstruction> of(const Function& function);
    /// The text of a source line, as far as the file is there.
    std::string_view source(const SourceLine& line) { return sources_.line(line.file, line.line); }

  private:
    const ElfProgram& program_;
    trace::ProgramImage image_;
    trace::Disassembler disassembler_;
    trace::SourceText sources_;
};

} // namespace pes
