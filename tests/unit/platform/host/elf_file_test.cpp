// SPDX-License-Identifier: Apache-2.0
// Every file that is not a whole linked RISC-V program has one sentence, of one shape.
#include "platform/host/elf_file.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/host/elf_image.h"

#include <gmock/gmock.h>

#include <cstddef>
#include <sys/stat.h>

namespace pes {
namespace {

using test::ElfImage;
using test::TemporaryDirectory;
using test::user_error;

constexpr std::uint64_t kBase = 0x8000'0000;

ElfImage program() {
    ElfImage image;
    image.segments = {{kBase, "code", 4, kBase}};
    image.symbols = {{"start", kBase, 4}};
    return image;
}

template <typename Value>
std::string changed(std::string bytes, std::size_t offset, Value value) {
    std::memcpy(bytes.data() + offset, &value, sizeof value);
    return bytes;
}

TEST(ElfFile, HasSegmentsSectionsAndSymbols) {
    const TemporaryDirectory directory;
    const ElfFile elf(directory.write("x.elf", program().bytes()), "program");
    EXPECT_TRUE(elf.is_64_bit());
    ASSERT_EQ(elf.segments().size(), 1U);
    const std::vector<std::byte> code = elf.bytes(elf.segments()[0]);
    EXPECT_EQ(std::string(reinterpret_cast<const char*>(code.data()), code.size()), "code");
    const std::vector<ElfSymbol> symbols = elf.symbols(SHT_SYMTAB);
    ASSERT_EQ(symbols.size(), 1U);
    EXPECT_EQ(symbols[0].name, "start");
    EXPECT_EQ(symbols[0].symbol.st_value, kBase);
    EXPECT_TRUE(elf.symbols(SHT_DYNSYM).empty());
    EXPECT_EQ(elf.section(0), nullptr);
    EXPECT_EQ(elf.section(1), elf.sections().data());
    EXPECT_EQ(elf.section(elf.sections().size() + 1), nullptr);
}

TEST(ElfFile, MayBeOf32Bits) {
    const TemporaryDirectory directory;
    EXPECT_FALSE(ElfFile(directory.write("x.elf", ElfImage::header32()), "program").is_64_bit());
}

struct Mistake {
    std::string bytes;
    std::string problem;
};

TEST(ElfFile, EveryMistakeNamesTheFileAndWhatIsExpected) {
    const std::string whole = program().bytes();
    const std::size_t first_header = sizeof(Elf64_Ehdr);
    const Mistake mistakes[] = {
        {"", "is not an ELF file, expected a RISC-V program"},
        {"#!/bin/sh\n", "is not an ELF file, expected a RISC-V program"},
        {changed(whole, offsetof(Elf64_Ehdr, e_machine), std::uint16_t{EM_X86_64}),
         "is for ELF machine 62, expected RISC-V (243)"},
        {changed(whole, EI_DATA, std::uint8_t{ELFDATA2MSB}),
         "is for ELF machine 62208, expected RISC-V (243)"},
        {changed(whole, offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_REL}),
         "is not linked (ELF type 1), expected an executable"},
        {changed(whole, offsetof(Elf64_Ehdr, e_type), std::uint16_t{ET_CORE}),
         "is not linked (ELF type 4), expected an executable"},
        {changed(whole, offsetof(Elf64_Ehdr, e_phentsize), std::uint16_t{10}),
         "is damaged: its program headers have 10 bytes each, expected 56"},
        {whole.substr(0, sizeof(Elf64_Ehdr) - 1), "is not an ELF file, expected a RISC-V program"},
        {whole.substr(0, first_header + 10), "is truncated: the program headers are incomplete"},
        {whole.substr(0, whole.size() - 1), "is truncated: the section headers are incomplete"},
    };
    const TemporaryDirectory directory;
    for (const Mistake& mistake : mistakes) {
        const auto file = directory.write("x.elf", mistake.bytes);
        EXPECT_EQ(user_error([&] { const ElfFile elf(file, "kernel"); }),
                  "kernel '" + file.string() + "' " + mistake.problem);
    }
}

TEST(ElfFile, BigEndianProgramsAreRefused) {
    ElfImage image;
    image.data = ELFDATA2MSB;
    image.machine = 0xF300; // EM_RISCV in the other order of bytes
    std::string bytes = image.bytes();
    bytes = changed(bytes, offsetof(Elf64_Ehdr, e_version), std::uint32_t{0x0100'0000});
    const TemporaryDirectory directory;
    const auto file = directory.write("x.elf", bytes);
    EXPECT_EQ(user_error([&] { const ElfFile elf(file, "program"); }),
              "program '" + file.string() + "' is big-endian, expected little-endian");
}

TEST(ElfFile, ASegmentBehindTheEndOfTheFileIsATruncation) {
    const std::string whole = program().bytes();
    const TemporaryDirectory directory;
    const auto file =
        directory.write("x.elf", changed(whole, sizeof(Elf64_Ehdr) + offsetof(Elf64_Phdr, p_offset),
                                         static_cast<std::uint64_t>(whole.size()) - 3));
    const ElfFile elf(file, "program");
    EXPECT_EQ(user_error([&] { elf.bytes(elf.segments()[0]); }),
              "program '" + file.string() +
                  "' is truncated: the segment at 0x80000000 has 4 bytes from byte " +
                  std::to_string(whole.size() - 3) + " on, the file has " +
                  std::to_string(whole.size()));
}

TEST(ElfFile, ASymbolTableOfForeignSizeIsRefused) {
    const TemporaryDirectory directory;
    const auto file = directory.write("x.elf", program().bytes());
    std::string bytes = program().bytes();
    const ElfFile sound(file, "program");
    for (const ElfSection& section : sound.sections()) {
        if (section.header.sh_type == SHT_SYMTAB) {
            Elf64_Ehdr header;
            std::memcpy(&header, bytes.data(), sizeof header);
            const std::size_t at = header.e_shoff + elf_ndxscn(section.handle) * sizeof(Elf64_Shdr);
            bytes = changed(bytes, at + offsetof(Elf64_Shdr, sh_entsize), std::uint64_t{7});
        }
    }
    const ElfFile elf(directory.write("y.elf", bytes), "program");
    EXPECT_THAT(user_error([&] { elf.symbols(SHT_SYMTAB); }),
                ::testing::EndsWith("y.elf' is damaged: the symbol table is incomplete"));
}

TEST(ElfFile, WhatIsNoRegularFileIsNamed) {
    const TemporaryDirectory directory;
    const auto refused = [](const std::filesystem::path& file) {
        return user_error([&] { const ElfFile elf(file, "program"); });
    };
    const std::string place = "program '" + directory.path().string();
    EXPECT_EQ(refused(directory / "absent"),
              place + "/absent' cannot be read: No such file or directory");
    EXPECT_EQ(refused(directory.path()), place + "' is a directory, expected a regular file");
    ASSERT_EQ(::mkfifo((directory / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(refused(directory / "pipe"),
              place + "/pipe' is a pipe or a device, expected a regular file");
}

} // namespace
} // namespace pes
