// SPDX-License-Identifier: Apache-2.0
// Notices a guest that goes round in a small loop for long, without a trap or an access to a
// device. The run is looked at every few million cycles, which costs nothing.
#pragma once

#include "hw/core/arch/arch_state.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>

namespace pes {

class NoProgress {
  public:
    /// Under a firmware any such loop is told: an operating system never computes for so long
    /// without an interrupt, and one that has failed may wait with its timer not set up yet. A
    /// program alone may compute or wait, so there the registers must repeat and interrupts be off.
    enum class Guest : std::uint8_t { Program, UnderFirmware };

    static constexpr Cycle kLong = 1'000'000'000;
    static constexpr std::size_t kFew = 16; ///< pieces of 64 bytes of code; sets of registers

    explicit NoProgress(Guest guest) : guest_(guest) {}

    /// A hart that is not asleep, at `now`.
    struct Look {
        unsigned hart = 0;
        Cycle now = 0;
        Address pc = 0;
        std::uint64_t happened = 0;    ///< traps and accesses to devices so far
        bool takes_interrupts = false; ///< of any kind
        std::uint64_t registers = 0;   ///< a hash of them
    };
    static Look look_of(unsigned hart, Cycle now, const ArchState& state, std::uint64_t happened);

    /// The first of these harts if none of them makes progress, once for each time that they are
    /// stuck; else nothing.
    struct Stuck {
        unsigned hart = 0;
        Address pc = 0;
        Cycle cycles = 0;
        bool interrupts_off = false; ///< on all harts at this look
    };
    std::optional<Stuck> look(std::span<const Look> harts);

  private:
    void start_again(Cycle now, std::uint64_t happened);

    const Guest guest_;
    Cycle since_ = 0;
    std::uint64_t happened_ = 0; ///< on all harts
    bool told_ = false;
    std::set<Address> code_;
    std::set<std::uint64_t> registers_; ///< by hash
};

} // namespace pes
