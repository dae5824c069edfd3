// SPDX-License-Identifier: Apache-2.0
// The pins that a counter bank does not get from the hart's pulses: pc, mode and events of what
// retires on each port. They come from the retirement stream, which is ahead of the counters by a
// few cycles and waits here.
#pragma once

#include "hw/common/retirement.h"
#include "hw/hpm/invariant.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

/// What retires in one cycle, ports in program order.
struct RetiredPair {
    struct Port {
        Address pc = 0;
        EventMask
            events{}; ///< of the cycle's pulses, those of this retirement; 0 if nothing retires
        Privilege privilege = Privilege::Machine;
    };
    std::array<Port, 2> ports{};
    unsigned count = 0;

    /// The youngest; only if something retires.
    const Port& youngest() const { return ports[count - 1]; }
};

class RetirementPorts final : public HartObserver {
  public:
    void retired(const Retirement& retirement) override {
        waiting_[arrived_++ % kWaiting] = {retirement.pc, retirement.events, retirement.privilege};
    }

    /// The next `count`, which retire in a cycle with these pulses. The stream and the pulses are
    /// in the same order; which cycle a retirement counts in is for the pulses to say. Fewer if the
    /// stream began later.
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

    /// `count` retirements of a span that was not observed one by one, as a pair of which only the
    /// youngest is known.
    RetiredPair pass(std::uint64_t count) {
        const std::uint64_t passed = std::min(count, arrived_ - delivered_);
        if (passed == 0) {
            return {};
        }
        delivered_ += passed - 1;
        return deliver(1, {});
    }

    /// Nothing waits any more.
    void clear() { delivered_ = arrived_; }

  private:
    /// More than the hart can retire before it hands over single cycles: 512 cycles, two ports, and
    /// what is in flight.
    static constexpr std::size_t kWaiting = 4096;

    std::array<RetiredPair::Port, kWaiting> waiting_{};
    std::uint64_t arrived_ = 0;
    std::uint64_t delivered_ = 0;
};

} // namespace pes
