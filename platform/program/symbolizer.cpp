// SPDX-License-Identifier: Apache-2.0
#include "platform/program/symbolizer.h"

#include <utility>

namespace pes {

Symbolizer::Symbolizer(const std::vector<ProgramFile>& files, SourcePath path)
    : source_path_(std::move(path)) {
    programs_.reserve(files.size()); // locations point into it
    for (const ProgramFile& file : files) {
        programs_.emplace_back(file);
    }
}

Location Symbolizer::find(Address pc, std::optional<std::uint64_t> context) const {
    for (const ElfProgram& program : programs_) {
        if (!program.file().belongs_to(context)) {
            continue;
        }
        if (const Function* function = program.find_function(pc)) {
            return {&program, function, program.find_line(pc)};
        }
    }
    for (const ElfProgram& program : programs_) {
        if (!program.file().belongs_to(context)) {
            continue;
        }
        if (SourceLine source = program.find_line(pc); source.line != 0) {
            return {&program, nullptr, std::move(source)};
        }
    }
    return {};
}

const BasicBlock* Symbolizer::find_block(const Location& location, Address pc) const {
    if (location.program != nullptr) {
        return location.program->blocks().find(pc);
    }
    for (const ElfProgram& program : programs_) {
        if (const BasicBlock* block = program.blocks().find(pc)) {
            return block;
        }
    }
    return nullptr;
}

} // namespace pes
