// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/binutils.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>

namespace pes::test {

namespace {

constexpr const char* kCode = "code.bin";
constexpr const char* kText = "listing.txt";

template <typename T>
void write_values(const std::filesystem::path& path, const std::vector<T>& values) {
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(values.data()),
               static_cast<std::streamsize>(values.size() * sizeof(T)));
}

std::string read_text(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> split(std::string_view text, char separator) {
    std::vector<std::string> parts;
    std::istringstream stream{std::string(text)};
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

} // namespace

Binutils::Binutils() {
    std::string name = (std::filesystem::temp_directory_path() / "pes-binutils-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        ADD_FAILURE() << "cannot make a temporary directory " << name;
    }
    directory_ = name;
}

Binutils::~Binutils() {
    std::error_code ignored; // a leftover directory is no reason to fail
    std::filesystem::remove_all(directory_, ignored);
}

bool Binutils::run(const std::string& command) {
    const std::string line = "cd '" + directory_.string() + "' && " + command + " 2> messages.txt";
    const bool success = std::system(line.c_str()) == 0;
    messages_ = read_text(directory_ / "messages.txt");
    return success;
}

std::vector<Disassembly> Binutils::disassemble(const std::vector<std::uint32_t>& words) {
    write_values(directory_ / kCode, words);
    return disassemble_file();
}

std::vector<Disassembly> Binutils::disassemble(const std::vector<std::uint16_t>& half_words) {
    write_values(directory_ / kCode, half_words);
    return disassemble_file();
}

/// A line is "  address:<tab>word  <tab>mnemonic<tab>operand,operand <symbol> # comment".
std::vector<Disassembly> Binutils::disassemble_file() {
    // objdump takes the extensions from the attributes of an object, so the words become its code.
    if (!make_object({".option rvc"}) ||
        !run(std::string(PES_OBJCOPY) + " --update-section .text=" + kCode + " code.o words.o") ||
        !run(std::string(PES_OBJDUMP) + " -D -z -j .text -M no-aliases words.o > " + kText)) {
        ADD_FAILURE() << messages_;
    }
    std::vector<Disassembly> result;
    for (const std::string& line : split(read_text(directory_ / kText), '\n')) {
        const std::vector<std::string> fields = split(line, '\t');
        if (fields.size() < 3 || fields[0].find(':') == std::string::npos) {
            continue;
        }
        Disassembly entry{.address = std::stoull(fields[0], nullptr, 16),
                          .word = static_cast<std::uint32_t>(std::stoul(fields[1], nullptr, 16)),
                          .mnemonic = fields[2],
                          .operands = {}};
        if (fields.size() > 3) {
            entry.operands = split(fields[3].substr(0, fields[3].find(' ')), ',');
        }
        result.push_back(std::move(entry));
    }
    return result;
}

/// As code.o.
bool Binutils::make_object(const std::vector<std::string>& lines) {
    std::ofstream source(directory_ / "code.s");
    source << ".option norvc\n.option norelax\n";
    for (const std::string& line : lines) {
        source << line << '\n';
    }
    source.close();
    return run(std::string(PES_RISCV_CXX) +
               " -march=rv64imafdc_zicsr_zifencei_zba_zbb_zbc_zbs_zbkb_"
               "zbkc_zbkx_zknd_zkne_zknh -mabi=lp64d -c code.s -o code.o");
}

std::vector<std::uint32_t> Binutils::assemble(const std::vector<std::string>& lines) {
    if (!make_object(lines) ||
        !run(std::string(PES_OBJCOPY) + " -O binary -j .text code.o " + kCode)) {
        return {};
    }
    const std::string bytes = read_text(directory_ / kCode);
    std::vector<std::uint32_t> words(bytes.size() / sizeof(std::uint32_t));
    bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * sizeof(std::uint32_t));
    return words;
}

} // namespace pes::test
