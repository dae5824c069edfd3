// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/console_source.h"

#include "platform/host/file_descriptor.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <string_view>
#include <termios.h>
#include <thread>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using Key = EscapeKeys::Key;

TEST(EscapeKeys, ControlAIsAPrefix) {
    EscapeKeys keys;
    EXPECT_EQ(keys.press('x'), Key::Data);
    EXPECT_EQ(keys.press('\x01'), Key::Taken);
    EXPECT_EQ(keys.press('\x01'), Key::Data) << "Ctrl-A Ctrl-A is Ctrl-A";
    EXPECT_EQ(keys.press('x'), Key::Data);
    EXPECT_EQ(keys.press('\x01'), Key::Taken);
    EXPECT_EQ(keys.press('y'), Key::Taken) << "no command";
    EXPECT_EQ(keys.press('\x01'), Key::Taken);
    EXPECT_EQ(keys.press('x'), Key::End);
}

TEST(ConsoleSource, AFileGivesItsBytesAndEnds) {
    const TemporaryDirectory directory;
    const auto file = directory.write("input", std::string("a\0\xff", 3));
    const auto source = open_console_source(file.string(), [] {});
    EXPECT_FALSE(source->is_terminal());
    EXPECT_EQ(source->next(), std::uint8_t{'a'});
    EXPECT_EQ(source->next(), std::uint8_t{0});
    EXPECT_FALSE(source->ended());
    EXPECT_EQ(source->next(), std::uint8_t{0xFF});
    EXPECT_TRUE(source->ended());
    EXPECT_EQ(source->next(), std::nullopt);
}

TEST(ConsoleSource, WhatCannotBeReadIsRefused) {
    const TemporaryDirectory directory;
    const std::string file = (directory / "missing").string();
    EXPECT_THAT(user_error([&] { open_console_source(file, [] {}); }),
                ::testing::HasSubstr("--console-input " + file + ": No such file"));
    EXPECT_EQ(open_console_source("", [] {}), nullptr);
}

/// A pseudo-terminal: the test types at one end.
class Typist {
  public:
    Typist() : own_(::posix_openpt(O_RDWR | O_NOCTTY)) {
        EXPECT_EQ(::grantpt(own_.get()), 0);
        EXPECT_EQ(::unlockpt(own_.get()), 0);
        name = ::ptsname(own_.get());
        stays_open_ = ::open(name.c_str(), O_RDWR | O_NOCTTY);
    }
    Typist(const Typist&) = delete;
    Typist& operator=(const Typist&) = delete;
    ~Typist() { ::close(stays_open_); }

    void type(std::string_view keys) {
        EXPECT_EQ(::write(own_.get(), keys.data(), keys.size()), static_cast<ssize_t>(keys.size()));
    }
    bool is_raw() const {
        termios state{};
        EXPECT_EQ(::tcgetattr(stays_open_, &state), 0);
        EXPECT_NE(state.c_oflag & tcflag_t{OPOST}, 0U) << "lines of the output keep their ends";
        return (state.c_lflag & tcflag_t{ECHO | ICANON | ISIG}) == 0;
    }

    std::string name;

  private:
    FileDescriptor own_;
    int stays_open_ = -1;
};

std::string read(ConsoleSource& source, std::size_t bytes) {
    std::string text;
    for (int turn = 0; turn < 1000 && text.size() < bytes; ++turn) {
        if (const auto byte = source.next()) {
            text += static_cast<char>(*byte);
        } else {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    return text;
}

TEST(ConsoleSource, ATerminalIsRawUntilTheEnd) {
    Typist typist;
    EXPECT_FALSE(typist.is_raw());
    unsigned looks = 0;
    auto source = open_console_source(typist.name, [&looks] { ++looks; });
    EXPECT_TRUE(source->is_terminal());
    EXPECT_TRUE(typist.is_raw());
    EXPECT_EQ(source->next(), std::nullopt);
    EXPECT_FALSE(source->ended());
    typist.type("l\x03\x01q\x01\x01s\r");
    EXPECT_EQ(read(*source, 5), "l\x03\x01s\r");
    EXPECT_GE(looks, 1U);
    source.reset();
    EXPECT_FALSE(typist.is_raw());
}

} // namespace
} // namespace pes
