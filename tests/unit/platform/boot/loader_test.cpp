// SPDX-License-Identifier: Apache-2.0
#include "platform/boot/loader.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/host/elf_image.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>

namespace pes {
namespace {

using test::ElfImage;
using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr Address kLoadBase = 0x8000'0000;
constexpr MemoryRange kMemory{kLoadBase, 0x1000};

ElfImage small_program() {
    ElfImage image;
    image.segments = {{kLoadBase, "code", 4, kLoadBase}};
    return image;
}

class Loader : public ::testing::Test {
  protected:
    Program read(const std::string& bytes) const {
        return Program::read(directory_.write("program.elf", bytes), kLoadBase);
    }
    std::string refusal(const std::string& bytes) const {
        return user_error([&] { read(bytes); });
    }

    test::TemporaryDirectory directory_;
};

TEST_F(Loader, CopiesSegmentsToTheirPhysicalAddressAndClearsTheRest) {
    ElfImage image;
    image.segments = {{kLoadBase, "abcd", 4, 0x1000}, {kLoadBase + 0x10, "xy", 6, 0x2000}};
    const Program program = read(image.bytes());
    program.require_fits(kMemory);
    std::vector<std::byte> memory(kMemory.size, std::byte{0xEE});
    program.load(memory, kLoadBase);
    const std::string expected("abcd\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEE\xEExy\0\0\0\0\xEE",
                               23);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), memory.begin(),
                           [](char a, std::byte b) { return static_cast<std::byte>(a) == b; }));
}

TEST_F(Loader, EntryAndSymbolsAreTranslatedToPhysicalAddresses) {
    ElfImage image;
    image.entry = 0x1002;
    image.segments = {{kLoadBase, "code", 4, 0x1000}};
    image.symbols = {{"buffer", 0x1001, 3}};
    const Program program = read(image.bytes());
    EXPECT_EQ(program.entry(), kLoadBase + 2);
    ASSERT_TRUE(program.symbol("buffer").has_value());
    EXPECT_EQ(program.symbol("buffer")->address, kLoadBase + 1);
    EXPECT_EQ(program.symbol("buffer")->size, 3U);
    EXPECT_FALSE(program.symbol("absent").has_value());
}

TEST_F(Loader, NamesThePlaceOfAnAddress) {
    ElfImage image;
    image.entry = 0x1000;
    image.segments = {{kLoadBase, "0123456789abcdef", 0x20, 0x1000}};
    image.symbols = {
        {"start", 0x1000, 0}, {"$x", 0x1002, 0}, {"work", 0x1004, 8}, {"loop", 0x1008, 0}};
    const Program program = read(image.bytes());
    EXPECT_EQ(program.place_name(0x1002), "start+0x2");
    EXPECT_EQ(program.place_name(kLoadBase + 2), "start+0x2");
    EXPECT_EQ(program.place_name(0x1004), "work+0x0");
    EXPECT_EQ(program.place_name(0x100A), "work+0x6") << "inside a function, behind a label";
    EXPECT_EQ(program.place_name(0x101C), "loop+0x14");
    EXPECT_EQ(program.place_name(0x1020), "") << "outside";
}

TEST_F(Loader, AGlobalSymbolHidesALocalOneOfTheSameName) {
    ElfImage image = small_program();
    image.symbols = {{"x", kLoadBase + 1, 1, STB_LOCAL},
                     {"x", kLoadBase + 2, 2},
                     {"x", kLoadBase, 1, STB_LOCAL}};
    EXPECT_EQ(read(image.bytes()).symbol("x")->address, kLoadBase + 2);
}

TEST_F(Loader, AProgramWithoutSymbolsLoads) {
    EXPECT_FALSE(read(small_program().bytes()).symbol("tohost").has_value());
}

TEST_F(Loader, AMissingFileIsNamed) {
    EXPECT_THAT(user_error([&] { Program::read(directory_ / "absent.elf", kLoadBase); }),
                AllOf(HasSubstr("absent.elf"), HasSubstr("No such file")));
}

TEST_F(Loader, ADirectoryIsRefused) {
    EXPECT_THAT(user_error([&] { Program::read(directory_.path(), kLoadBase); }),
                HasSubstr("is a directory, expected a regular file"));
}

TEST_F(Loader, TextAndEmptyFilesAreNoElfFiles) {
    EXPECT_THAT(refusal("#!/bin/sh\n"), HasSubstr("not an ELF file"));
    EXPECT_THAT(refusal(""), HasSubstr("not an ELF file"));
}

