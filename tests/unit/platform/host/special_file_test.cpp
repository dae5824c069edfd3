// SPDX-License-Identifier: Apache-2.0
// Both ends of a pipe may come in any order; an end that does not come is an error, not a wait.
#include "platform/host/special_file.h"

#include "platform/host/end_request.h"
#include "platform/host/file_descriptor.h"
#include "platform/host/output_file.h"
#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>

namespace pes {
namespace {

using test::user_error;
using testing::HasSubstr;

class SpecialFile : public testing::Test {
  protected:
    void SetUp() override { ASSERT_EQ(::mkfifo(pipe_.c_str(), 0600), 0); }

    std::string read_line() const {
        std::ifstream stream;
        open_special(stream, pipe_);
        std::string line;
        std::getline(stream, line);
        return line;
    }
    void write_line() const {
        std::ofstream stream;
        open_special(stream, pipe_);
        stream << "a line\n" << std::flush;
    }

    test::TemporaryDirectory directory_;
    const std::filesystem::path pipe_ = directory_ / "pipe";
};

TEST_F(SpecialFile, APipeWithoutItsOtherEndIsAnError) {
    EXPECT_THAT(user_error([this] { read_line(); }), HasSubstr("for writing within 2 seconds"));
    EXPECT_THAT(user_error([this] { write_line(); }), HasSubstr("for reading within 2 seconds"));
}

/// The test's own time limit is the judge of a writer that goes on waiting.
TEST_F(SpecialFile, ARequestForTheEndCutsTheWaitForAReaderThatTakesNothing) {
    const FileDescriptor silent(::open(pipe_.c_str(), O_RDWR | O_CLOEXEC));
    const pid_t writer = ::fork();
    if (writer == 0) {
        end_on_signals();
        OutputFile file(pipe_);
        const std::string more_than_fits(1 << 20, 'x');
        file.write(more_than_fits);
        ::_exit(user_error([&file] { file.commit(); }).ends_with("its reader takes nothing") ? 0
                                                                                             : 1);
    }
    int waiting = 0;
    while (::ioctl(silent.get(), FIONREAD, &waiting) == 0 && waiting < 1 << 16) {
        std::this_thread::yield(); // until the pipe is full
    }
    ::kill(writer, SIGTERM);
    int status = -1;
    EXPECT_EQ(::waitpid(writer, &status, 0), writer);
    EXPECT_TRUE(WIFEXITED(status)) << "one signal is enough and does not kill";
    EXPECT_EQ(WEXITSTATUS(status), 0);
}

TEST_F(SpecialFile, ASlowReaderGetsEverything) {
    std::string read;
    std::thread reader([this, &read] {
        std::ifstream stream;
        open_special(stream, pipe_);
        read.assign(std::istreambuf_iterator<char>(stream), {});
    });
    std::string sent;
    for (unsigned i = 0; i < 300'000; ++i) {
        sent += static_cast<char>('a' + i % 26);
    }
    OutputFile file(pipe_);
    file.write(std::string_view(sent).substr(0, 5));
    file.write(std::string_view(sent).substr(5));
    EXPECT_EQ(file.bytes(), sent.size());
    file.commit();
    reader.join();
    EXPECT_EQ(read, sent);
}

TEST_F(SpecialFile, BothEndsWaitForEachOther) {
    std::thread writer([this] { write_line(); });
    EXPECT_EQ(read_line(), "a line");
    writer.join();
}

TEST_F(SpecialFile, AWriterThatHasNothingToSayYetIsWaitedFor) {
    const FileDescriptor silent(::open(pipe_.c_str(), O_RDWR | O_CLOEXEC));
    std::ifstream stream;
    open_special(stream, pipe_);
    ASSERT_EQ(::write(silent.get(), "late\n", 5), 5);
    std::string line;
    std::getline(stream, line);
    EXPECT_EQ(line, "late");
}

TEST_F(SpecialFile, ADeviceIsOpenedAsItIs) {
    std::ifstream zero;
    open_special(zero, "/dev/zero");
    EXPECT_EQ(zero.get(), 0);
    std::ofstream null;
    open_special(null, "/dev/null");
    EXPECT_TRUE(null << "text" << std::flush);
}

TEST_F(SpecialFile, IsWhatIsThereAndNeitherFileNorDirectory) {
    EXPECT_TRUE(is_special(pipe_));
    EXPECT_TRUE(is_special("/dev/null"));
    EXPECT_FALSE(is_special(directory_.path()));
    EXPECT_FALSE(is_special(directory_.write("file", "text")));
    EXPECT_FALSE(is_special(directory_ / "nothing"));
}

} // namespace
} // namespace pes
