// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/program/raw_memory.h"

#include "platform/host/input_file.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>

namespace pes::trace {
namespace {

namespace fs = std::filesystem;

std::map<Address, std::string> files_of(const std::string& text) {
    const PlacedFile placed = parse_placed_file(text);
    if (placed.address) {
        return {{*placed.address, placed.path}};
    }
    std::error_code error;
    std::map<Address, std::string> files;
    if (fs::is_directory(text, error)) {
        for (const fs::directory_entry& entry : fs::directory_iterator(text, error)) {
            const std::string suffix = entry.path().extension().string();
            const auto address = suffix.starts_with(".0x") ? parse_address(suffix.substr(1))
                                                           : std::optional<Address>();
            if (address && entry.is_regular_file(error)) {
                files.emplace(*address, entry.path().string());
            }
        }
    }
    if (files.empty()) {
        throw UserError("--memory got '" + text +
                        "', expected FILE@ADDRESS or a directory of files NAME.0xADDRESS");
    }
    return files;
}

std::vector<std::uint8_t> read_bytes(const std::string& path) {
    InputFile input(path);
    std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(input.stream()), {}};
    input.require_read();
    return bytes;
}

} // namespace

/// Files that touch become one piece: an instruction may reach from one into the next. Where they
/// overlap, the one that begins first counts: it has the whole of such an instruction.
void add_raw_memory(ProgramImage& image, const std::string& text, Xlen xlen) {
    Address begin = 0;
    std::vector<std::uint8_t> piece;
    for (const auto& [address, path] : files_of(text)) {
        const std::vector<std::uint8_t> bytes = read_bytes(path);
        if (address % 2 != 0) {
            throw UserError("'" + path + "' begins at an odd address, expected code");
        }
        if (!piece.empty() && address > begin + piece.size()) {
            image.add(begin, piece, {xlen, std::nullopt});
            piece.clear();
        }
        if (piece.empty()) {
            begin = address;
        }
        const auto known = static_cast<std::size_t>(begin + piece.size() - address);
        if (known < bytes.size()) {
            piece.insert(piece.end(), bytes.begin() + static_cast<std::ptrdiff_t>(known),
                         bytes.end());
        }
    }
    image.add(begin, piece, {xlen, std::nullopt});
}

std::vector<std::string> raw_memory_files(const std::string& text) {
    std::vector<std::string> paths;
    for (const auto& [address, path] : files_of(text)) {
        paths.push_back(path);
    }
    return paths;
}

} // namespace pes::trace
