// SPDX-License-Identifier: Apache-2.0
// The delays of the current instruction, in pipeline order: for each stage, the cycle in which the
// instruction could retire if no later stage delayed it.
//
// So the end of each wait is given as a cycle of retirement. The part of a wait that overlaps with
// older instructions costs nothing: oracle.h charges only cycles after the last retirement.
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
    void want(bool wanted) { wanted_ = wanted; }
    void clear() {
        count_ = 0;
        offered_ = fetched_ = walk_ = miss_ = 0;
    }

    void until(CycleReason reason, Cycle retires) {
        if (wanted_) [[unlikely]] {
            note(reason, retires);
        }
    }

    /// The cycles by which a page walk and a refill delay the fetch of its words.
    void add_walk(Cycle cycles) { walk_ += cycles; }
    void add_miss(Cycle cycles) { miss_ += cycles; }
    /// The queue offers the instruction from `offered` on; it is decoded in `decode`.
    void fetched(Cycle offered, Cycle decode);
    bool walked() const { return walk_ != 0; }
    bool missed() const { return miss_ != 0; }

    std::span<const Wait> list() const { return std::span(list_).first(count_); }
    /// The end of the waits of the fetch.
    Cycle fetched() const { return fetched_; }
    Cycle offered() const { return offered_; }
    /// The cycles by which the fetch has been delayed. The first one of a refill overlaps with the
    /// lookup.
    Cycle delay_of_fetch() const { return walk_ + miss_ - (miss_ != 0 ? 1 : 0); }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kMost = 24;

    [[gnu::noinline]] void note(CycleReason reason, Cycle retires);

    bool wanted_;
    std::size_t count_ = 0;
    std::array<Wait, kMost> list_{};
    Cycle offered_ = 0, fetched_ = 0;
    Cycle walk_ = 0, miss_ = 0;
};

} // namespace pes
