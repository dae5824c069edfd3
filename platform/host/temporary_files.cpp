// SPDX-License-Identifier: Apache-2.0
// A signal handler may only read memory and call what is async-signal-safe: the names are a list of
// plain C strings whose entries are never freed, but used again.
#include "platform/host/temporary_files.h"

#include "platform/host/raw_terminal.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>

namespace pes::temporary_files {
namespace {

constexpr std::array kSignals{SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE, SIGALRM,
                              SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};

struct Entry {
    std::atomic<char*> path{nullptr}; ///< null: free
    bool directory = false;
    Entry* next = nullptr;
};
std::atomic<Entry*> newest{nullptr};
static_assert(std::atomic<char*>::is_always_lock_free);

/// A free entry takes a file; directories stay in their order.
void note(const char* path, bool directory) {
    Entry* entry = newest;
    while (entry != nullptr && (directory || entry->directory || entry->path != nullptr)) {
        entry = entry->next;
    }
    const bool is_new = entry == nullptr;
    if (is_new) {
        entry = new Entry;
        entry->next = newest;
    }
    entry->directory = directory;
    entry->path = ::strdup(path);
    if (is_new) {
        newest = entry;
    }
}

/// Files first: a directory must be empty. The newest directory first: it may lie in another.
void remove_all() {
    for (const bool directories : {false, true}) {
        for (const Entry* entry = newest; entry != nullptr; entry = entry->next) {
            const char* path = entry->path;
            if (path != nullptr && entry->directory == directories) {
                directories ? ::rmdir(path) : ::unlink(path);
            }
        }
    }
}

/// SA_RESETHAND has put the usual effect back.
void end_process(int signal) {
    remove_all();
    RawTerminal::put_back();
    ::raise(signal);
}

} // namespace

SignalsHeld::SignalsHeld() {
    sigset_t all{};
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before_);
}

SignalsHeld::~SignalsHeld() {
    const int error = errno;
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
}

int make(std::string& name) {
    const SignalsHeld held;
    const int descriptor = ::mkstemp(name.data());
    if (descriptor >= 0) {
        note(name.c_str(), false);
    }
    return descriptor;
}

void note_directory(const std::filesystem::path& path) {
    note(path.c_str(), true);
}

void forget(const std::filesystem::path& path) {
    const SignalsHeld held;
    for (Entry* entry = newest; entry != nullptr; entry = entry->next) {
        char* const known = entry->path;
        if (known != nullptr && path == known) {
            entry->path = nullptr;
            std::free(known);
        }
    }
}

void remove_on_signals() {
    struct sigaction action {};
    action.sa_handler = end_process;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigfillset(&action.sa_mask);
    for (const int signal : kSignals) {
        struct sigaction before {};
        if (::sigaction(signal, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) {
            ::sigaction(signal, &action, nullptr);
        }
    }
}

} // namespace pes::temporary_files
