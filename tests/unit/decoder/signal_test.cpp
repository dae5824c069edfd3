// SPDX-License-Identifier: Apache-2.0
// A signal ends pes-decode in the middle of its work: nothing of its outputs is left.
#include "tests/unit/common/temporary_directory.h"

#include <array>
#include <csignal>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace pes {
namespace {

namespace fs = std::filesystem;

/// pes-decode with a standard input that never ends, in a directory of its own.
class Decoder {
  public:
    explicit Decoder(const fs::path& directory) {
        std::array<int, 2> pipe{};
        EXPECT_EQ(::pipe2(pipe.data(), O_CLOEXEC), 0);
        input_ = pipe[1];
        process_ = ::fork();
        if (process_ == 0) {
            ::dup2(pipe[0], STDIN_FILENO);
            if (::chdir(directory.c_str()) == 0) {
                ::execl(PES_DECODE, "pes-decode", "trace", "-", "--csv", "new.csv", "--timeline",
                        "old.json", "--messages", "new/messages", "--json-lines", "lines", nullptr);
            }
            ::_exit(127);
        }
        ::close(pipe[0]);
    }
    Decoder(const Decoder&) = delete;
    Decoder& operator=(const Decoder&) = delete;
    ~Decoder() { ::close(input_); }

    /// What waitpid() says of its end.
    int end_with(int signal) const {
        ::kill(process_, signal);
        int status = 0;
        EXPECT_EQ(::waitpid(process_, &status, 0), process_);
        return status;
    }

  private:
    int input_ = -1;
    pid_t process_ = -1;
};

class PesDecodeSignal : public testing::TestWithParam<int> {};

TEST_P(PesDecodeSignal, LeavesNoTemporaryFile) {
    const test::TemporaryDirectory directory;
    directory.write("old.json", "old");
    fs::create_directory(directory / "new");
    const Decoder decoder(directory.path());
    while (directory.count() < 5) { // the test's own time limit is the judge
        std::this_thread::yield();
    }
    const int status = decoder.end_with(GetParam());
    EXPECT_TRUE(WIFSIGNALED(status)) << "the caller sees what ended it";
    EXPECT_EQ(WTERMSIG(status), GetParam());
    EXPECT_EQ(directory.count(), 2U);
    EXPECT_TRUE(fs::is_empty(directory / "new"));
    EXPECT_EQ(test::read_file(directory / "old.json"), "old");
}

INSTANTIATE_TEST_SUITE_P(Signals, PesDecodeSignal,
                         testing::Values(SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1));

} // namespace
} // namespace pes
