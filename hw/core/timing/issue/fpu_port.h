// SPDX-License-Identifier: Apache-2.0
// The one port by which results leave the floating-point unit: operations of different length that
// end together wait for each other. [cvfpu, fpnew_top.sv: a round-robin arbiter of four groups]
//
// Results are placed in program order. A younger result that the arbiter prefers takes the cycle of
// an older one, which is then delayed although its cycle was already reported.
#pragma once

#include "hw/core/arch/instruction.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace pes {

class FpuPort {
  public:
    /// The inputs of the arbiter, in its order.
    enum class Group : std::uint8_t { AddMultiply, DivideSqrt, NonComputational, Convert, None };

    /// `wide`: a double. Adders and small operations have a unit for each format, and an arbiter of
    /// their own before the common one. [fpnew_opgroup_block.sv]
    struct Result {
        Group group = Group::None;
        bool wide = false;
        RegisterIndex rd = kSinkRegister;
    };

    /// A result, issued in `issue`, is ready in `ready`; returns the cycle in which the port takes
    /// it. Calls `put_off(rd, from, to)` for each older result that is delayed by it.
    template <typename PutOff>
    Cycle take(Cycle issue, Cycle ready, Result result, PutOff put_off) {
        move_to(issue + 1); // nothing later is there before
        if (count_ == kMost) [[unlikely]] {
            return ready;
        }
        const bool single = result.group == Group::DivideSqrt || result.group == Group::Convert;
        result.wide = result.wide && !single;
        Waiting& own = waiting_[count_++];
        own = {.result = result, .ready = ready, .taken = ready};
        if (count_ != 1) {
            arbitrate(put_off);
        }
        return own.taken;
    }

    bool any() const { return count_ != 0; }

    /// Drops all results and resets the arbiters.
    void flush() {
        count_ = 0;
        turn_ = {};
    }

