// SPDX-License-Identifier: Apache-2.0
// The process that the user has started, while others run in its place: it passes signals on, and
// ends as the one that runs.
#include "platform/history/shared_state.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>

namespace pes::history {
namespace {

SharedState* shared = nullptr; // for the signal handler
volatile std::sig_atomic_t last_signal = 0;

void pass_on(int signal) {
    const int error = errno;
    last_signal = signal;
    shared->end_asked = true;
    ::kill(shared->runner, end_signal());
    errno = error;
}

/// As the process would end that gets them.
void pass_signals_on() {
    struct sigaction action {};
    action.sa_handler = pass_on;
    ::sigfillset(&action.sa_mask);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction before {};
        ::sigaction(signal, nullptr, &before);
        if (before.sa_handler != SIG_IGN) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

/// A snapshot that the host has ended, for want of memory, is none any more.
void forget(pid_t process) {
    for (SharedSlot& slot : shared->slots) {
        pid_t expected = process;
        slot.process.compare_exchange_strong(expected, 0);
    }
}

void end_snapshots() {
    for (SharedSlot& slot : shared->slots) {
        if (const pid_t process = slot.process.exchange(0); process != 0) {
            ::kill(process, SIGKILL);
        }
    }
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
}

[[noreturn]] void end_as(int status) {
    if (WIFEXITED(status)) {
        ::_exit(WEXITSTATUS(status));
    }
    int signal = WTERMSIG(status);
    signal = signal == end_signal() && last_signal != 0 ? last_signal : signal;
    std::signal(signal, SIG_DFL);
    sigset_t none{};
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    ::raise(signal);
    ::_exit(128 + signal); // a signal that does not end a process
}

} // namespace

int end_signal() {
    return SIGUSR2;
}

void supervise(SharedState& state, const sigset_t& signals) {
    shared = &state;
    pass_signals_on();
    ::sigprocmask(SIG_SETMASK, &signals, nullptr);
    ::close_range(STDERR_FILENO + 1, UINT_MAX, 0); // nobody may take it for the other end
    while (true) {
        int status = 0;
        const pid_t process = ::waitpid(-1, &status, 0);
        if (process == state.runner) {
            end_snapshots();
            end_as(status);
        }
        if (process > 0) {
            forget(process);
        } else if (errno == ECHILD) {
            ::_exit(EXIT_FAILURE);
        }
    }
}

} // namespace pes::history
