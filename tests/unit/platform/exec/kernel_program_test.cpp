// SPDX-License-Identifier: Apache-2.0
// A kernel's table of symbols and its memory as a program: elfutils and the symbolizer judge.
#include "platform/exec/kernel_program.h"

#include "platform/program/code_listing.h"
#include "platform/program/symbolizer.h"
#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace pes {
namespace {

constexpr Address kText = 0xFFFF'FFFF'8000'0000, kModule = 0xFFFF'FFFF'0257'1000;
constexpr std::uint64_t kPage = 4096;

// Of /proc/kallsyms of a Linux; the fields are those of nm(1).
constexpr std::string_view kSymbols = "ffffffff80001000 T _stext\n"
                                      "ffffffff80001040 t do_one\n"
                                      "ffffffff80001080 W do_two\n"
                                      "ffffffff80002000 t in_dropped_code\n"
                                      "ffffffff80003010 T behind_it\n"
                                      "ffffffff80004000 D some_data\n"
                                      "ffffffff02571100 t p9_read_work\t[9pnet]\n"
                                      "                 A\n"
                                      "0000000000000000 A fixed_percpu_data\n";

/// c.nop everywhere, but for one page that cannot be read.
bool read_nops(Address address, std::span<std::byte> bytes) {
    if (address == kText + 2 * kPage) {
        return false;
    }
    for (std::size_t index = 0; index < bytes.size(); index += 2) {
        bytes[index] = std::byte{0x01};
        bytes[index + 1] = std::byte{0x00};
    }
    return true;
}

class KernelProgram : public testing::Test {
  protected:
    std::string write(std::span<const std::byte> bytes) {
        const std::string path = directory_ / "kernel.elf";
        std::ofstream file(path, std::ios::binary);
        file.write(reinterpret_cast<const char*>(bytes.data()),
                   static_cast<std::streamsize>(bytes.size()));
        return path;
    }
    test::TemporaryDirectory directory_;
};

TEST_F(KernelProgram, HasNamesAndCodeOfKernelAndModules) {
    const std::string path = write(kernel_program(kSymbols, read_nops));
    const Symbolizer symbolizer({{.path = path, .base = 0, .context = std::nullopt}});
    const auto name_at = [&symbolizer](Address pc) {
        const Location location = symbolizer.find(pc);
        return location.function == nullptr ? "" : location.function->name;
    };
    EXPECT_EQ(name_at(kText + 0x1000), "_stext");
    EXPECT_EQ(name_at(kText + 0x103E), "_stext");
    EXPECT_EQ(name_at(kText + 0x1040), "do_one");
    EXPECT_EQ(name_at(kText + 0x1FFE), "do_two");
    EXPECT_EQ(name_at(kText + 0x2000), "") << "dropped";
    EXPECT_EQ(name_at(kText + 0x3010), "behind_it");
    EXPECT_EQ(name_at(kText + 0x4000), "") << "data";
    EXPECT_EQ(name_at(kModule + 0x100), "p9_read_work");
    const ElfProgram& program = symbolizer.programs().front();
    EXPECT_TRUE(program.is_code(kModule + 0x200));
    const BasicBlock* const block = program.blocks().find(kText + 0x1042);
    ASSERT_NE(block, nullptr);
}

TEST_F(KernelProgram, CodeBeforeTheFirstSymbolMayGoByTheFilesName) {
    const std::string path = write(kernel_program("ffffffff80001010 T first\n", read_nops));
    for (const bool named : {false, true}) {
        const ElfProgram program(
            {.path = path, .base = 0, .context = std::nullopt, .names_the_rest = named});
        const Function* const before = program.find_function(kText + 0x100E);
        ASSERT_EQ(before != nullptr, named);
        EXPECT_EQ(named ? before->name : "[kernel.elf]", "[kernel.elf]");
        ASSERT_NE(program.find_function(kText + 0x1010), nullptr);
        EXPECT_EQ(program.find_function(kText + 0x1010)->name, "first");
        EXPECT_EQ(program.find_function(kText + 0x2000), nullptr);
    }
}

TEST_F(KernelProgram, WithoutAddressesThereIsNone) {
    // As whoever has no rights reads it (kernel.kptr_restrict).
    EXPECT_TRUE(kernel_program("0000000000000000 T _stext\n0000000000000000 t do_one\n", read_nops)
                    .empty());
    EXPECT_TRUE(kernel_program("", read_nops).empty());
}

} // namespace
} // namespace pes
