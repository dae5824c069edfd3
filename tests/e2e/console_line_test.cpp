// SPDX-License-Identifier: Apache-2.0
// The console over a pseudo-terminal and over both kinds of sockets: a guest that sends back what
// it gets, clients that come and go, and users who name what cannot be.
#include "tests/unit/common/line_client.h"
#include "tests/unit/common/run_command.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <utility>

extern char** environ;

namespace pes {
namespace {

using test::LineClient;
using test::run_command;
using ::testing::HasSubstr;

const std::string kDirectory = PES_FIRMWARE_DIR;
const std::string kEcho = kDirectory + "/console_echo.elf";
const std::string kHello = kDirectory + "/hello.elf";

/// A run in the background.
class Platform {
  public:
    explicit Platform(const std::string& options) {
        const std::string command = "exec '" PES_VP "' run --quiet " + options + " >'" +
                                    (directory / "out").string() + "' 2>'" +
                                    (directory / "err").string() + "' </dev/null";
        const char* const words[] = {"sh", "-c", command.c_str(), nullptr};
        EXPECT_EQ(::posix_spawn(&process_, "/bin/sh", nullptr, nullptr,
                                const_cast<char* const*>(words), environ),
                  0);
    }
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;
    ~Platform() {
        if (process_ > 0) {
            ::kill(process_, SIGKILL);
            exit_code();
        }
    }

