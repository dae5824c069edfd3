// SPDX-License-Identifier: Apache-2.0
// The programs of several processes as one set of files.
#include "platform/exec/guest_programs.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/platform/host/elf_image.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pes {
namespace {

/// A program without symbols, whose first page is linked at `begin`. Its headers are in front of
/// its code.
void write_program(const std::string& path, Address begin, std::uint64_t size) {
    constexpr std::uint64_t kHeaders = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr);
    test::ElfImage image;
    image.segments = {{.physical = begin + kHeaders,
                       .data = std::string(size - kHeaders, '\0'),
                       .memory_size = size - kHeaders,
                       .virtual_address = begin + kHeaders}};
    std::ofstream(path, std::ios::binary) << image.bytes();
}

TruthTable::Key user(std::uint64_t satp, Address pc) {
    return {.context = {.privilege = Privilege::User, .satp = satp}, .pc = pc};
}

class Programs : public testing::Test {
  protected:
    Programs() {
        write_program(directory_ / "shell", 0x10000, 0x3000);
        write_program(directory_ / "other", 0x10000, 0x2000);
        write_program(directory_ / "library", 0x0, 0x1000);
        std::ofstream(directory_ / "text") << "no program";
    }
    std::string find(const std::string& name) const {
        const std::string path = directory_ / name.substr(1);
        return std::filesystem::exists(path) ? path : "";
    }
    GuestPrograms programs(const std::vector<ProcessImage>& images,
                           const std::vector<ProgramFile>& taken = {}) {
        return GuestPrograms(
            images, [this](const std::string& name) { return find(name); }, taken);
    }
    std::string path(const char* name) const { return directory_ / name; }
    void ran(std::uint64_t satp, Address pc, std::uint64_t times) {
        const TruthRow row = truth_.row(truth_.number_of(user(satp, pc).context), pc);
        truth_.add({.row = row, .column = TruthTable::kRetired, .amount = 1}, times);
    }

    test::TemporaryDirectory directory_;
    TruthTable truth_;
};

// As proc_pid_maps(5) describes them.
const std::string kShell = "00010000-00013000 r-xp 00000000 00:15 7     /shell\n"
                           "00014000-00015000 rw-p 00004000 00:15 7     /shell\n"
                           "3f80000000-3f80001000 r-xp 00000000 00:15 8 /library\n"
                           "3fa0000000-3fa0001000 r-xp 00000000 00:00 0 [vdso]\n";
const std::string kOther = "00010000-00012000 r-xp 00000000 00:15 9     /other\n"
                           "3f90000000-3f90001000 r-xp 00000000 00:15 8 /library\n";

TEST_F(Programs, TheFirstProcessKeepsItsAddresses) {
    GuestPrograms one = programs({{.process = 12, .maps = kShell}});
    ran(5, 0x10010, 100);
    ran(5, 0x3F80000020, 3);
    one.learn(truth_);
    EXPECT_EQ(one.files(),
              (std::vector<ProgramFile>{{path("shell"), 0, std::nullopt, true},
                                        {path("library"), 0x3F80000000, std::nullopt, true}}));
    EXPECT_EQ(one.place(user(5, 0x10010)), 0x10010U);
    EXPECT_EQ(one.place(user(5, 0x3F80000020)), 0x3F80000020U);
    EXPECT_EQ(one.place(user(5, 0x7000)), 0x7000U);
    EXPECT_EQ(one.missing(), std::vector<std::string>{"[vdso]"});
}

TEST_F(Programs, ASharedLibraryIsOneAndTwoProgramsAtOneAddressAreTwo) {
    GuestPrograms both =
        programs({{.process = 13, .maps = kOther}, {.process = 12, .maps = kShell}});
    ran(5, 0x10010, 100);
    ran(5, 0x12FF0, 1); // only the shell is so long
    ran(6, 0x3F90000020, 7);
    both.learn(truth_);
    ASSERT_EQ(both.files().size(), 3U);
    EXPECT_EQ(both.place(user(5, 0x10010)), 0x10010U) << "the lower number is the first process";
    EXPECT_EQ(both.place(user(6, 0x3F90000020)), 0x3F80000020U);
    const Address other = both.place(user(6, 0x10010));
    EXPECT_EQ(both.files()[2].path, path("other"));
    EXPECT_EQ(other, both.files()[2].base + 0x10010);
    EXPECT_GE(other, 0x13000U);
}

/// A fork has the code of two programs at one address; the images tell which is whose.
TEST_F(Programs, AnImagesSpaceNeedsNoGuess) {
    GuestPrograms both = programs({{.process = 12, .maps = kShell, .spaces = {5}},
                                   {.process = 12, .maps = kOther, .spaces = {6}},
                                   {.process = 13, .maps = kShell, .spaces = {7}}});
    ran(6, 0x10010, 1); // as much the shell's
    ran(8, 0x12010, 1); // only the shell's
    both.learn(truth_);
    EXPECT_EQ(both.place(user(5, 0x10010)), 0x10010U);
    EXPECT_EQ(both.place(user(7, 0x10010)), 0x10010U);
    EXPECT_EQ(both.place(user(8, 0x12010)), 0x12010U);
    EXPECT_EQ(both.place(user(6, 0x10010)), both.files().back().base + 0x10010);
    EXPECT_EQ(both.files().back().path, path("other"));
}

// The first process runs perf, which starts itself again, and the program.
TEST_F(Programs, SpacesOfTheFirstProgramAreThoseOfEachProcessThatRunsIt) {
    GuestPrograms all = programs({{.process = 12, .maps = kShell, .spaces = {5}},
                                  {.process = 13, .maps = kOther, .spaces = {6}},
                                  {.process = 14, .maps = kShell, .spaces = {7}}});
    ran(8, 0x12010, 1); // only the shell's: a fork that has not executed anything
    all.learn(truth_);
    for (const std::uint64_t satp : {5, 7, 8}) {
        EXPECT_TRUE(all.is_of_first(satp)) << satp;
    }
    EXPECT_FALSE(all.is_of_first(6));
    EXPECT_FALSE(all.is_of_first(9)) << "of nobody";
    EXPECT_FALSE(programs({}).is_of_first(5));
}

TEST_F(Programs, NoFileComesWhereOneIsAlready) {
    const ProgramFile firmware{path("library"), 0x11000, std::nullopt, false};
    GuestPrograms one = programs({{.process = 12, .maps = kOther}}, {firmware});
    ran(5, 0x10010, 1);
    one.learn(truth_);
    EXPECT_GE(one.place(user(5, 0x10010)), 0x12000U);
}

TEST_F(Programs, WhatIsNoProgramIsMissing) {
    const GuestPrograms one = programs({{.process = 12,
                                         .maps = "10000-11000 r-xp 00000000 00:15 7 /text\n"
                                                 "20000-21000 r-xp 00000000 00:15 7 /nothing\n"}});
    EXPECT_TRUE(one.files().empty());
    EXPECT_EQ(one.missing(), (std::vector<std::string>{"/nothing", "/text"}));
    EXPECT_TRUE(programs({}).files().empty());
}

} // namespace
} // namespace pes
