// SPDX-License-Identifier: Apache-2.0
// What the processes of one history share: memory that each of them sees alike.
#pragma once

#include "platform/history/position.h"

#include <array>
#include <atomic>
#include <csignal>
#include <cstddef>
#include <semaphore.h>
#include <sys/types.h>

namespace pes::history {

inline constexpr std::size_t kMostSnapshots = 24;

struct SharedSlot {
    std::atomic<pid_t> process{0}; ///< that sleeps here; 0: free
    sem_t wake{};
    Mark mark{};
    unsigned branch = 0; ///< of history: the client's writes begin new ones
    bool needed = false; ///< it is the first of its branch
};

struct SharedState {
    pid_t supervisor = 0;
    std::atomic<pid_t> runner{0};
    std::atomic<bool> end_asked{false}; ///< by a signal
    std::array<SharedSlot, kMostSnapshots> slots{};
    Position seen{};       ///< up to where output has been shown
    unsigned branches = 0; ///< so far
};
static_assert(std::atomic<pid_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

/// The signal by which the supervisor asks the runner for the end of the run.
int end_signal();

/// In the process that was started: waits for what the runner ends with, ends all others, and ends
/// with the same. From here on `signals` are blocked, and no others.
[[noreturn]] void supervise(SharedState& state, const sigset_t& signals);

} // namespace pes::history
