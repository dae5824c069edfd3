// SPDX-License-Identifier: Apache-2.0
// The one port by which results leave the floating-point unit: operations of different length that
// end together wait for each other. [cvfpu, fpnew_top.sv: a round-robin arbiter of four groups]
//
// Results find their place in program order. A younger one that the arbiter prefers takes the cycle
// of an older one, which is put off after it has been told its cycle.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace pes {

class FpuPort {
  public:
    /// Those of the arbiter, in its order.
    enum class Group : std::uint8_t { AddMultiply, DivideSqrt, NonComputational, Convert, None };

    struct Result {
        Group group = Group::None;
        RegisterIndex rd = kSinkRegister;
    };

    /// A result, issued in `issue`, is there in `cycle`; returns the cycle in which the port takes
    /// it. Calls `put_off(rd, from, to)` for each older result that goes out later than was told.
    template <typename PutOff>
    Cycle take(Cycle issue, Cycle cycle, Result result, PutOff put_off) {
        move_to(issue + 1); // nothing later is there before
        std::size_t place = cycle - first_;
        if (place + kLongestQueue > kCycles) [[unlikely]] {
            return cycle; // a unit much slower than CVA6's meets nobody
        }
        while (slots_[place].group != Group::None && !goes_first(place, result.group)) {
            ++place;
        }
        const Cycle taken = first_ + place;
        std::swap(slots_[place], result);
        while (result.group != Group::None && ++place != kCycles) {
            put_off(result.rd, first_ + place - 1, first_ + place);
            std::swap(slots_[place], result);
        }
        return taken;
    }

    /// See timing_state.h. Nothing is there before `next`.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle next) {
        if constexpr (Archive::kSaves) {
            move_to(next);
        }
        first_ = next;
        auto before = static_cast<std::uint64_t>(before_);
        archive.number(before);
        before_ = static_cast<Group>(before);
        for (Result& slot : slots_) {
            std::uint64_t number = number_of(slot);
            archive.number(number);
            slot = slot_of(number);
        }
    }

  private:
    static constexpr std::size_t kCycles = 40;
    static constexpr std::size_t kLongestQueue = 8;

    /// 0 for a free slot, which most of them are.
    static std::uint64_t number_of(Result slot) {
        return slot.group == Group::None
                   ? 0
                   : std::uint64_t{slot.rd} << 4 | (static_cast<std::uint64_t>(slot.group) + 1);
    }
    static Result slot_of(std::uint64_t number) {
        return number == 0 ? Result{}
                           : Result{.group = static_cast<Group>((number & 0xF) - 1),
                                    .rd = static_cast<RegisterIndex>(number >> 4)};
    }

    /// Whether the arbiter serves `group` before the one in `place`: the one in that half of its
    /// tree that it served last.
    bool goes_first(std::size_t place, Group group) const {
        Group last = before_;
        for (std::size_t earlier = 0; earlier != place; ++earlier) {
            last = slots_[earlier].group != Group::None ? slots_[earlier].group : last;
        }
        const auto own = static_cast<unsigned>(group);
        const auto other = static_cast<unsigned>(slots_[place].group);
        const unsigned served = static_cast<unsigned>(last);
        const unsigned bit = own >> 1 != other >> 1 ? 1 : 0; // of halves, or inside of one
        return own != other && (own >> bit & 1) == (served >> bit & 1);
    }

    void move_to(Cycle first) {
        if (first <= first_) {
            return;
        }
        const std::size_t by = std::min<Cycle>(first - first_, kCycles);
        for (std::size_t place = 0; place != by; ++place) {
            before_ = slots_[place].group != Group::None ? slots_[place].group : before_;
        }
        std::fill(std::shift_left(slots_.begin(), slots_.end(), static_cast<std::ptrdiff_t>(by)),
                  slots_.end(), Result{});
        first_ = first;
    }

    Cycle first_ = 0;                   ///< cycle of the first slot
    Group before_ = Group::AddMultiply; ///< served last before it
    std::array<Result, kCycles> slots_{};
};

} // namespace pes
