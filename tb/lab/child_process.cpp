// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/child_process.h"

#include "platform/host/user_error.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pes::lab {
namespace {

constexpr int kCannotStart = 127; // as shells say it

/// The new process up to its command: only calls that are safe behind fork().
[[noreturn]] void become(char* const* arguments, int errors, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) { // it ended before the line above
        ::_exit(kCannotStart);
    }
    ::setpgid(0, 0);
    const int nowhere = ::open("/dev/null", O_RDWR);
    ::dup2(nowhere, STDIN_FILENO);
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(errors, STDERR_FILENO);
    ::execv(arguments[0], arguments);
    ::_exit(kCannotStart);
}

} // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& command,
                           const std::filesystem::path& errors) {
    std::vector<char*> arguments;
    for (const std::string& word : command) {
        arguments.push_back(const_cast<char*>(word.c_str()));
    }
    arguments.push_back(nullptr);
    const FileDescriptor log(
        ::open(errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
    const pid_t parent = ::getpid();
    process_ = log.get() < 0 ? -1 : ::fork();
    if (process_ == 0) {
        become(arguments.data(), log.get(), parent);
    }
    if (process_ < 0) {
        throw UserError("'" + command.front() + "' cannot be started: " + std::strerror(errno));
    }
    descriptor_.emplace(static_cast<int>(::syscall(SYS_pidfd_open, process_, 0)));
}

ChildProcess::~ChildProcess() {
    if (process_ > 0) {
        ::kill(process_, SIGKILL);
        ::waitpid(process_, nullptr, 0);
    }
}

std::optional<int> ChildProcess::exit_code() {
    int status = 0;
    if (::waitpid(process_, &status, WNOHANG) != process_) {
        return std::nullopt;
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

} // namespace pes::lab
