// SPDX-License-Identifier: Apache-2.0
// Where QEMU's virt machine loads firmware, kernel, RAM disk and tree (hw/riscv/boot.c), with main
// memory of 256 MiB at 0x8000'0000.
#include "platform/boot/boot.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/host/elf_image.h"

#include <cstring>
#include <gmock/gmock.h>
#include <libfdt.h>

namespace pes {
namespace {

using namespace test;

using ::testing::HasSubstr;

constexpr Address kBase = 0x8000'0000;
constexpr std::uint64_t kSize = 0x1000'0000;

class Boot : public ::testing::Test {
  protected:
    std::string file(const std::string& name, const std::string& bytes) {
        directory_.write(name, bytes);
        return (directory_ / name).string();
    }
    /// Zeros that take no room on the disk.
    std::string large_file(const std::string& name) {
        const std::string path = file(name, "");
        std::filesystem::resize_file(path, kSize);
        return path;
    }
    std::string elf(const std::string& name, Address base, std::uint64_t size) {
        ElfImage image;
        image.entry = base;
        image.segments = {{base, "code", size, base}};
        return file(name, image.bytes());
    }
    std::vector<std::byte> memory(const BootImage& image) {
        std::vector<std::byte> bytes(kSize);
        image.load(bytes, kBase);
        return bytes;
    }
    std::uint64_t word(const std::vector<std::byte>& bytes, Address address) {
        std::uint64_t value = 0;
        std::memcpy(&value, &bytes.at(address - kBase), sizeof value);
        return value;
    }
    void expect_refused(const BootFiles& files, const std::string& reason) {
        EXPECT_THAT(user_error([&] { const BootImage image(files, config_); }), HasSubstr(reason));
    }