TEST_F(Loader, AProgramForAnotherMachineIsRefused) {
    ElfImage image = small_program();
    image.machine = EM_X86_64;
    EXPECT_THAT(refusal(image.bytes()), AllOf(HasSubstr("machine 62"), HasSubstr("RISC-V")));
}

TEST_F(Loader, AnRv32ProgramIsRefused) {
    EXPECT_THAT(refusal(ElfImage::header32()), HasSubstr("RV32"));
}

/// As OpenSBI since 1.3 is linked: at 0, or elsewhere, with relocations of its own.
struct IndependentProgram {
    static constexpr Address kSize = 0x100;
    static constexpr Address kTable = 0x20;   ///< of relocations, in the program
    static constexpr Address kDynamic = 0x80; ///< section
    static constexpr Address kWord = 0xF0;    ///< which one relocation is about

    explicit IndependentProgram(Address linked_at) {
        std::string data(kSize, '\xEE');
        const auto put = [&data](Address at, const auto& value) {
            data.replace(at, sizeof value, reinterpret_cast<const char*>(&value), sizeof value);
        };
        put(kTable, Elf64_Rela{linked_at + kWord, R_RISCV_RELATIVE,
                               static_cast<Elf64_Sxword>(linked_at + 0x10)});
        put(kTable + sizeof(Elf64_Rela), Elf64_Rela{linked_at, ELF64_R_INFO(1, R_RISCV_64), 0});
        put(kDynamic, Elf64_Dyn{DT_RELA, {linked_at + kTable}});
        put(kDynamic + sizeof(Elf64_Dyn), Elf64_Dyn{DT_RELASZ, {2 * sizeof(Elf64_Rela)}});
        put(kDynamic + 2 * sizeof(Elf64_Dyn), Elf64_Dyn{DT_NULL, {0}});
        image.type = ET_DYN;
        image.entry = linked_at + 4;
        image.segments = {{linked_at, data, kSize, linked_at},
                          {linked_at + 0x1000, "data", 8, linked_at + 0x1000}};
        image.symbols = {{"inside", linked_at + 0x30, 8, STB_GLOBAL, 1},
                         {"number", 0x30, 8, STB_GLOBAL, SHN_ABS}};
        image.dynamic = {linked_at + kDynamic, "", 3 * sizeof(Elf64_Dyn), linked_at + kDynamic};
    }

    ElfImage image;
};

TEST_F(Loader, APositionIndependentProgramGoesToTheBase) {
    for (const Address linked_at : {Address{0}, Address{0x1'0000}, kLoadBase}) {
        const Program program = read(IndependentProgram(linked_at).image.bytes());
        EXPECT_EQ(program.entry(), kLoadBase + 4);
        EXPECT_EQ(program.symbol("inside")->address, kLoadBase + 0x30);
        EXPECT_EQ(program.symbol("number")->address, 0x30U);
        EXPECT_EQ(program.end(), kLoadBase + 0x1008);
        std::vector<std::byte> memory(0x2000, std::byte{0xEE});
        program.load(memory, kLoadBase);
        Address word = 0;
        std::memcpy(&word, memory.data() + IndependentProgram::kWord, sizeof word);
        EXPECT_EQ(word, kLoadBase + 0x10);
        EXPECT_EQ(memory[0], std::byte{0xEE}) << "another relocation is the program's own";
        EXPECT_EQ(memory[0x1000], std::byte{'d'});
    }
}

TEST_F(Loader, AWrongRelocationIsRefused) {
    IndependentProgram program(0);
    const Elf64_Rela outside{0xFC, R_RISCV_RELATIVE, 0}; // its last bytes are behind the segment
    program.image.segments[0].data.replace(IndependentProgram::kTable, sizeof outside,
                                           reinterpret_cast<const char*>(&outside), sizeof outside);
    EXPECT_THAT(refusal(program.image.bytes()), HasSubstr("a relocation is about 0xfc"));
    IndependentProgram none(0);
    none.image.dynamic->virtual_address = 0x3000;
    EXPECT_THAT(refusal(none.image.bytes()), HasSubstr("dynamic section at 0x3000"));
}

TEST_F(Loader, AProgramThatWantsADynamicLinkerIsRefused) {
    IndependentProgram program(0);
    program.image.dynamic_type = PT_INTERP;
    EXPECT_THAT(refusal(program.image.bytes()), HasSubstr("wants a dynamic linker"));
}

TEST_F(Loader, UnlinkedFilesAreRefused) {
    ElfImage image = small_program();
    image.type = ET_REL;
    EXPECT_THAT(refusal(image.bytes()), HasSubstr("not linked"));
}

TEST_F(Loader, AProgramWithoutSegmentsIsRefused) {
    EXPECT_THAT(refusal(ElfImage{}.bytes()), HasSubstr("no loadable segment"));
}

/// Cut anywhere before its last byte, a file is refused and never read beyond its end.
TEST_F(Loader, EveryTruncationIsRefused) {
    const std::string whole = small_program().bytes();
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_NE(refusal(whole.substr(0, length)), "") << "cut to " << length << " bytes";
    }
    EXPECT_THAT(refusal(whole.substr(0, whole.size() - 1)), HasSubstr("truncated"));
}

TEST_F(Loader, ASegmentLargerInTheFileThanInMemoryIsRefused) {
    ElfImage image = small_program();
    image.segments[0].memory_size = 2;
    EXPECT_THAT(refusal(image.bytes()), HasSubstr("damaged"));
}

TEST_F(Loader, ALostSymbolTableIsATruncationToo) {
    ElfImage image = small_program();
    image.symbols = {{"tohost", kLoadBase, 8}};
    const std::string whole = image.bytes();
    EXPECT_EQ(refusal(whole), "");
    EXPECT_THAT(refusal(whole.substr(0, whole.size() - 1)), HasSubstr("truncated"));
    EXPECT_THAT(refusal(whole.substr(0, sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr) + 4)),
                HasSubstr("truncated"));
}

