// SPDX-License-Identifier: Apache-2.0
// The pins of a counter bank that do not come from the hart's pulses: pc, mode and events of the
// instruction that retires on each port. They come from the retirement stream, which is a few
// cycles ahead of the counters and waits here.
#pragma once

#include "hw/common/retirement.h"
#include "hw/hpm/invariant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// The retirements of one cycle, in program order.
struct RetiredPair {
    struct Port {
        Address pc = 0;
        EventMask
            events{}; ///< of the cycle's pulses, those of this retirement; 0 if nothing retires
        Privilege privilege = Privilege::Machine;
        RetireClass kind = RetireClass::None;
        std::uint8_t written = 0;           ///< register, as in Retirement
        void state(class Archive& archive); ///< of a checkpoint
    };
    std::array<Port, 2> ports{};
    unsigned count = 0;

    /// The youngest; only if something retires.
    const Port& youngest() const { return ports[count - 1]; }
};

class RetirementPorts final : public HartObserver {
  public:
    void retired(const Retirement& retirement) override {
        waiting_[arrived_++ % kWaiting] = {retirement.pc, retirement.events, retirement.privilege,
                                           retirement.kind, retirement.written};
    }

    /// The next `count` retirements, for a cycle with these pulses. The stream and the pulses have
    /// the same order; the pulses determine the cycle in which a retirement counts. Returns fewer
    /// if the stream began later.
    RetiredPair deliver(unsigned count, EventMask pulses) {
        require(arrived_ - delivered_ <= kWaiting,
                "counter bank: instructions retire and no cycle passes", arrived_);
        RetiredPair pair;
        for (; pair.count < count && delivered_ != arrived_; ++pair.count) {
            RetiredPair::Port& port = pair.ports[pair.count];
            port = waiting_[delivered_++ % kWaiting];
            port.events &= pulses;
        }
        return pair;
    }

    /// `count` retirements of a span that was not delivered in single cycles, as a pair of which
    /// only the youngest is valid.
    RetiredPair pass(std::uint64_t count) {
        const std::uint64_t passed = std::min(count, arrived_ - delivered_);
        if (passed == 0) {
            return {};
        }
        delivered_ += passed - 1;
        return deliver(1, {});
    }

    /// Drops what waits.
    void clear() { delivered_ = arrived_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// More than the hart can retire before it hands over single cycles: 512 cycles, two ports, and
    /// the instructions in flight.
    static constexpr std::size_t kWaiting = 4096;

    std::array<RetiredPair::Port, kWaiting> waiting_{};
    std::uint64_t arrived_ = 0;
    std::uint64_t delivered_ = 0;
};

} // namespace pes
