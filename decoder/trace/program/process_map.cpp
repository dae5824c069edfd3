// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/program/process_map.h"

#include "platform/host/input_file.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"
#include "platform/program/elf_code.h"
#include "platform/program/mapped_code.h"

#include <filesystem>

namespace pes::trace {
namespace {

namespace fs = std::filesystem;

std::string find_file(const std::string& name, const fs::path& map) {
    std::vector<fs::path> candidates{fs::path(name), map.parent_path() / fs::path(name).filename()};
    if (name == "[vdso]") {
        candidates = {fs::path(map).replace_extension(".vdso"), map.parent_path() / "vdso.so"};
    }
    std::error_code ignored;
    for (const fs::path& candidate : candidates) {
        if (fs::is_regular_file(candidate, ignored)) {
            return candidate.string();
        }
    }
    return "";
}

} // namespace

ProcessMap parse_process_map(const std::string& text) {
    const std::size_t equals = text.find('=');
    const auto context =
        equals == std::string::npos ? std::nullopt : parse_address(text.substr(0, equals));
    if (!context || equals + 1 == text.size()) {
        throw UserError("--context-map got '" + text +
                        "', expected ID=FILE: a context and a copy of /proc/PID/maps");
    }
    return {*context, text.substr(equals + 1)};
}

MappedPrograms read_process_map(const ProcessMap& map) {
    InputFile input(map.path);
    MappedPrograms mapped;
    for (std::string line; std::getline(input.stream(), line);) {
        const std::optional<MappedCode> mapping = parse_mapped_code(line, map.path);
        if (!mapping) {
            continue;
        }
        const std::string file = find_file(mapping->name, map.path);
        if (file.empty()) {
            mapped.missing.push_back(mapping->name);
            continue;
        }
        mapped.programs.push_back(
            {file, load_base(file, mapping->begin, mapping->offset), map.context});
    }
    input.require_read();
    if (mapped.programs.empty() && mapped.missing.empty()) {
        throw UserError("'" + map.path + "' maps no code, expected a copy of /proc/PID/maps");
    }
    return mapped;
}

} // namespace pes::trace
