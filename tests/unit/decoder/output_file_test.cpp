// SPDX-License-Identifier: Apache-2.0
#include "decoder/output_file.h"

#include "decoder/user_error.h"
#include "tests/unit/platform/temporary_directory.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace pes {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using test::TemporaryDirectory;

TEST(DecoderOutputFile, IsThereOnlyAfterCommit) {
    const TemporaryDirectory directory;
    OutputFile file(directory / "out.csv");
    file.stream() << "content";
    EXPECT_FALSE(fs::exists(directory / "out.csv"));
    file.commit();
    EXPECT_EQ(read_file(directory / "out.csv"), "content");
    EXPECT_EQ(directory.count(), 1u);
}

TEST(DecoderOutputFile, LeavesNothingBehindWithoutCommit) {
    const TemporaryDirectory directory;
    { OutputFile(directory / "out.csv").stream() << "half"; }
    EXPECT_EQ(directory.count(), 0u);
}

TEST(DecoderOutputFile, OldContentStaysUntilCommit) {
    const TemporaryDirectory directory;
    directory.write("out.csv", "old");
    OutputFile file(directory / "out.csv");
    file.stream() << "new";
    file.stream().flush();
    EXPECT_EQ(read_file(directory / "out.csv"), "old");
    file.commit();
    EXPECT_EQ(read_file(directory / "out.csv"), "new");
}

TEST(DecoderOutputFile, FollowsASymbolicLinkInsteadOfReplacingIt) {
    const TemporaryDirectory directory;
    directory.write("real.csv", "old");
    fs::create_symlink(directory / "real.csv", directory / "link.csv");
    OutputFile file(directory / "link.csv");
    file.stream() << "new";
    file.commit();
    EXPECT_TRUE(fs::is_symlink(directory / "link.csv"));
    EXPECT_EQ(read_file(directory / "real.csv"), "new");
}

TEST(DecoderOutputFile, NewFileHasTheRightsThatTheUmaskLeaves) {
    const TemporaryDirectory directory;
    const mode_t before = umask(022);
    OutputFile file(directory / "out.csv");
    umask(before);
    file.commit();
    EXPECT_EQ(fs::status(directory / "out.csv").permissions(), fs::perms{0644});
}

TEST(DecoderOutputFile, DeviceIsWrittenDirectly) {
    OutputFile file("/dev/null");
    file.stream() << "gone";
    EXPECT_NO_THROW(file.commit());
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(DecoderOutputFile, FullDeviceIsAnError) {
    OutputFile file("/dev/full");
    file.stream() << "does not fit";
    EXPECT_THROW(file.commit(), UserError);
}

TEST(DecoderOutputFile, DirectoryOrMissingDirectoryIsAnError) {
    const TemporaryDirectory directory;
    EXPECT_THROW(OutputFile(directory.path().string()), UserError);
    EXPECT_THROW(OutputFile(directory / "missing" / "out.csv"), UserError);
    EXPECT_EQ(directory.count(), 0u);
}

} // namespace
} // namespace pes