    /// See timing_state.h. Nothing is there before `next`.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle next) {
        if constexpr (Archive::kSaves) {
            move_to(next);
        }
        first_ = next;
        std::uint64_t turn = turn_.group | std::uint64_t{turn_.formats} << 2;
        archive.number(turn);
        turn_ = {.group = static_cast<std::uint8_t>(turn & 3),
                 .formats = static_cast<std::uint8_t>(turn >> 2)};
        std::uint64_t count = count_;
        archive.number(count);
        count_ = count;
        for (std::size_t index = 0; index != count_; ++index) {
            Waiting& waiting = waiting_[index];
            std::uint64_t number = number_of(waiting.result);
            archive.number(number);
            waiting.result = result_of(number);
            archive.cycle(waiting.ready, next);
            archive.cycle(waiting.taken, next);
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kMost = 16;
    static constexpr std::size_t kNone = kMost;
    static constexpr unsigned kGroups = 4;

    struct Waiting {
        Result result;
        Cycle ready = 0;
        Cycle taken = 0;
    };
    /// The input that each arbiter prefers: the next in order of those that asked when the last one
    /// was served. [rr_arb_tree.sv]
    struct Turn {
        std::uint8_t group = 0;
        std::uint8_t formats = 0; ///< a bit a group
    };
    /// The requests of a cycle: the oldest result of each unit.
    struct Requests {
        unsigned groups = 0; ///< a bit each
        std::array<std::array<std::size_t, 2>, kGroups> units{};
    };

    static std::uint64_t number_of(Result result) {
        return std::uint64_t{result.rd} << 4 | std::uint64_t{result.wide} << 3 |
               static_cast<std::uint64_t>(result.group);
    }
    static Result result_of(std::uint64_t number) {
        return {.group = static_cast<Group>(number & 7),
                .wide = (number >> 3 & 1) != 0,
                .rd = static_cast<RegisterIndex>(number >> 4)};
    }

    /// Of two inputs of a node of the tree.
    static unsigned preferred(unsigned asking, unsigned turn) {
        return (asking & 1) == 0 || ((asking & 2) != 0 && turn != 0) ? 1 : 0;
    }
    static unsigned next_turn(unsigned asking, unsigned turn) {
        const unsigned upper = asking >> (turn + 1) << (turn + 1);
        return static_cast<unsigned>(std::countr_zero(upper != 0 ? upper : asking));
    }

    Requests requests_in(Cycle cycle, unsigned served) const {
        Requests requests;
        for (auto& unit : requests.units) {
            unit.fill(kNone);
        }
        for (std::size_t index = 0; index != count_; ++index) {
            const Waiting& waiting = waiting_[index];
            if (waiting.ready > cycle || (served >> index & 1) != 0) {
                continue;
            }
            const auto group = static_cast<unsigned>(waiting.result.group);
            std::size_t& oldest = requests.units[group][waiting.result.wide ? 1 : 0];
            if (oldest == kNone || waiting.ready < waiting_[oldest].ready) {
                oldest = index;
            }
            requests.groups |= 1U << group;
        }
        return requests;
    }

    /// The result that is served, or kNone.
    std::size_t serve(Cycle cycle, unsigned served, Turn& turn) const {
        const Requests requests = requests_in(cycle, served);
        if (requests.groups == 0) {
            return kNone;
        }
        const unsigned halves =
            ((requests.groups & 3) != 0 ? 1U : 0U) | ((requests.groups & 12) != 0 ? 2U : 0U);
        const unsigned half = preferred(halves, turn.group >> 1) * 2;
        const unsigned group = half + preferred(requests.groups >> half & 3, turn.group & 1U);
        const auto& units = requests.units[group];
        const unsigned formats = (units[0] != kNone ? 1U : 0U) | (units[1] != kNone ? 2U : 0U);
        const unsigned format_turn = turn.formats >> group & 1;
        const std::size_t index = units[preferred(formats, format_turn)];
        turn.group = static_cast<std::uint8_t>(next_turn(requests.groups, turn.group));
        turn.formats = static_cast<std::uint8_t>((turn.formats & ~(1U << group)) |
                                                 next_turn(formats, format_turn) << group);
        return index;
    }

    template <typename PutOff>
    void arbitrate(PutOff put_off) {
        Turn turn = turn_;
        unsigned served = 0;
        Cycle cycle = first_;
        for (std::size_t left = count_; left != 0;) {
            const std::size_t index = serve(cycle, served, turn);
            if (index == kNone) {
                cycle = next_ready(served);
                continue;
            }
            Waiting& waiting = waiting_[index];
            if (index + 1 != count_ && cycle > waiting.taken) {
                put_off(waiting.result.rd, waiting.taken, cycle);
            }
            waiting.taken = cycle;
            served |= 1U << index;
            --left;
            ++cycle;
        }
    }

    Cycle next_ready(unsigned served) const {
        Cycle next = kNever;
        for (std::size_t index = 0; index != count_; ++index) {
            next = (served >> index & 1) == 0 ? std::min(next, waiting_[index].ready) : next;
        }
        return next;
    }

    /// The only one that asks is preferred from then on, by both arbiters.
    void serve_alone(const Result& result) {
        const auto group = static_cast<unsigned>(result.group);
        const unsigned formats = turn_.formats & ~(1U << group);
        turn_ = {.group = static_cast<std::uint8_t>(group),
                 .formats = static_cast<std::uint8_t>(formats | (result.wide ? 1U : 0U) << group)};
        count_ = 0;
    }

    /// Removes the results that are served before `first`.
    void move_to(Cycle first) {
        if (count_ == 1) {
            if (std::max(first_, waiting_[0].ready) < first) {
                serve_alone(waiting_[0].result);
            }
            first_ = std::max(first_, first);
            return;
        }
        while (first_ < first && count_ != 0) {
            const std::size_t index = serve(first_, 0, turn_);
            if (index == kNone) {
                first_ = std::min(first, next_ready(0));
                continue;
            }
            std::shift_left(waiting_.begin() + static_cast<std::ptrdiff_t>(index),
                            waiting_.begin() + static_cast<std::ptrdiff_t>(count_), 1);
            --count_;
            ++first_;
        }
        first_ = std::max(first_, first);
    }

    Cycle first_ = 0; ///< nothing that is served before is kept
    Turn turn_;       ///< in that cycle
    std::size_t count_ = 0;
    std::array<Waiting, kMost> waiting_{}; ///< in program order
};

} // namespace pes
