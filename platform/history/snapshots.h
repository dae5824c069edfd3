// SPDX-License-Identifier: Apache-2.0
// Snapshots of a run: processes that fork() has made of it and that sleep. What such a process has
// costs memory only where the run has changed it since then, and nothing has to be written down:
// whatever belongs to the run is in it.
//
//   supervisor   the process that was started; it ends as the runner ends
//     runner     the one that simulates
//     snapshots  sleep; to go back, the runner wakes one and ends
//
// All are children of the supervisor, and none outlives it. A snapshot that wakes leaves a copy of
// itself asleep in its place. The process must have one thread.
#pragma once

#include "platform/history/position.h"
#include "platform/history/shared_state.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pes::history {

class Snapshots {
  public:
    /// `letter`: how many bytes a runner may tell the snapshot that it wakes.
    explicit Snapshots(std::size_t letter);
    Snapshots(const Snapshots&) = delete;
    Snapshots& operator=(const Snapshots&) = delete;
    ~Snapshots();

    /// This process becomes the supervisor and never returns; the runner does. False: the host has
    /// no memory, or no process.
    bool begin();
    bool begun() const { return begun_; }

    enum class Became : std::uint8_t {
        Kept,   ///< there is a snapshot more
        Failed, ///< the host has no more processes, or no memory
        Runner, ///< this is the snapshot, which has been woken: read letter()
    };
    /// `needed`: the first one behind a write of the client. If all places are taken, another one
    /// goes.
    Became keep(const Mark& mark, bool needed);

    struct Kept {
        std::size_t slot;
        Mark mark;
        unsigned branch;
        bool needed;
    };
    /// In the order of the run.
    std::vector<Kept> kept() const;
    void drop(std::size_t slot);
    void drop_all();
    std::span<std::byte> letter() const { return letter_; }
    /// This process ends, and the snapshot runs. Returns if the host has ended that one.
    void wake(std::size_t slot);

    /// Up to where output has been shown.
    Position& seen() const { return shared_->seen; }
    /// The client writes: what comes from here on is another history.
    void branch() { branch_ = ++shared_->branches; }
    unsigned present_branch() const { return branch_; }

  private:
    std::size_t free_slot(const Mark& mark);
    void sleep(std::size_t slot);

    SharedState* shared_ = nullptr; ///< null: no memory
    std::span<std::byte> letter_;
    std::size_t bytes_ = 0;
    bool begun_ = false;
    unsigned branch_ = 0; ///< of this process
};

} // namespace pes::history
