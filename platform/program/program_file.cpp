// SPDX-License-Identifier: Apache-2.0
#include "platform/program/program_file.h"

#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <filesystem>

namespace pes {

PlacedFile parse_placed_file(const std::string& text) {
    std::error_code ignored;
    const std::size_t at = text.rfind('@');
    if (at == std::string::npos || at == 0 || std::filesystem::exists(text, ignored)) {
        return {text, std::nullopt};
    }
    const auto address = parse_address(text.substr(at + 1));
    return address ? PlacedFile{text.substr(0, at), address} : PlacedFile{text, std::nullopt};
}

ProgramFile parse_program_file(const std::string& text) {
    const PlacedFile file = parse_placed_file(text);
    if (file.address.value_or(0) % 2 != 0) {
        throw UserError("--elf got '" + text + "', expected FILE or FILE@BASE with an even base");
    }
    return {file.path, file.address.value_or(0), std::nullopt};
}

std::vector<ProgramFile> parse_program_files(const std::vector<std::string>& texts) {
    std::vector<ProgramFile> programs;
    for (const std::string& text : texts) {
        programs.push_back(parse_program_file(text));
    }
    return programs;
}

std::vector<std::string> paths_of(const std::vector<ProgramFile>& programs) {
    std::vector<std::string> paths;
    for (const ProgramFile& program : programs) {
        paths.push_back(program.path);
    }
    return paths;
}

} // namespace pes
