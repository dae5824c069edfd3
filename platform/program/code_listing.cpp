// SPDX-License-Identifier: Apache-2.0
#include "platform/program/code_listing.h"

#include "platform/program/elf_code.h"

#include <utility>

namespace pes {

CodeListing::CodeListing(const ElfProgram& program, SourcePath path)
    : program_(program), disassembler_(program.xlen()), sources_(std::move(path)) {
    trace::add_program_code(image_, program.file());
}

std::vector<ListedInstruction> CodeListing::of(const Function& function) {
    constexpr Address kHalfWord = 2;
    std::vector<ListedInstruction> rows;
    for (Address pc = function.begin; pc < function.end;) {
        const trace::CodeSegment* const segment = image_.find(pc);
        if (segment == nullptr || segment->run(pc).instructions == 0) {
            pc += kHalfWord;
            continue;
        }
        const InstructionFlow flow = segment->flow(pc);
        rows.push_back(
            {.pc = pc,
             .text = disassembler_.text(pc, segment->word(pc)),
             .source = program_.find_line(pc),
             .target = flow.inferable() ? std::optional(flow.target(pc)) : std::nullopt});
        pc += segment->run(pc).length;
    }
    return rows;
}

} // namespace pes
