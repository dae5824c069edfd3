// SPDX-License-Identifier: Apache-2.0
// The latest traps of a hart and the instructions before them, to report why the guest failed.
#pragma once

#include "hw/common/retirement.h"
#include "hw/interface/types.h"

#include <array>
#include <cstdint>
#include <vector>

namespace pes {

/// The trap whose handler cannot run and the instructions before it.
struct TrapReport {
    std::uint64_t cause = 0;
    Address pc = 0;
    std::uint64_t tval = 0;
    Privilege privilege = Privilege::Machine;
    Address handler = 0;                    ///< where the trap went
    std::uint64_t handler_cause = 0;        ///< of the exception of the handler's first instruction
    std::vector<Address> last_instructions; ///< oldest first
};

class TrapHistory {
  public:
    /// `count` consecutive instructions from `pc` on have retired; bit n of `long_instructions`:
    /// instruction n has 4 bytes.
    void passed(Address pc, std::uint32_t count, std::uint32_t long_instructions) {
        passages_[total_++ % kPassages] = {pc, count, long_instructions};
    }
    /// The hart behind a trap.
    struct Situation {
        std::uint64_t retired = 0;  ///< instructions so far
        bool interruptible = false; ///< an interrupt may come in the handler, now or later
    };
    void trapped(const TrapTaken& trap, const Situation& hart);

    struct Passage {
        Address pc = 0;
        std::uint32_t count = 0;
        std::uint32_t long_instructions = 0;
    };
    static constexpr unsigned kPassages = 16;
    /// For native code: what passed() writes.
    struct Parts {
        Passage* passages; ///< a ring of kPassages
        std::uint64_t* total;
    };
    Parts parts() { return {.passages = passages_.data(), .total = &total_}; }

    std::uint64_t traps() const { return traps_; }
    /// True if the last trap was an exception on the first instruction of the handler, in the
    /// handler's mode, with nothing retired since the previous trap: it repeats until an interrupt
    /// comes.
    bool loops() const { return loops_; }
    /// It repeats for ever.
    bool loops_for_ever() const { return loops_ && !interruptible_; }
    /// The report of the trap that led to the loop.
    TrapReport report() const;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    std::uint64_t traps_ = 0;
    Address last_vector_ = kNever;
    std::uint64_t retired_at_trap_ = kNever;
    bool loops_ = false;
    bool interruptible_ = false;
    TrapTaken last_{}; ///< the one before the handler's own, once loops_ is set
    std::uint64_t handler_cause_ = 0;
    std::array<Passage, kPassages> passages_{};
    std::uint64_t total_ = 0; ///< calls of passed() so far
};

} // namespace pes
