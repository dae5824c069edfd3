// SPDX-License-Identifier: Apache-2.0
// Sources that are not where the program says.
#include "platform/program/source_path.h"

#include "platform/host/user_error.h"
#include "platform/program/source_text.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

namespace pes {
namespace {

class SourcePathTest : public ::testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(directory_ / "tree/lib/near");
        std::filesystem::create_directories(directory_ / "other/lib");
        directory_.write("tree/lib/a.c", "tree a\n");
        directory_.write("tree/lib/near/b.c", "near b\n");
        directory_.write("tree/b.c", "tree b\n");
        directory_.write("other/lib/a.c", "other a\n");
        directory_.write("other/lib/c.c", "other c\n");
    }
    std::string text(const std::string& name) const {
        return std::string(
            trace::SourceText(SourcePath({directory_ / "tree", directory_ / "other"}))
                .line(name, 1));
    }

    test::TemporaryDirectory directory_;
};

TEST_F(SourcePathTest, RelativeNamesAreBelowEachDirectoryInTheirOrder) {
    EXPECT_EQ(text("lib/a.c"), "tree a");
    EXPECT_EQ(text("./lib/a.c"), "tree a");
    EXPECT_EQ(text("lib/near/../a.c"), "tree a");
    EXPECT_EQ(text("lib/c.c"), "other c");
    EXPECT_EQ(text("lib/d.c"), "");
    EXPECT_EQ(text("lib"), "") << "a directory";
}

TEST_F(SourcePathTest, LeadingFoldersAreLeftOutOneByOne) {
    EXPECT_EQ(text("/usr/src/lib/near/b.c"), "near b") << "not the shorter name";
    EXPECT_EQ(text("/usr/src/b.c"), "tree b");
    EXPECT_EQ(text("/lib/c.c"), "other c");
    EXPECT_EQ(text("../work/lib/c.c"), "other c");
    EXPECT_EQ(text("/usr/src/none.c"), "");
    EXPECT_EQ(text("/"), "");
    EXPECT_EQ(text(""), "");
}

TEST_F(SourcePathTest, AnAbsoluteNameThatExistsIsTaken) {
    EXPECT_EQ(text(directory_ / "other/lib/a.c"), "other a");
    EXPECT_EQ(SourcePath().find("lib/a.c"), "lib/a.c");
}

TEST_F(SourcePathTest, WhatIsNoDirectoryIsRefused) {
    for (const std::string& name : {std::string(directory_ / "tree/b.c"), std::string("")}) {
        try {
            SourcePath path({name});
            FAIL() << name;
        } catch (const UserError& error) {
            EXPECT_EQ(error.what(), "--source-path got '" + name + "', expected a directory");
        }
    }
}

} // namespace
} // namespace pes
