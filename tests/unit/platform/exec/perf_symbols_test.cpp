// SPDX-License-Identifier: Apache-2.0
// The folder that perf on the host looks into for the guest's files.
#include "platform/exec/perf_symbols.h"

#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pes {
namespace {

namespace fs = std::filesystem;

class Symbols : public testing::Test {
  protected:
    Symbols() {
        write("here/program");
        write("root/lib/libc.so.6");
        write("kallsyms");
    }
    void write(const std::string& name) {
        const fs::path path = directory_ / name;
        fs::create_directories(path.parent_path());
        std::ofstream(path) << name;
    }
    void make() {
        make_symbol_folder(directory_ / "symbols", directory_ / "here", directory_ / "root",
                           directory_ / "kallsyms");
    }

    test::TemporaryDirectory directory_;
};

TEST_F(Symbols, HasTheGuestsFilesByTheirNames) {
    make();
    make(); // anew
    const fs::path symbols = directory_ / "symbols";
    const fs::path here = fs::path(directory_ / "here").relative_path();
    EXPECT_EQ(test::read_file(symbols / here / "program"), "here/program");
    EXPECT_EQ(test::read_file(symbols / "lib/libc.so.6"), "root/lib/libc.so.6");
    EXPECT_EQ(test::read_file(symbols / "kallsyms"), "kallsyms");
    EXPECT_TRUE(fs::exists(directory_ / "here/program")) << "links are removed, not what is there";
}

TEST_F(Symbols, AFolderOfAnotherIsLeftAlone) {
    write("symbols/mine");
    EXPECT_THROW(check_symbol_folder(directory_ / "symbols"), UserError);
    EXPECT_THROW(make(), UserError);
    EXPECT_EQ(test::read_file(directory_ / "symbols/mine"), "symbols/mine");
}

TEST_F(Symbols, WhatCannotBeMadeIsOneSentence) {
    fs::remove(directory_ / "kallsyms");
    EXPECT_THROW(make(), UserError);
}

} // namespace
} // namespace pes
