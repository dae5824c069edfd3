// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/guest/console_line.h"

#include "platform/soc/guest/console_source.h"
#include "tests/unit/common/line_client.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <memory>
#include <thread>

namespace pes {
namespace {

using std::chrono::milliseconds;
using test::LineClient;
using test::TemporaryDirectory;
using test::user_error;

bool never() {
    return false;
}

/// Behind "pes-vp: --console: [waiting for a client at ]".
std::string place_in(const std::string& sentence) {
    return sentence.substr(sentence.rfind(' ') + 1, sentence.find('\n') - sentence.rfind(' ') - 1);
}

/// A terminal with its name.
struct Terminal {
    Terminal() {
        ::testing::internal::CaptureStderr();
        line.await_client(never);
        name = place_in(::testing::internal::GetCapturedStderr());
    }
    ConsoleLine line{"--console", "pty"};
    std::string name;
};

std::string receive(ConsoleLine& line, std::size_t bytes) {
    std::string text;
    for (int turn = 0; turn < 1000 && text.size() < bytes; ++turn) {
        const auto more = line.receive(milliseconds(10));
        if (!more) {
            break;
        }
        text += *more;
    }
    return text;
}

TEST(ConsoleLine, NamesAreNoFiles) {
    EXPECT_TRUE(ConsoleLine::is_name("pty"));
    EXPECT_TRUE(ConsoleLine::is_name("tcp:1"));
    EXPECT_TRUE(ConsoleLine::is_name("unix:a"));
    for (const char* file : {"", "-", "./pty", "5000", "/dev/pts/1", "pty.txt"}) {
        EXPECT_FALSE(ConsoleLine::is_name(file)) << file;
    }
}

TEST(ConsoleLine, MistakesAreOneSentence) {
    const auto mistake = [](const char* name) {
        return user_error([name] { ConsoleLine("--console", name); });
    };
    using ::testing::HasSubstr;
    EXPECT_THAT(mistake("tcp:"), HasSubstr("--console got '', expected a port"));
    EXPECT_THAT(mistake("tcp:99999"), HasSubstr("expected a port"));
    EXPECT_THAT(mistake("tcp:0.0.0.0:5000"), HasSubstr("expected localhost"));
    EXPECT_THAT(mistake("unix:"), HasSubstr("expected a path"));
    EXPECT_THAT(mistake("unix:/"), HasSubstr("--console: cannot listen on /: "));
}

TEST(ConsoleLine, ATerminalPassesEveryByteInBothDirections) {
    Terminal terminal;
    LineClient client(terminal.name);
    std::string all;
    for (int code = 0; code < 256; ++code) {
        all += static_cast<char>(code);
    }
    terminal.line.write(all);
    terminal.line.flush();
    EXPECT_EQ(client.receive(all.size()), all);
    client.send(all);
    EXPECT_EQ(receive(terminal.line, all.size()), all) << "no echo, no line discipline";
}

TEST(ConsoleLine, WhoAttachesLaterGetsWhatWaits) {
    Terminal terminal;
    terminal.line.write(std::string_view("before\n"));
    terminal.line.flush();
    {
        LineClient client(terminal.name);
        EXPECT_EQ(receive(terminal.line, 0), "");
        terminal.line.flush();
        EXPECT_EQ(client.receive(7), "before\n");
        client.send("x");
    }
    EXPECT_EQ(receive(terminal.line, 1), "x") << "what was typed before the leave";
    terminal.line.write(std::string_view("between\n"));
    EXPECT_EQ(terminal.line.receive(milliseconds(1)), "") << "a terminal has no end";
    LineClient again(terminal.name);
    terminal.line.flush();
    EXPECT_EQ(again.receive(8), "between\n");
    terminal.line.finish();
    EXPECT_EQ(terminal.line.lost(), 0U);
}

TEST(ConsoleLine, ATerminalThatNobodyOpensLosesTheOldestBytes) {
    Terminal terminal;
    const std::string block(1 << 16, 'o');
    for (std::size_t bytes = 0; bytes < ConsoleLine::kMostWaiting + block.size();
         bytes += block.size()) {
        terminal.line.write(block);
    }
    terminal.line.write(std::string_view("newest"));
    const std::uint64_t lost = terminal.line.lost();
    EXPECT_GE(lost, block.size());
    LineClient client(terminal.name);
    std::string got;
    std::thread reader([&] { got = client.receive(ConsoleLine::kMostWaiting + block.size()); });
    terminal.line.finish();
    reader.join();
    EXPECT_TRUE(got.ends_with("newest"));
    EXPECT_EQ(got.size() + lost, ConsoleLine::kMostWaiting + block.size() + 6);
    EXPECT_EQ(terminal.line.lost(), lost);
}

TEST(ConsoleLine, OutputThatNobodyReadsIsCounted) {
    {
        Terminal terminal;
        terminal.line.write(std::string_view("hello"));
        terminal.line.finish();
        EXPECT_EQ(terminal.line.lost(), 5U) << "nobody is there";
    }
    Terminal terminal;
    const LineClient client(terminal.name);
    terminal.line.write(std::string_view("hello"));
    terminal.line.finish();
    EXPECT_EQ(terminal.line.lost(), 5U) << "somebody is there and does not read";
}

/// A socket of either kind, with its client.
class Socket : public testing::TestWithParam<bool> {
  protected:
    Socket() {
        const std::string name =
            GetParam() ? "unix:" + (directory / "socket").string() : std::string("tcp:0");
        line.emplace("--console", name);
        ::testing::internal::CaptureStderr();
        int looks = 0;
        line->await_client([&] {
            if (looks++ == 0) {
                std::fflush(stderr);
                place = place_in(::testing::internal::GetCapturedStderr());
                client = std::make_unique<LineClient>(place);
            }
            return looks > 50;
        });
    }

