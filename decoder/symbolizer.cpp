// SPDX-License-Identifier: Apache-2.0
#include "decoder/symbolizer.h"

namespace pes {

Symbolizer::Symbolizer(const std::vector<std::string>& paths) {
    programs_.reserve(paths.size()); // locations point into it
    for (const std::string& path : paths) {
        programs_.emplace_back(path);
    }
}

Location Symbolizer::find(Address pc) const {
    for (const ElfProgram& program : programs_) {
        if (const Function* function = program.find_function(pc)) {
            return {&program, function, program.find_line(pc)};
        }
    }
    for (const ElfProgram& program : programs_) {
        if (SourceLine source = program.find_line(pc); source.line != 0) {
            return {&program, nullptr, std::move(source)};
        }
    }
    return {};
}

} // namespace pes
