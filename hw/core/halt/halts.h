// SPDX-License-Identifier: Apache-2.0
// Where a hart stands still for a debugger: before the instructions at some addresses, behind an
// instruction that accesses watched memory, behind a step. None of it is state of the guest, and no
// cycle depends on it: a hart that stands still only waits for the host.
//
// Addresses are virtual ones of whatever address space the hart is in. Blocks of the fast path end
// before a breakpoint (blocks/block_source.h); while something is watched, the tables of known
// pages stay empty, so that every access asks here (memory/data_memory.h).
#pragma once

#include "hw/core/halt/debugger.h"
#include "hw/core/memory/pmp.h"
#include "hw/interface/types.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pes {

/// Memory that is watched, first to last byte.
struct Watch {
    Address first = 0;
    Address last = 0;
    bool loads = false;
    bool stores = false;

    bool operator==(const Watch&) const = default;
};

/// What a debugger wants a hart to do when it goes on.
struct HaltOrders {
    std::vector<Address> breakpoints{}; ///< in ascending order
    std::vector<Watch> watches{};
    /// Stands still behind the first instruction or trap that leaves [first, second) or begins
    /// outside; an empty range is one step.
    std::optional<std::pair<Address, Address>> step_through{};
};

class Halts {
  public:
    /// How far the hart has come: instructions and traps.
    struct Place {
        Address pc;
        std::uint64_t passed;
    };

    // --- For the debugger, while the hart stands still ---------------------------------------

    void follow(const HaltOrders& orders, std::uint64_t passed);
    /// The debugger has written to memory or moved the pc.
    void code_changed() { changed_code_ = asked_ = true; }
    void moved() { told_at_.reset(); }
    /// Stands still behind the instruction or trap with this number, once; until then the hart
    /// steps. Apart from follow().
    void stand_still_at(std::optional<std::uint64_t> passed) {
        count_ = passed;
        renew();
    }

    // --- For the hart ------------------------------------------------------------------------

    /// False: nothing below needs to be asked.
    bool asked() const { return asked_; }
    bool take_changed_code();
    /// Behind an instruction, whether the hart sleeps then or not.
    std::optional<Halt> behind(const Place& place);
    /// Before the instruction at this place.
    std::optional<Halt> before(const Place& place);
    bool steps() const { return step_ || count_; }

    bool watching() const { return !watches_.empty(); }
    /// Something is watched in the page of this address: an access to it must be stepped.
    bool near(Address address) const;
    /// An instruction has made this access.
    void accessed(Address address, unsigned size, Access access);

    /// A block must not contain this address but as its first one, and none may begin there.
    bool breaks_at(Address pc) const;
    const std::vector<Address>& breakpoints() const { return breakpoints_; }

  private:
    std::optional<Halt> counted(const Place& place);
    void renew() {
        asked_ =
            changed_code_ || step_ || count_ || hit_ || !breakpoints_.empty() || !watches_.empty();
    }

    std::vector<Address> breakpoints_;
    std::vector<Watch> watches_;
    struct Step {
        Address first;
        Address end;
        std::uint64_t from; ///< where the hart was
    };
    std::optional<Step> step_;
    std::optional<std::uint64_t> count_;
    std::optional<Halt> hit_;              ///< of a watch, not told yet
    std::optional<std::uint64_t> told_at_; ///< where the hart stood still last
    bool changed_code_ = false;
    bool asked_ = false;
};

} // namespace pes
