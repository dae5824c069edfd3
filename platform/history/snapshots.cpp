// SPDX-License-Identifier: Apache-2.0
#include "platform/history/snapshots.h"

#include "platform/history/thinning.h"
#include "platform/host/end_request.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <memory>
#include <new>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace pes::history {
namespace {

/// Ends with its parent; with it, if that is gone already.
void end_with(pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) {
        ::_exit(EXIT_FAILURE);
    }
}

/// fork() for a child of the caller's parent: the caller may end, and the child is ended with the
/// parent. With one thread nothing holds a lock that the C library would have to look after.
pid_t fork_sibling() {
    return static_cast<pid_t>(::syscall(SYS_clone, CLONE_PARENT | SIGCHLD, 0, 0, 0, 0));
}

} // namespace

Snapshots::Snapshots(std::size_t letter) : bytes_(sizeof(SharedState) + letter) {
    void* const pages =
        ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) {
        shared_ = new (pages) SharedState;
        letter_ = {static_cast<std::byte*>(pages) + sizeof(SharedState), letter};
    }
}

Snapshots::~Snapshots() {
    if (shared_ != nullptr) {
        std::destroy_at(shared_);
        ::munmap(shared_, bytes_);
    }
}

/// In a group of their own, the processes get no signals of a terminal: the supervisor passes them
/// on to the one that they are for.
bool Snapshots::begin() {
    if (shared_ == nullptr) {
        return false;
    }
    const pid_t supervisor = ::getpid();
    shared_->supervisor = supervisor;
    // Signals wait until there is somebody to pass them on.
    sigset_t all{};
    sigset_t before{};
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    const pid_t child = ::fork();
    if (child <= 0) {
        ::sigprocmask(SIG_SETMASK, &before, nullptr);
    }
    if (child < 0) {
        return false;
    }
    if (child > 0) {
        pid_t nobody = 0; // or the child has begun, and perhaps woken another one already
        shared_->runner.compare_exchange_strong(nobody, child);
        supervise(*shared_, before);
    }
    shared_->runner = ::getpid();
    ::setpgid(0, 0);
    std::signal(SIGTTOU, SIG_IGN); // a terminal takes output of its foreground only, else
    end_on_signal_only(end_signal());
    end_with(supervisor);
    begun_ = true;
    return true;
}

Snapshots::Became Snapshots::keep(const Mark& mark, bool needed) {
    const std::size_t index = free_slot(mark);
    SharedSlot& slot = shared_->slots[index];
    ::sem_init(&slot.wake, 1, 0);
    slot.mark = mark;
    slot.branch = branch_;
    slot.needed = needed;
    const pid_t child = fork_sibling();
    if (child == 0) {
        sleep(index);
        return Became::Runner;
    }
    slot.process = std::max<pid_t>(child, 0);
    return child > 0 ? Became::Kept : Became::Failed;
}

/// Returns in the process that shall run; a copy of it sleeps on. Signals wait meanwhile.
void Snapshots::sleep(std::size_t index) {
    SharedSlot& slot = shared_->slots[index];
    sigset_t all{};
    sigset_t before{};
    ::sigfillset(&all);
    ::sigprocmask(SIG_SETMASK, &all, &before);
    pid_t copy = 0;
    do {
        end_with(shared_->supervisor);
        while (::sem_wait(&slot.wake) != 0 && errno == EINTR) {
        }
        copy = fork_sibling();
    } while (copy == 0);
    slot.process = std::max<pid_t>(copy, 0);
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    if (shared_->end_asked) {
        request_end(EndRequest::Signal);
    }
}

std::size_t Snapshots::free_slot(const Mark& mark) {
    const auto free = std::ranges::find_if(shared_->slots,
                                           [](const SharedSlot& one) { return one.process == 0; });
    if (free != shared_->slots.end()) {
        return static_cast<std::size_t>(free - shared_->slots.begin());
    }
    const std::vector<Kept> all = kept();
    std::vector<Candidate> candidates;
    for (const Kept& one : all) {
        candidates.push_back({.total = one.mark.total, .needed = one.needed});
    }
    const std::size_t slot = all[least_useful(candidates, mark.total)].slot;
    drop(slot);
    return slot;
}

std::vector<Snapshots::Kept> Snapshots::kept() const {
    std::vector<Kept> found;
    for (std::size_t index = 0; shared_ != nullptr && index < kMostSnapshots; ++index) {
        const SharedSlot& slot = shared_->slots[index];
        if (slot.process != 0) {
            found.push_back(
                {.slot = index, .mark = slot.mark, .branch = slot.branch, .needed = slot.needed});
        }
    }
    std::ranges::sort(found, {}, [](const Kept& one) { return one.mark.total; });
    return found;
}

void Snapshots::drop(std::size_t slot) {
    if (const pid_t process = shared_->slots[slot].process.exchange(0); process != 0) {
        ::kill(process, SIGKILL);
    }
}

void Snapshots::drop_all() {
    for (const Kept& one : kept()) {
        drop(one.slot);
    }
}

void Snapshots::wake(std::size_t slot) {
    const pid_t process = shared_->slots[slot].process;
    if (process == 0) {
        return;
    }
    shared_->runner = process;
    ::sem_post(&shared_->slots[slot].wake);
    ::_exit(EXIT_SUCCESS);
}

} // namespace pes::history
