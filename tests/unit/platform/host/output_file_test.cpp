// SPDX-License-Identifier: Apache-2.0
#include "platform/host/output_file.h"

#include "platform/host/output_set.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

namespace pes {
namespace {

namespace fs = std::filesystem;
using test::read_file;
using test::TemporaryDirectory;
using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(OutputFile, AppearsWithItsContentOnlyWhenCommitted) {
    const TemporaryDirectory directory;
    OutputFile file(directory / "out");
    file.write("text, ");
    file.write(std::as_bytes(std::span("by", 2)));
    file.stream() << "tes";
    EXPECT_FALSE(fs::exists(directory / "out"));
    file.commit();
    EXPECT_EQ(read_file(directory / "out"), "text, bytes");
    EXPECT_EQ(directory.count(), 1U);
}

TEST(OutputFile, LeavesNothingBehindIfNotCommitted) {
    const TemporaryDirectory directory;
    { OutputFile(directory / "out").write("half"); }
    EXPECT_EQ(directory.count(), 0U);
}

TEST(OutputFile, KeepsTheOldContentUntilCommitted) {
    const TemporaryDirectory directory;
    directory.write("out", "old");
    OutputFile file(directory / "out");
    file.write("new");
    file.flush();
    EXPECT_EQ(read_file(directory / "out"), "old");
    file.commit();
    EXPECT_EQ(read_file(directory / "out"), "new");
}

TEST(OutputFile, FollowsASymbolicLinkInsteadOfReplacingIt) {
    const TemporaryDirectory directory;
    directory.write("real", "old");
    for (const char* target : {"real", "not-yet-there"}) {
        fs::create_symlink(target, directory / "link");
        OutputFile file(directory / "link");
        file.write("new");
        file.commit();
        EXPECT_TRUE(fs::is_symlink(directory / "link"));
        EXPECT_EQ(read_file(directory / target), "new");
        fs::remove(directory / "link");
    }
}

TEST(OutputFile, ANewFileHasTheRightsThatTheUmaskLeaves) {
    const TemporaryDirectory directory;
    const mode_t before = ::umask(022);
    OutputFile file(directory / "out");
    ::umask(before);
    file.commit();
    EXPECT_EQ(fs::status(directory / "out").permissions(), fs::perms{0644});
}

TEST(OutputFile, AReplacedFileKeepsItsRights) {
    const TemporaryDirectory directory;
    fs::permissions(directory.write("out", "old"), fs::perms{0640});
    OutputFile(directory / "out").commit();
    EXPECT_EQ(fs::status(directory / "out").permissions(), fs::perms{0640});
}

TEST(OutputFile, APlaceThatCannotBeWrittenIsNamedBeforeAnyWork) {
    const TemporaryDirectory directory;
    EXPECT_THAT(user_error([&] { OutputFile file(directory / "none/out"); }),
                AllOf(HasSubstr("none/out"), HasSubstr("No such file")));
    EXPECT_THAT(user_error([&] { OutputFile file(directory.path()); }),
                AllOf(HasSubstr(directory.path().string()), HasSubstr("directory")));
    EXPECT_EQ(directory.count(), 0U);
}

TEST(OutputFile, ADeviceIsWrittenInPlace) {
    OutputFile file("/dev/null");
    file.write("text");
    EXPECT_EQ(user_error([&] { file.commit(); }), "");
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(OutputFile, AFullDeviceIsReportedOnCommit) {
    OutputFile file("/dev/full");
    file.write(std::string(100'000, 'x')); // more than any buffer: fails before commit()
    EXPECT_THAT(user_error([&] { file.commit(); }),
                AllOf(HasSubstr("/dev/full"), HasSubstr("No space")));
}

TEST(OutputFile, ADashIsTheStandardOutput) {
    const TemporaryDirectory directory;
    ::testing::internal::CaptureStdout();
    OutputFile file("-");
    file.write("text");
    file.commit();
    EXPECT_EQ(::testing::internal::GetCapturedStdout(), "text");
    EXPECT_FALSE(fs::exists("-"));
}

/// As "command --out /dev/stdout >file": a rename would take the file away from the stream.
TEST(OutputFile, TheFileOfAnOpenStreamIsWrittenThroughTheStream) {
    const TemporaryDirectory directory;
    const std::string place = directory.write("log", "").string();
    ASSERT_NE(std::freopen(place.c_str(), "a", stderr), nullptr);
    OutputFile file("/dev/stderr");
    file.write("text");
    file.commit();
    ASSERT_NE(std::freopen("/dev/null", "a", stderr), nullptr);
    EXPECT_EQ(read_file(place), "text");
    EXPECT_EQ(directory.count(), 1U);
}

TEST(OutputSet, AnOptionThatWasNotGivenHasNoFile) {
    OutputSet outputs;
    EXPECT_EQ(outputs.open(""), nullptr);
}

TEST(OutputSet, AReservedFileIsNotMadeButNobodyElseMayHaveIt) {
    const TemporaryDirectory directory;
    OutputSet outputs;
    outputs.reserve(directory / "reserved");
    EXPECT_THAT(user_error([&] { outputs.open(directory / "reserved"); }),
                HasSubstr("two outputs"));
    outputs.commit();
    EXPECT_EQ(directory.count(), 0U);
}

TEST(OutputSet, WhatCannotBeWrittenLaterIsRefusedAtOnce) {
    OutputSet outputs;
    for (const char* path : {"/dev/full", "-", "/"}) {
        EXPECT_THAT(user_error([&] { outputs.reserve(path); }), HasSubstr("a regular file"));
    }
    EXPECT_THAT(user_error([&] { outputs.reserve("/nonexistent/file"); }),
                HasSubstr("a directory"));
}

TEST(OutputSet, RefusesOneFileForTwoOutputs) {
    const TemporaryDirectory directory;
    OutputSet outputs;
    outputs.open(directory / "out");
    EXPECT_THAT(user_error([&] { outputs.open(directory / "./out"); }), HasSubstr("two outputs"));
    outputs.open("-");
    EXPECT_THAT(user_error([&] { outputs.open("-"); }), HasSubstr("standard output"));
    outputs.open("/dev/null");
    EXPECT_EQ(user_error([&] { outputs.open("/dev/null"); }), "");
}

TEST(OutputSet, NeverReplacesAnInput) {
    const TemporaryDirectory directory;
    const fs::path input = directory.write("input", "content");
    fs::create_symlink("input", directory / "link");
    OutputSet outputs({"", input});
    for (const char* name : {"input", "./input", "link"}) {
        EXPECT_THAT(user_error([&] { outputs.open(directory / name); }), HasSubstr("an input"));
    }
    EXPECT_EQ(read_file(input), "content");
}

TEST(OutputSet, OneFileThatFailsDoesNotTakeTheOthersAway) {
    const TemporaryDirectory directory;
    OutputSet outputs;
    outputs.open("/dev/full")->write("does not fit");
    outputs.open(directory / "out")->write("text");
    EXPECT_THAT(user_error([&] { outputs.commit(); }), HasSubstr("/dev/full"));
    EXPECT_EQ(read_file(directory / "out"), "text");
}

TEST(OutputSet, AFileAndItsCompanionAppearTogetherOrNotAtAll) {
    const TemporaryDirectory directory;
    for (const bool first_fails : {true, false}) {
        OutputSet outputs;
        outputs.open(first_fails ? "/dev/full" : directory / "first")->write("text");
        outputs.open_companion(first_fails ? directory / "second" : "/dev/full")->write("text");
        outputs.open(directory / "other")->write("text");
        EXPECT_THAT(user_error([&] { outputs.commit(); }), HasSubstr("/dev/full"));
    }
    EXPECT_EQ(directory.count(), 1U) << "the other one";
    OutputSet outputs;
    outputs.open(directory / "first")->write("text");
    outputs.open_companion(directory / "second")->write("text");
    outputs.commit();
    EXPECT_EQ(directory.count(), 3U);
}

/// Found while both names are still what they were.
TEST(OutputSet, ACompanionWhosePlaceHasBecomeADirectoryTakesTheFirstOneAlong) {
    const TemporaryDirectory directory;
    directory.write("first", "old");
    OutputSet outputs;
    outputs.open(directory / "first")->write("new");
    outputs.open_companion(directory / "second")->write("new");
    std::filesystem::create_directory(directory / "second");
    EXPECT_THAT(user_error([&] { outputs.commit(); }), HasSubstr("second"));
    EXPECT_EQ(read_file(directory / "first"), "old");
}

} // namespace
} // namespace pes