    TemporaryDirectory directory_;
    PlatformConfig config_;
};

TEST_F(Boot, AProgramStartsAtItsEntryWithTheTreeAtTheEndOfMemory) {
    const BootImage image({.program = elf("program", kBase + 0x1000, 0x100)}, config_);
    EXPECT_EQ(image.entry(), kBase + 0x1000);
    EXPECT_EQ(image.device_tree_address(), kBase + kSize - 0x20'0000);
    EXPECT_EQ(image.information(), 0U);
    const std::vector<std::byte> bytes = memory(image);
    EXPECT_EQ(fdt_check_full(&bytes[image.device_tree_address() - kBase], 0x20'0000), 0);
}

// What docs/boot.md says of a2.
TEST_F(Boot, TheWordsOfAProgramLieInFrontOfTheTree) {
    const std::string program = elf("program", kBase, 0x100);
    const BootImage image({.program = program, .words = {"program", "", "two words"}}, config_);
    const std::vector<std::byte> bytes = memory(image);
    const Address words = image.information();
    EXPECT_EQ(words % 8, 0U);
    EXPECT_EQ(word(bytes, words), 0x766772612D736570U); // "pes-argv"
    EXPECT_EQ(word(bytes, words + 8), 3U);
    EXPECT_EQ(word(bytes, words + 40), 0U);
    const auto text = [&](int index) {
        const Address place = word(bytes, words + 16 + 8 * static_cast<Address>(index));
        EXPECT_LT(place, image.device_tree_address());
        return std::string(reinterpret_cast<const char*>(&bytes.at(place - kBase)));
    };
    EXPECT_EQ(text(0), "program");
    EXPECT_EQ(text(1), "");
    EXPECT_EQ(text(2), "two words");
    // The tree stays where it is without them.
    EXPECT_EQ(image.device_tree_address(),
              BootImage({.program = program}, config_).device_tree_address());
    EXPECT_EQ(image.unused_memory().base + image.unused_memory().size, words);
}

TEST_F(Boot, ARawFirmwareGoesToTheStartOfMemoryAndARawKernelToTheNextMegapage) {
    const BootImage image({.firmware = file("fw.bin", std::string(0x20'0001, 'f')),
                           .kernel = file("Image", "kernel00"),
                           .append = "quiet"},
                          config_);
    EXPECT_EQ(image.entry(), kBase);
    const std::vector<std::byte> bytes = memory(image);
    EXPECT_EQ(word(bytes, kBase + 0x40'0000), 0x30306C656E72656BU); // "kernel00"
    // struct fw_dynamic_info: magic, version, next_addr, next_mode (S), options, boot_hart.
    const Address information = image.information();
    EXPECT_EQ(word(bytes, information), 0x4942534FU);
    EXPECT_EQ(word(bytes, information + 8), 2U);
    EXPECT_EQ(word(bytes, information + 16), kBase + 0x40'0000);
    EXPECT_EQ(word(bytes, information + 24), 1U);
    EXPECT_EQ(word(bytes, information + 32), 0U);
    EXPECT_EQ(word(bytes, information + 40), 0U);
}

TEST_F(Boot, TheInitialRamDiskLiesHalfOfMemoryBehindTheKernelsEntry) {
    const BootImage image({.firmware = elf("fw", kBase, 0x1000),
                           .kernel = elf("kernel", kBase + 0x20'0000, 0x1000),
                           .initrd = file("initrd", "ramdisk0")},
                          config_);
    const Address place = kBase + 0x20'0000 + kSize / 2;
    EXPECT_EQ(word(memory(image), place), 0x306B7369646D6172U); // "ramdisk0"
    const int chosen = fdt_path_offset(image.device_tree().data(), "/chosen");
    const auto* start = static_cast<const fdt64_t*>(
        fdt_getprop(image.device_tree().data(), chosen, "linux,initrd-start", nullptr));
    ASSERT_NE(start, nullptr);
    EXPECT_EQ(fdt64_to_cpu(*start), place);
}

TEST_F(Boot, ElfFilesAreNamedForThoseWhoReadTraces) {
    const std::string firmware = elf("fw", kBase, 0x1000);
    const std::string kernel = elf("kernel", kBase + 0x20'0000, 0x1000);
    const std::string image = file("Image", std::string(16, 'k'));
    EXPECT_THAT(BootImage({.program = firmware}, config_).elf_files(),
                testing::ElementsAre(firmware));
    EXPECT_THAT(BootImage({.firmware = firmware, .kernel = kernel}, config_).elf_files(),
                testing::ElementsAre(firmware, kernel));
    EXPECT_THAT(BootImage({.firmware = firmware, .kernel = image}, config_).elf_files(),
                testing::ElementsAre(firmware));
}

TEST_F(Boot, UnusedMemoryLiesBetweenWhatWasLoadedAndTheTree) {
    const BootImage image({.program = elf("program", kBase + 0x1000, 0x100)}, config_);
    EXPECT_EQ(image.unused_memory().base, kBase + 0x1100);
    EXPECT_EQ(image.unused_memory().size, image.device_tree_address() - kBase - 0x1100);
}

TEST_F(Boot, PiecesThatOverlapAreRefused) {
    expect_refused({.firmware = elf("fw", kBase, 0x30'0000),
                    .kernel = elf("kernel", kBase + 0x20'0000, 0x1000)},
                   "overlap in memory at 0x80200000");
    expect_refused({.program = elf("program", kBase + kSize - 0x20'0000, 0x1000)}, "device tree");
    const std::string below = elf("program", kBase + kSize - 0x20'1000, 0x1000);
    const BootImage fits({.program = below}, config_);
    expect_refused({.program = below, .words = {"program"}}, "device tree");
}

TEST_F(Boot, WhatDoesNotFitIsRefused) {
    expect_refused({.firmware = elf("fw", kBase, 0x1000),
                    .kernel = file("Image", std::string(16, 'k')),
                    .initrd = large_file("initrd")},
                   "initrd '" + (directory_ / "initrd").string() + "' has ");
    expect_refused({.firmware = elf("fw", kBase, 0x1000), .kernel = large_file("Image")},
                   "kernel '" + (directory_ / "Image").string() + "' has " + std::to_string(kSize) +
                       " bytes at 0x80200000, too many for main memory");
    expect_refused({.firmware = file("empty", "")}, "is empty");
    expect_refused({.firmware = (directory_ / "missing").string()}, "cannot be read");
    expect_refused({.firmware = elf("fw", kBase, 0x1000), .kernel = directory_.path().string()},
                   "is a directory, expected a regular file");
}

} // namespace
} // namespace pes
