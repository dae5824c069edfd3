// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/process.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace pes::differential {
namespace {

[[noreturn]] void fail(int error, const std::string& what) {
    throw std::system_error(error, std::generic_category(), what);
}

/// A pipe whose ends no other child inherits.
class Pipe {
  public:
    Pipe() {
        if (pipe2(ends_.data(), O_CLOEXEC) != 0) {
            fail(errno, "pipe");
        }
    }
    ~Pipe() {
        close_write_end();
        close(ends_[0]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    int read_end() const { return ends_[0]; }
    int write_end() const { return ends_[1]; }
    void close_write_end() {
        if (ends_[1] >= 0) {
            close(ends_[1]);
            ends_[1] = -1;
        }
    }

  private:
    std::array<int, 2> ends_{-1, -1};
};

pid_t start(const std::vector<std::string>& command, int output, ErrorStream errors) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& argument : command) {
        arguments.push_back(const_cast<char*>(argument.c_str())); // posix_spawn does not write it
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    if (errors == ErrorStream::WithOutput) {
        posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    }
    if (errors == ErrorStream::Discard) {
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    pid_t child = -1;
    const int error =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        fail(error, "cannot start " + command[0]);
    }
    return child;
}

/// Reads until the end of the stream; false at the deadline.
bool read_all(int descriptor, std::chrono::steady_clock::time_point deadline, std::string& text) {
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd waiting{descriptor, POLLIN, 0};
        if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) == 0) {
            return false;
        }
        const ssize_t count = read(descriptor, buffer.data(), buffer.size());
        if (count == 0) {
            return true;
        }
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            fail(errno, "read");
        }
    }
}

} // namespace

ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit,
                          ErrorStream errors) {
    Pipe pipe;
    const pid_t child = start(command, pipe.write_end(), errors);
    pipe.close_write_end();
    ProcessResult result;
    result.timed_out =
        !read_all(pipe.read_end(), std::chrono::steady_clock::now() + limit, result.output);
    if (result.timed_out) {
        kill(child, SIGKILL);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return result;
}

} // namespace pes::differential