TEST_F(Loader, ProgramHeadersBeyondTheFileAreATruncation) {
    const std::string whole = small_program().bytes();
    EXPECT_THAT(refusal(whole.substr(0, sizeof(Elf64_Ehdr) + 10)),
                AllOf(HasSubstr("truncated"), HasSubstr("program headers")));
}

TEST_F(Loader, ProgramHeadersOfAForeignSizeAreRefused) {
    std::string bytes = small_program().bytes();
    bytes[offsetof(Elf64_Ehdr, e_phentsize)] = 10;
    EXPECT_THAT(refusal(bytes), AllOf(HasSubstr("10 bytes"), HasSubstr("expected 56")));
}

TEST_F(Loader, OverlappingSegmentsAreRefused) {
    const auto verdict = [this](Address second) {
        ElfImage image;
        image.segments = {{second, "data", 4, 0x2000}, {kLoadBase, "code", 0x20, kLoadBase}};
        return refusal(image.bytes());
    };
    EXPECT_THAT(verdict(kLoadBase + 0x1C), AllOf(HasSubstr("overlap"), HasSubstr("0x8000001c")));
    EXPECT_THAT(verdict(kLoadBase + 0x1F), HasSubstr("overlap"));
    EXPECT_THAT(verdict(kLoadBase), HasSubstr("overlap"));
    EXPECT_EQ(verdict(kLoadBase + 0x20), "");
    EXPECT_EQ(verdict(kLoadBase - 4), "");
}

TEST_F(Loader, TheEntryIsAnEvenAddressInASegment) {
    const auto verdict = [this](Address entry) {
        ElfImage image;
        image.entry = entry;
        image.segments = {{kLoadBase, "code", 4, 0x1000}};
        return refusal(image.bytes());
    };
    EXPECT_EQ(verdict(0x1002), "");
    EXPECT_EQ(verdict(kLoadBase), "") << "physical already";
    EXPECT_THAT(verdict(0x1001), HasSubstr("0x1001"));
    EXPECT_THAT(verdict(kLoadBase + 4), HasSubstr("0x80000004"));
    EXPECT_THAT(verdict(0), HasSubstr("0x0"));
}

TEST_F(Loader, ASegmentMustLieInMainMemory) {
    const auto verdict = [this](Address at, std::uint64_t size) {
        ElfImage image = small_program();
        image.segments[0].physical = at;
        image.segments[0].memory_size = size;
        const Program program = read(image.bytes());
        return user_error([&] { program.require_fits(kMemory); });
    };
    EXPECT_EQ(verdict(kLoadBase, 0x1000), "");
    EXPECT_EQ(verdict(kLoadBase + 0xFFC, 4), "");
    EXPECT_THAT(verdict(kLoadBase, 0x1001),
                HasSubstr("too many for main memory (0x80000000 to 0x80000fff)"));
    EXPECT_THAT(verdict(kLoadBase + 0xFFE, 4), HasSubstr("0x80000ffe"));
    EXPECT_THAT(verdict(kLoadBase - 4, 4), HasSubstr("0x7ffffffc"));
    EXPECT_THAT(verdict(kLoadBase, ~std::uint64_t{0}), HasSubstr("too many for main memory"));
    EXPECT_THAT(verdict(kLoadBase + 0x2000, 4), HasSubstr("outside main memory"));
}

} // namespace
} // namespace pes