    /// What the line behind `option` names, as soon as it is there.
    std::string place(const std::string& option = "--console") const {
        for (int turn = 0; turn < 2000; ++turn) {
            const std::string text = messages();
            const std::size_t from = text.find(option + ": ");
            const std::size_t end = text.find('\n', from);
            if (from != std::string::npos && end != std::string::npos) {
                const std::size_t begin = text.rfind(' ', end) + 1;
                return text.substr(begin, end - begin);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return "nothing: " + messages();
    }
    std::string messages() const { return test::read_file(directory / "err"); }
    void signal(int number) const { ::kill(process_, number); }
    int exit_code() {
        int status = 0;
        EXPECT_EQ(::waitpid(std::exchange(process_, 0), &status, 0) > 0, true);
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    test::TemporaryDirectory directory;

  private:
    pid_t process_ = 0;
};

/// Half of it before the guest is heard of, so that it waits in the line.
void talk(LineClient& client, std::size_t lines) {
    std::string text;
    for (std::size_t line = 0; line < lines; ++line) {
        text += "line " + std::to_string(line) + " \x01x \xff\n";
    }
    client.send(text);
    EXPECT_EQ(client.receive(text.size()), text);
}

TEST(ConsoleLine, ATerminalIsLeftAndOpenedAgain) {
    Platform run("--console pty '" + kEcho + "'");
    const std::string name = run.place();
    ASSERT_THAT(name, ::testing::StartsWith("/dev/pts/"));
    {
        LineClient client(name);
        talk(client, 40);
        client.send("in the middle");
    }
    LineClient client(name);
    EXPECT_EQ(client.receive(13), "in the middle");
    talk(client, 10);
    client.send("\x04");
    EXPECT_EQ(run.exit_code(), 0);
    EXPECT_EQ(run.messages(), "pes-vp: --console: " + name + "\n");
}

TEST(ConsoleLine, ATerminalThatNobodyOpensHoldsNothingUp) {
    const auto result = run_command("'" PES_VP "' run --quiet --console pty '" + kHello + "'");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_THAT(result.err, HasSubstr("--console: 18 bytes of output are lost"));
}

const std::string kVirtio = kDirectory + "/virtio_console.elf";

/// The UART and the virtio console are two: each has its own line, or one has none.
TEST(ConsoleLine, TheVirtioConsoleHasALineOfItsOwn) {
    for (const char* const main : {"-", "pty"}) {
        Platform run(std::string("--console ") + main + " --virtio-console pty '" + kVirtio + "'");
        LineClient client(run.place("--virtio-console"));
        EXPECT_EQ(client.receive(6), "early\n");
        talk(client, 40);
        client.leave();
        LineClient again(run.place("--virtio-console"));
        talk(again, 5);
        again.send("\x04");
        EXPECT_EQ(run.exit_code(), 0) << main;
        EXPECT_EQ(test::read_file(run.directory / "out"), "");
    }
}

TEST(ConsoleLine, AVirtioConsoleAtAFileHasNoInput) {
    const test::TemporaryDirectory directory;
    const std::string options =
        " --virtio-console '" + (directory / "out").string() + "' --quiet '" + kVirtio + "'";
    EXPECT_EQ(run_command("'" PES_VP "' run" + options).exit_code, 125) << "nothing comes in";
    EXPECT_EQ(run_command("'" PES_VP "' run --max-cycles 1000000 --path step" + options).exit_code,
              125);
    EXPECT_EQ(run_command("'" PES_VP "' run --quiet '" + kVirtio + "' --log-level off").exit_code,
              128 + 7)
        << "without the option there is no such device: a store access fault";
    EXPECT_EQ(run_command("cd '" + directory.path().string() + "' && '" PES_VP "' run --quiet '" +
                          kVirtio +
                          "' --virtio-console out --checkpoint-at 50 saved && false; '" PES_VP
                          "' run --quiet '" +
                          kVirtio + "' --virtio-console again --restore saved")
                  .exit_code,
              125);
    EXPECT_EQ(test::read_file(directory / "out"), "early\n");
    const auto other =
        run_command("cd '" + directory.path().string() + "' && '" PES_VP "' run --quiet '" +
                    kVirtio + "' --restore saved");
    EXPECT_EQ(other.exit_code, 2);
    EXPECT_THAT(other.err,
                HasSubstr("--virtio-console is given in the checkpoint and not given here"));
}

class Socket : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(BothKinds, Socket,
                         testing::Values("tcp:0", "tcp:localhost:0", "unix:/tmp/pes-line-%"));

std::string named(const std::string& pattern) {
    const std::size_t place = pattern.find('%');
    return place == std::string::npos
               ? pattern
               : pattern.substr(0, place) + std::to_string(::getpid()) + ".socket";
}

TEST_P(Socket, TheRunWaitsForItsClient) {
    Platform run("--console '" + named(GetParam()) + "' '" + kEcho + "'");
    LineClient client(run.place());
    talk(client, 40);
    client.send("\x04");
    EXPECT_EQ(client.receive(1), "") << "the end of the run is that of the line";
    client.leave();
    EXPECT_EQ(run.exit_code(), 0);
    EXPECT_THAT(run.messages(), ::testing::Not(HasSubstr("lost")));
}

TEST_P(Socket, IsWhereTheVirtioConsoleMayBeToo) {
    Platform run("--virtio-console '" + named(GetParam()) + "' '" + kVirtio + "'");
    LineClient client(run.place("--virtio-console"));
    EXPECT_EQ(client.receive(6), "early\n");
    talk(client, 40);
    client.leave();
    EXPECT_EQ(run.exit_code(), 125) << "the guest waits for what never comes";
}

TEST_P(Socket, NothingIsLostOfAShortRun) {
    Platform run("--console '" + named(GetParam()) + "' '" + kHello + "'");
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    LineClient client(run.place());
    EXPECT_EQ(client.receive(100), "hello from hart 0\n");
    client.leave();
    EXPECT_EQ(run.exit_code(), 0);
}

/// The guest then waits for what never comes, and the run ends as behind the end of a file. It
/// stands still until the client is gone, so that it cannot answer before.
TEST_P(Socket, AClientThatLeavesIsTheEndOfTheInput) {
    Platform run("--console '" + named(GetParam()) + "' '" + kEcho + "'");
    LineClient client(run.place());
    talk(client, 2);
    run.signal(SIGSTOP);
    client.send(std::string(1000, 'x'));
    client.leave();
    run.signal(SIGCONT);
    EXPECT_EQ(run.exit_code(), 125);
    EXPECT_THAT(run.messages(), HasSubstr("bytes of output are lost: nobody has read them"));
}

TEST_P(Socket, ASignalEndsTheWait) {
    Platform run("--console '" + named(GetParam()) + "' '" + kEcho + "'");
    EXPECT_NE(run.place(), "");
    run.signal(SIGINT);
    EXPECT_EQ(run.exit_code(), 130);
    std::error_code error;
    EXPECT_FALSE(std::filesystem::exists(named(GetParam()).substr(5), error));
}

/// The guest waits for its next line when it is saved; another client goes on talking with it.
TEST(ConsoleLine, ACheckpointGoesOnAtAnotherLine) {
    const test::TemporaryDirectory directory;
    const std::string file = (directory / "saved").string();
    {
        Platform first("--console pty --checkpoint-at 20000000 '" + file +
                       "' --max-cycles 20000000 '" + kEcho + "'");
        LineClient client(first.place());
        talk(client, 20);
        client.send("half a li");
        EXPECT_EQ(client.receive(9), "half a li");
        EXPECT_EQ(first.exit_code(), 124) << first.messages();
        EXPECT_THAT(first.messages(), HasSubstr("the guest has taken "));
    }
    Platform second("--console pty --restore '" + file + "' '" + kEcho + "'");
    LineClient client(second.place());
    client.send("ne\n");
    EXPECT_EQ(client.receive(3), "ne\n");
    talk(client, 20);
    client.send("\x04");
    EXPECT_EQ(second.exit_code(), 0) << second.messages();
}

TEST(ConsoleLine, MistakesAreOneSentence) {
    const test::TemporaryDirectory directory;
    const std::string file = directory.write("file", "").string();
    const std::pair<std::string, const char*> mistakes[] = {
        {"--console tcp:", "--console got '', expected a port from 0 to 65535"},
        {"--console tcp:192.168.1.1:80", "expected localhost"},
        {"--console unix:" + file, "--console: cannot listen on /"},
        {"--console unix:/missing/socket", "cannot listen on /missing/socket: No such file"},
        {"--console pty --console-input " + file, "--console pty excludes --console-input"},
        {"--virtio-console tcp:x", "--virtio-console got 'x', expected a port"},
        {"--virtio-console -", "two outputs go to the standard output"},
    };
    for (const auto& [options, reason] : mistakes) {
        const auto result = run_command("'" PES_VP "' run '" + kHello + "' " + options);
        EXPECT_EQ(result.exit_code, 2) << options;
        EXPECT_EQ(result.out, "");
        EXPECT_THAT(result.err, HasSubstr(reason)) << options;
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    }
    EXPECT_EQ(directory.count(), 1U);

    Platform first("--console tcp:0 '" + kEcho + "'");
    const std::string place = first.place();
    const std::string port = place.substr(place.find(':') + 1);
    const auto second = run_command("'" PES_VP "' run --console tcp:" + port + " '" + kHello + "'");
    EXPECT_EQ(second.exit_code, 2);
    EXPECT_THAT(second.err,
                HasSubstr("cannot listen on port " + port + ": Address already in use"));
}

} // namespace
} // namespace pes
