// SPDX-License-Identifier: Apache-2.0
// The text of every instruction of whole programs, against objdump's. What may differ is in
// docs/trace-flow.md.
#include "platform/program/disassembler.h"
#include "tests/unit/common/run_command.h"

#include <array>
#include <gtest/gtest.h>
#include <optional>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace pes::trace {
namespace {

struct Listed {
    Address pc = 0;
    std::uint32_t raw = 0;
    std::string text;
};

/// "80000000:\t00000013          \tnop" as -d prints it.
std::optional<Listed> parse_line(const std::string& line) {
    static const std::regex kLine(R"( *([0-9a-f]+):\t([0-9a-f]{4}|[0-9a-f]{8}) *\t(.*))");
    std::smatch parts;
    if (!std::regex_match(line, parts, kLine)) {
        return std::nullopt;
    }
    return Listed{std::stoull(parts[1], nullptr, 16),
                  static_cast<std::uint32_t>(std::stoul(parts[2], nullptr, 16)), parts[3]};
}

std::vector<Listed> judge(const std::string& program) {
    const auto result = pes::test::run_command(OBJDUMP " -d " + program);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    std::vector<Listed> lines;
    std::istringstream text(result.out);
    for (std::string line; std::getline(text, line);) {
        if (const auto listed = parse_line(line)) {
            lines.push_back(*listed);
        }
    }
    return lines;
}

/// Without comments and names of targets, which have 0x in front as ours.
std::string plain(std::string text) {
    static const std::regex kComment(R"(\s*#.*$)");
    static const std::regex kTarget(R"(([ ,])([0-9a-f]+) <.*>$)");
    text = std::regex_replace(text, kComment, "");
    for (char& c : text) {
        c = c == '\t' ? ' ' : c;
    }
    text = std::regex_replace(text, kTarget, "$010x$2");
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

/// Of 2.40, which leaves the i out that tells an immediate operand; later ones do not.
std::string without_immediate_letter(const std::string& text) {
    static const std::regex kImmediate(
        R"(^(add|and|or|xor|sll|srl|sra|slt|csrrw|csrrs|csrrc|csrw|csrs|csrc)i(u|w)? )");
    return std::regex_replace(text, kImmediate, "$1$2 ");
}

/// One has a name for the CSR, the other a number.
bool differ_in_csr_name(const std::string& ours, const std::string& theirs, std::uint32_t raw) {
    if ((raw & 0x7F) != 0x73) {
        return false;
    }
    static const std::regex kOperands(R"([^ ,]+)");
    std::ostringstream number;
    number << "0x" << std::hex << (raw >> 20);
    std::sregex_iterator a(ours.begin(), ours.end(), kOperands);
    std::sregex_iterator b(theirs.begin(), theirs.end(), kOperands);
    for (; a != std::sregex_iterator() && b != std::sregex_iterator(); ++a, ++b) {
        if (a->str() != b->str() && a->str() != number.str() && b->str() != number.str()) {
            return false;
        }
    }
    return a == b;
}

/// Constants between the code, which never run: a reserved rounding mode, a shift of 32 bits and
/// more on RV32, half of what would be an instruction of more than 32 bits.
bool is_reserved(const std::string& ours, const std::string& theirs, const Listed& line) {
    const bool rounding = ours.starts_with(".4byte") && theirs.ends_with(",unknown");
    const bool shift = ours.starts_with("c.slli ") && theirs.starts_with("sll ");
    const bool half = theirs.starts_with(".2byte") && (line.raw & 3) == 3;
    return rounding || shift || half;
}

/// Of Zcb, which binutils knows from 2.42 on.
bool is_newer(std::uint32_t raw) {
    return (raw & 0xE003) == 0x8000 || (raw & 0xFC43) == 0x9C41;
}

bool agree(const std::string& ours, const std::string& theirs, const Listed& line) {
    const std::string text = without_immediate_letter(ours);
    const std::string expected = without_immediate_letter(theirs);
    return text == expected || is_reserved(ours, expected, line) ||
           (theirs.starts_with(".2byte") && is_newer(line.raw)) ||
           differ_in_csr_name(text, expected, line.raw);
}

void compare_all(const std::string& program, Xlen xlen, std::size_t least) {
    Disassembler disassembler(xlen);
    const std::vector<Listed> lines = judge(program);
    EXPECT_GE(lines.size(), least);
    for (const Listed& line : lines) {
        const std::string ours = disassembler.text(line.pc, line.raw);
        const std::string theirs = plain(line.text);
        ASSERT_TRUE(agree(ours, theirs, line))
            << program << " at 0x" << std::hex << line.pc << ": " << ours << ", objdump " << theirs;
    }
}

TEST(Disassembly, IsObjdumpsForEveryInstructionOf64BitPrograms) {
    compare_all(LIBRARY_64, Xlen::Rv64, 6000);
}

TEST(Disassembly, IsObjdumpsForEveryInstructionOf32BitPrograms) {
    compare_all(LIBRARY_32, Xlen::Rv32, 7000);
}

TEST(Disassembly, IsObjdumpsForEveryInstructionOfFirmwareOfOthers) {
    if (std::string(OPENSBI).empty()) {
        GTEST_SKIP() << "OpenSBI is not installed";
    }
    compare_all(OPENSBI "/fw_jump.elf", Xlen::Rv64, 25000);
}

TEST(Disassembly, HasAbsoluteTargetsAndWordsThatAreNoInstruction) {
    Disassembler wide(Xlen::Rv64);
    Disassembler narrow(Xlen::Rv32);
    EXPECT_EQ(wide.text(0x80000004, 0x008000ef), "jal 0x8000000c");
    EXPECT_EQ(wide.text(0xFFFFFFFF80000008, 0xfe000ce3), "beqz zero,0xffffffff80000000");
    EXPECT_EQ(narrow.text(0x4, 0xff9ff06f), "j 0xfffffffc");
    EXPECT_EQ(narrow.text(0x80000000, 0x2011), "jal 0x80000004") << "c.jal, on RV64 c.addiw";
    EXPECT_EQ(wide.text(0, 0x7c051073), "csrw 0x7c0,a0");
    EXPECT_EQ(wide.text(0, 0x0ff57513), "zext.b a0,a0");
    EXPECT_EQ(wide.text(0, 0xFFFFFFFF), ".4byte 0xffffffff");
    EXPECT_EQ(wide.text(0, 0x12349C7D), ".2byte 0x9c7d");
}

// As gas 2.45 has them; the words are those of the specifications' encodings.
TEST(Disassembly, KnowsTheExtensionsForBitsAndCryptography) {
    Disassembler wide(Xlen::Rv64);
    const std::vector<std::pair<std::uint32_t, std::string>> expected{
        {0x20C5A533, "sh1add a0,a1,a2"},    {0x08C5853B, "add.uw a0,a1,a2"},
        {0x0805853B, "zext.w a0,a1"},       {0x60059513, "clz a0,a1"},
        {0x60D5D513, "rori a0,a1,0xd"},     {0x0805C53B, "zext.h a0,a1"},
        {0x6B85D513, "rev8 a0,a1"},         {0x2875D513, "orc.b a0,a1"},
        {0x0AC5B533, "clmulh a0,a1,a2"},    {0x48359513, "bclri a0,a1,0x3"},
        {0x0EC5D533, "czero.eqz a0,a1,a2"}, {0x08C5C533, "pack a0,a1,a2"},
        {0x6875D513, "brev8 a0,a1"},        {0x28C5C533, "xperm8 a0,a1,a2"},
        {0x32C58533, "aes64es a0,a1,a2"},   {0x31259513, "aes64ks1i a0,a1,0x2"},
        {0x10059513, "sha256sum0 a0,a1"},   {0x8020, "lbu s0,2(s0)"},
        {0x9C41, "mul s0,s0,s0"},           {0x9C75, "not s0,s0"},
    };
    for (const auto& [word, text] : expected) {
        EXPECT_EQ(wide.text(0, word), text);
    }
}

} // namespace
} // namespace pes::trace
