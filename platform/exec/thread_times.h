// SPDX-License-Identifier: Apache-2.0
// What each thread of a Linux has done in user mode. A thread is its thread pointer (tp) in its
// address space (satp): the kernel gives each its own, and a trap changes neither.
#pragma once

#include "hw/common/mode_sink.h"
#include "hw/core/hart.h"

#include <compare>
#include <cstdint>
#include <map>

namespace pes {

struct ThreadKey {
    std::uint64_t satp = 0;
    std::uint64_t pointer = 0; ///< tp
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 mistakes the defaulted operator
    auto operator<=>(const ThreadKey&) const = default;
};

struct ThreadTime {
    Cycle first = kNever; ///< cycles in which it began and ended
    Cycle last = 0;
    std::uint64_t stretches = 0; ///< of user mode, from the kernel back to it
    std::uint64_t cycles = 0;    ///< in them
    std::uint64_t instructions = 0;

    void add(const ThreadTime& other);
};

using ThreadTimes = std::map<ThreadKey, ThreadTime>;

/// Of one hart, from now on. A stretch belongs to the thread pointer that it ends with: a process
/// sets its first one up itself.
class ThreadWatch final : public ModeSink {
  public:
    /// Connects itself.
    explicit ThreadWatch(Hart& hart);

    const ThreadTimes& times() const { return times_; }
    /// The run is over: the last stretch as well.
    void finish();

  private:
    void entered(Privilege mode, Address pc) override;
    void end_stretch();

    Hart& hart_;
    bool in_user_mode_ = false;
    Cycle since_ = 0;
    std::uint64_t retired_ = 0; ///< then
    ThreadTimes times_;
};

} // namespace pes
