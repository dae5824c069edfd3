// SPDX-License-Identifier: Apache-2.0
// The latest retirements, which a delayed floating-point result may still move (fpu_port.h).
// Instructions retire in order, at most two per cycle.
#pragma once

#include "hw/common/event.h"
#include "hw/core/timing/issue/scoreboard.h"
#include "hw/core/timing/pulses/pulse_log.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace pes {

class LastRetirements {
  public:
    /// `ports` of retirement: 1 or 2.
    explicit LastRetirements(unsigned ports) : single_(ports == 1) {}

    void add(RetiredMask events, Cycle cycle, RegisterIndex rd, RetirePort port) {
        Retirement& last = ring_[count_++ % kMost];
        last.events = events;
        last.cycle = cycle;
        last.rd = rd;
        last.port = port;
    }
    void clear() { ring_ = {}; }

    /// The latest floating-point writer of `rd`, which was ready to retire in `from`, is ready in
    /// `to` only. Its retirement and later ones move, also in the log and in the scoreboard. They
    /// stay if a later instruction has already observed them: a read of a counter or an access to a
    /// device.
    void put_off(RegisterIndex rd, Cycle from, Cycle to, PulseLog& pulses, Scoreboard& scoreboard) {
        std::size_t age = 1;
        while (age <= kMost && !(entry(age).rd == rd && entry(age).cycle >= from &&
                                 entry(age).events.has(Event::FloatingPoint))) {
            ++age;
        }
        if (age > kMost || entry(age).cycle >= to || pulses.is_settled(entry(age).cycle)) {
            return;
        }
        std::size_t oldest = age; // of those that may share a cycle with it or what follows
        while (oldest < kMost && entry(oldest + 1).cycle >= entry(age).cycle) {
            ++oldest;
        }
        for (std::size_t taken = oldest; taken != 0; --taken) {
            pulses.take_back(entry(taken).events, entry(taken).cycle);
        }
        entry(age).cycle = to;
        for (std::size_t later = age - 1; later != 0; --later) {
            entry(later).cycle = std::max(entry(later).cycle, after(later));
        }
        for (std::size_t placed = oldest; placed != 0; --placed) {
            pulses.retire(entry(placed).events, entry(placed).cycle);
            scoreboard.retired_again(placed, entry(placed).cycle);
        }
        const bool shared =
            single_ || entry(1).cycle == entry(2).cycle || entry(1).port == RetirePort::Alone;
        scoreboard.last_again(entry(1).cycle, shared);
    }

    /// See timing_state.h. Retirements before `first` can no longer move.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle first) {
        for (std::size_t age = kMost; age != 0; --age) {
            Retirement& retirement = entry(age);
            archive.cycle(retirement.cycle, first);
            if (retirement.cycle <= first) {
                retirement = {.cycle = first};
                continue;
            }
            for (std::size_t word = 0; word < RetiredMask::kWords; ++word) {
                archive.bits(retirement.events.word(word));
            }
            std::uint64_t rest =
                std::uint64_t{retirement.rd} << 2 | static_cast<std::uint64_t>(retirement.port);
            archive.number(rest);
            retirement.rd = static_cast<RegisterIndex>(rest >> 2);
            retirement.port = static_cast<RetirePort>(rest & 3);
        }
    }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    static constexpr std::size_t kMost = 8;

    struct Retirement {
        RetiredMask events{};
        Cycle cycle = 0;
        RegisterIndex rd = kSinkRegister;
        RetirePort port = RetirePort::Any;
    };

    Retirement& entry(std::size_t age) { return ring_[(count_ - age) % kMost]; }

    /// The first cycle in which the instruction of this age can retire after the older ones.
    Cycle after(std::size_t age) {
        const Retirement& before = entry(age + 1);
        const bool second = age + 2 <= kMost && entry(age + 2).cycle == before.cycle;
        const bool open = entry(age).port == RetirePort::Any && before.port != RetirePort::Alone;
        return before.cycle + (open && !second && !single_ ? 0 : 1);
    }

    std::array<Retirement, kMost> ring_{};
    std::size_t count_ = kMost;
    bool single_;
};

} // namespace pes