    TemporaryDirectory directory;
    std::optional<ConsoleLine> line;
    std::string place;
    std::unique_ptr<LineClient> client;
};

INSTANTIATE_TEST_SUITE_P(BothKinds, Socket, testing::Bool());

TEST_P(Socket, PassesBytesInBothDirections) {
    line->write(std::string_view("to the client"));
    line->flush();
    EXPECT_EQ(client->receive(13), "to the client");
    client->send(std::string_view("\x01x\0\xff", 4));
    EXPECT_EQ(receive(*line, 4), std::string("\x01x\0\xff", 4)) << "there are no keys";
    EXPECT_EQ(directory.count(), 0U) << "nobody else finds the socket";
}

TEST_P(Socket, AClientThatSaysNoMoreStillReads) {
    client->send("all");
    client->say_no_more();
    EXPECT_EQ(receive(*line, 4), "all");
    EXPECT_EQ(line->receive(milliseconds(1)), std::nullopt);
    line->write(std::string_view("answer"));
    line->finish();
    EXPECT_EQ(client->receive(7), "answer");
    EXPECT_EQ(line->lost(), 0U);
}

TEST_P(Socket, AfterTheClientHasGoneOutputIsCounted) {
    client->leave();
    EXPECT_EQ(receive(*line, 1), "");
    EXPECT_EQ(line->receive(milliseconds(1)), std::nullopt);
    line->write(std::string_view("1234567"));
    line->flush();
    line->write(std::string_view("89"));
    line->finish();
    EXPECT_EQ(line->lost(), 9U);
}

/// A client that sends much before it reads anything must not wait for us while we wait for it.
TEST_P(Socket, SlowReadersAreWaitedForAndHeard) {
    const std::string output(8 << 20, 'o');
    const std::string input(1 << 19, 'i');
    std::string got;
    std::thread other([&] {
        client->send(input);
        got = client->receive(output.size());
    });
    for (std::size_t at = 0; at < output.size(); at += 1 << 16) {
        line->write(std::string_view(output).substr(at, 1 << 16));
    }
    EXPECT_EQ(receive(*line, input.size()).size(), input.size());
    std::thread closer([&] {
        other.join();
        client->leave();
    });
    line->finish();
    closer.join();
    EXPECT_EQ(got.size(), output.size());
    EXPECT_EQ(line->lost(), 0U);
}

TEST_P(Socket, IsASourceThatEndsWithItsClient) {
    const auto source = source_of(*line);
    EXPECT_FALSE(source->is_terminal());
    EXPECT_EQ(source->next(), std::nullopt);
    client->send("a");
    client->leave();
    std::optional<std::uint8_t> byte;
    for (int turn = 0; turn < 10'000 && !byte; ++turn) {
        byte = source->next();
    }
    EXPECT_EQ(byte, std::uint8_t{'a'});
    for (int turn = 0; turn < 10'000 && !source->ended(); ++turn) {
        EXPECT_EQ(source->next(), std::nullopt);
    }
    EXPECT_TRUE(source->ended());
}

} // namespace
} // namespace pes
