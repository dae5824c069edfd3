// SPDX-License-Identifier: Apache-2.0
#include "platform/output_file.h"

#include "tests/unit/platform/temporary_directory.h"
#include "tests/unit/platform/user_error.h"

#include <gmock/gmock.h>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::HasSubstr;

TEST(OutputFile, AppearsWithItsContentOnlyWhenCommitted) {
    const TemporaryDirectory directory;
    OutputFile file(directory / "out");
    file.write("text");
    EXPECT_FALSE(std::filesystem::exists(directory / "out"));
    file.commit();
    EXPECT_EQ(test::read_file(directory / "out"), "text");
    EXPECT_EQ(directory.count(), 1U);
}

TEST(OutputFile, LeavesNothingBehindIfNotCommitted) {
    const TemporaryDirectory directory;
    {
        OutputFile file(directory / "out");
        file.write("text");
    }
    EXPECT_EQ(directory.count(), 0U);
}

TEST(OutputFile, KeepsTheOldContentUntilCommitted) {
    const TemporaryDirectory directory;
    directory.write("out", "old");
    {
        OutputFile file(directory / "out");
        file.write("new");
    }
    EXPECT_EQ(test::read_file(directory / "out"), "old");
}

TEST(OutputFile, APlaceThatCannotBeWrittenIsNamedBeforeAnyWork) {
    const TemporaryDirectory directory;
    EXPECT_THAT(user_error([&] { OutputFile file(directory / "none/out"); }),
                HasSubstr("none/out"));
    EXPECT_THAT(user_error([&] { OutputFile file(directory.path()); }),
                HasSubstr(directory.path().string()));
}

TEST(OutputFile, ADeviceIsWrittenInPlace) {
    OutputFile file("/dev/null");
    file.write("text");
    EXPECT_EQ(user_error([&] { file.commit(); }), "");
}

TEST(OutputFile, AFullDeviceIsReportedOnCommit) {
    OutputFile file("/dev/full");
    file.write("text");
    EXPECT_THAT(user_error([&] { file.commit(); }), HasSubstr("/dev/full"));
}

} // namespace
} // namespace pes
