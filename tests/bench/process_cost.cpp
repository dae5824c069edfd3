// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/process_cost.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <chrono>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

namespace pes::bench {
namespace {

/// The end of the stream is the end of the child, which holds the only other writer.
std::string read_all(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    for (ssize_t count = 0; (count = read(descriptor, buffer.data(), buffer.size())) != 0;) {
        if (count > 0) {
            text.append(buffer.data(), static_cast<std::size_t>(count));
        } else if (errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "read");
        }
    }
    return text;
}

pid_t start(const std::vector<std::string>& command, int output) {
    std::vector<char*> arguments;
    arguments.reserve(command.size() + 1);
    for (const std::string& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str())); // posix_spawn does not write it
    }
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    pid_t child = 0;
    const int error =
        posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        throw std::system_error(error, std::generic_category(), command[0]);
    }
    return child;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

} // namespace

Finished run(const std::vector<std::string>& command, int exit_code) {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw std::system_error(errno, std::generic_category(), "pipe");
    }
    const auto begin = std::chrono::steady_clock::now();
    const pid_t child = start(command, ends[1]);
    close(ends[1]);
    Finished finished;
    finished.output = read_all(ends[0]);
    close(ends[0]);
    int status = 0;
    rusage usage{};
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != exit_code) {
        throw std::runtime_error(fmt::format("{} failed", fmt::join(command, " ")));
    }
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
    finished.cost = {.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                     .wall_seconds = wall.count(),
                     .peak_mebibytes = static_cast<double>(usage.ru_maxrss) / 1024};
    return finished;
}

} // namespace pes::bench
