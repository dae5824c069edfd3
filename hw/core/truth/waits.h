// SPDX-License-Identifier: Apache-2.0
// What holds up the instruction in hand, in the order of the pipeline: for each stage the cycle in
// which the instruction could retire if nothing behind that stage held it up.
//
// So every wait ends at a cycle of retirement. Cycles of a wait that older instructions need anyway
// cost nothing; oracle.h charges those behind the last retirement only.
#pragma once

#include "hw/core/truth/cycle_reason.h"
#include "hw/interface/types.h"

#include <array>
#include <cstddef>
#include <span>

namespace pes {

struct Wait {
    Cycle until = 0;
    CycleReason reason = CycleReason::Base;
};

class Waits {
  public:
    /// Cycles from a stage of a simple instruction to its retirement.
    static constexpr Cycle kBehindDecode = 3;
    static constexpr Cycle kBehindIssue = 2;

    explicit Waits(bool wanted) : wanted_(wanted) {}

    bool wanted() const { return wanted_; }
    void clear() {
        count_ = 0;
        fetched_ = walk_ = miss_ = 0;
    }

    void until(CycleReason reason, Cycle retires) {
        if (wanted_) [[unlikely]] {
            note(reason, retires);
        }
    }

    /// By how many cycles a page walk and a refill put off the fetch of its words.
    void add_walk(Cycle cycles) { walk_ += cycles; }
    void add_miss(Cycle cycles) { miss_ += cycles; }
    /// The queue offers the instruction, which is decoded in `decode`.
    void fetched(Cycle offered, Cycle decode);
    bool walked() const { return walk_ != 0; }
    bool missed() const { return miss_ != 0; }

    std::span<const Wait> list() const { return std::span(list_).first(count_); }
    /// The end of those waits that belong to the fetch.
    Cycle fetched() const { return fetched_; }

  private:
    static constexpr std::size_t kMost = 24;

    [[gnu::noinline]] void note(CycleReason reason, Cycle retires);

    bool wanted_;
    std::size_t count_ = 0;
    std::array<Wait, kMost> list_{};
    Cycle fetched_ = 0;
    Cycle walk_ = 0, miss_ = 0;
};

} // namespace pes
