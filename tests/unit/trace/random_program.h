// SPDX-License-Identifier: Apache-2.0
// A random program of functions, and a random walk through it: what a hart would have retired.
#pragma once

#include "hw/common/retirement.h"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

namespace pes::trace::test {

struct Step {
    bool trap = false;
    Retirement retirement{}; ///< if it is none
    TrapTaken taken{};       ///< if it is one

    Cycle cycle() const { return trap ? taken.cycle : retirement.cycle; }
    /// Of the instruction; inverted: a trap there.
    Address place() const { return trap ? ~taken.epc : retirement.pc; }
    void tell(HartObserver& observer) const {
        if (trap) {
            observer.trapped(taken);
        } else {
            observer.retired(retirement);
        }
    }
};

inline std::vector<Address> places_of(const std::vector<Step>& steps) {
    std::vector<Address> places(steps.size());
    std::ranges::transform(steps, places.begin(), &Step::place);
    return places;
}

class RandomProgram {
  public:
    explicit RandomProgram(std::uint64_t seed);

    /// The instruction words by address.
    const std::map<Address, std::uint32_t>& code() const { return code_; }

    /// Walks through so many instructions and traps, one each cycle or two, or at once.
    std::vector<Step> walk(std::size_t count);

  private:
    struct Frame {
        Address address;
        Privilege privilege;
        bool trap; ///< left with mret
    };

    std::uint64_t pick(std::uint64_t below) { return random_() % below; }
    bool chance(unsigned percent) { return pick(100) < percent; }
    void add_function(Address start);
    void add(std::uint32_t raw);
    std::uint32_t plain();
    Address next_of(Address pc, std::uint32_t raw);
    Address leave(bool trap);
    void take_trap(std::vector<Step>& steps);
    Cycle tick() { return cycle_ += pick(3); }

    std::mt19937_64 random_;
    std::map<Address, std::uint32_t> code_;
    std::vector<Address> functions_;
    std::vector<Address> places_; ///< all instructions
    Address end_ = 0;             ///< where add() puts the next
    std::vector<Frame> frames_;
    Address pc_ = 0;
    Privilege privilege_ = Privilege::Machine;
    std::uint64_t traps_ = 0; ///< of a thousand steps
    unsigned loop_ = 0;       ///< branches in a row that do the same
    bool taken_ = false;
    Cycle cycle_ = 1;
};

} // namespace pes::trace::test
