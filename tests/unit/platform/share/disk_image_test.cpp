// SPDX-License-Identifier: Apache-2.0
#include "platform/share/disk_image.h"

#include "hw/common/random_numbers.h"
#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <vector>

namespace pes {
namespace {

constexpr std::size_t kBytes = 5 * 4096 + 512; // the last block is not whole

class Image : public testing::Test {
  protected:
    std::string text(DiskImage& image, std::uint64_t offset, std::size_t size) {
        std::string text(size, ' ');
        EXPECT_TRUE(image.read(offset, std::as_writable_bytes(std::span(text))));
        return text;
    }
    bool write(DiskImage& image, std::uint64_t offset, const std::string& text) {
        return image.write(offset, std::as_bytes(std::span(text)));
    }

    const test::TemporaryDirectory directory;
    std::string original = [] {
        std::string content(kBytes, '\0');
        RandomNumbers random(3);
        std::ranges::generate(content, [&] { return static_cast<char>('a' + random.below(26)); });
        return content;
    }();
    const std::filesystem::path file = directory.write("image", original);
};

TEST_F(Image, KeepsWritesInMemory) {
    std::string expected = original;
    RandomNumbers random(4);
    {
        DiskImage image(file, DiskImage::Writes::InMemory, "--disk");
        EXPECT_EQ(image.bytes(), kBytes);
        for (unsigned round = 0; round < 2000; ++round) {
            const std::uint64_t offset = random.below(kBytes);
            const std::size_t size = random.below(std::min<std::uint64_t>(kBytes - offset, 9000));
            if (random.below(2) == 0) {
                const std::string change(size, static_cast<char>('A' + random.below(26)));
                ASSERT_TRUE(write(image, offset, change));
                expected.replace(offset, size, change);
            } else {
                ASSERT_EQ(text(image, offset, size), expected.substr(offset, size));
            }
        }
        EXPECT_TRUE(image.flush());
    }
    EXPECT_EQ(test::read_file(file), original);
}

TEST_F(Image, KeepsWritesInTheFile) {
    {
        DiskImage image(file, DiskImage::Writes::ToFile, "--disk");
        ASSERT_TRUE(write(image, 5000, "changed"));
        EXPECT_EQ(text(image, 4999, 9), original[4999] + std::string("changed") + original[5007]);
        EXPECT_TRUE(image.flush());
    }
    original.replace(5000, 7, "changed");
    EXPECT_EQ(test::read_file(file), original);
}

TEST_F(Image, IsPartOfACheckpoint) {
    DiskImage image(file, DiskImage::Writes::InMemory, "--disk");
    write(image, 100, "first");
    write(image, kBytes - 4, "last");
    Archive saved;
    image.state(saved);
    DiskImage again(file, DiskImage::Writes::InMemory, "--disk");
    write(again, 9000, "not in it");
    Archive loads(saved.bytes());
    again.state(loads);
    EXPECT_TRUE(loads.at_end());
    EXPECT_EQ(text(again, 0, kBytes), text(image, 0, kBytes));

    Archive nothing;
    {
        DiskImage kept(directory.write("kept", original), DiskImage::Writes::ToFile, "--disk");
        write(kept, 100, "first");
        kept.state(nothing); // the file has it
    }
    Archive loads_nothing(nothing.bytes());
    DiskImage behind(directory.path() / "kept", DiskImage::Writes::ToFile, "--disk");
    behind.state(loads_nothing);
    EXPECT_EQ(text(behind, 100, 5), "first");
    Archive foreign(saved.bytes());
    EXPECT_THROW(behind.state(foreign), ArchiveError);
    DiskImage small(directory.write("small", original.substr(0, 4096)), DiskImage::Writes::InMemory,
                    "--disk");
    Archive other(saved.bytes());
    EXPECT_THROW(small.state(other), ArchiveError);
}

TEST_F(Image, RefusesOtherFiles) {
    const auto open = [](const std::filesystem::path& path) {
        DiskImage image(path, DiskImage::Writes::InMemory, "--disk");
    };
    EXPECT_THROW(open(directory / "none"), UserError);
    EXPECT_THROW(open(directory.path()), UserError);
    EXPECT_THROW(open("/dev/zero"), UserError);
    EXPECT_THROW(open(directory.write("empty", "")), UserError);
    EXPECT_THROW(open(directory.write("odd", std::string(513, 'x'))), UserError);
    const DiskImage first(file, DiskImage::Writes::ToFile, "--disk");
    EXPECT_THROW(open(file), UserError);
}

} // namespace
} // namespace pes
