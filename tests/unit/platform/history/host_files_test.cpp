// SPDX-License-Identifier: Apache-2.0
// Files that go back with a run, and streams that do not.
#include "platform/history/host_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace pes::history::test {
namespace {

std::string content(int descriptor) {
    std::array<char, 64> bytes{};
    const ssize_t count = ::pread(descriptor, bytes.data(), bytes.size(), 0);
    return {bytes.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

void put(int descriptor, const std::string& text) {
    ASSERT_EQ(::write(descriptor, text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

TEST(HostFiles, WhatWasWrittenBehindIsCutOff) {
    std::FILE* const file = std::tmpfile();
    const int descriptor = ::fileno(file);
    put(descriptor, "one two");
    ::lseek(descriptor, 3, SEEK_SET); // in the middle
    HostFiles files(-1);
    files.note();
    put(descriptor, "+three+four");
    files.put_back();
    EXPECT_EQ(content(descriptor), "one+thr");
    put(descriptor, " 2nd");
    EXPECT_EQ(content(descriptor), "one 2nd");
    std::fclose(file);
}

TEST(HostFiles, PipesAreSilentUntilTheySpeak) {
    std::array<int, 2> pipe{};
    std::array<int, 2> own{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    ASSERT_EQ(::pipe(own.data()), 0);
    HostFiles files(own[1]);
    files.note();
    EXPECT_FALSE(files.silent());
    files.silence();
    EXPECT_TRUE(files.silent());
    put(pipe[1], "lost");
    put(own[1], "client");
    files.note(); // a snapshot while it is silent
    files.silence();
    files.put_back();
    put(pipe[1], "lost too");
    files.speak();
    EXPECT_FALSE(files.silent());
    put(pipe[1], "shown");
    std::array<char, 64> bytes{};
    EXPECT_EQ(
        std::string(bytes.data(), static_cast<std::size_t>(::read(pipe[0], bytes.data(), 64))),
        "shown");
    EXPECT_EQ(std::string(bytes.data(), static_cast<std::size_t>(::read(own[0], bytes.data(), 64))),
              "client");
    for (const int descriptor : {pipe[0], pipe[1], own[0], own[1]}) {
        ::close(descriptor);
    }
}

} // namespace
} // namespace pes::history::test
