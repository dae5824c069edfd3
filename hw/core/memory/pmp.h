// SPDX-License-Identifier: Apache-2.0
// Physical memory protection: up to 64 entries, a granularity of 2^(G+2) bytes, modes OFF, TOR, NA4
// (G = 0) and NAPOT, lock bits. Source: privileged specification 1.12, section 3.7.
#pragma once

#include "hw/interface/types.h"

#include <array>
#include <cstdint>

namespace pes {

/// Kind of a memory access, for protection, translation and the cause of a fault.
enum class Access : std::uint8_t { Fetch, Load, Store };

/// Whether NAPOT is a mode; if not, entries keep the mode that they have.
enum class PmpNapot : std::uint8_t { Absent, Present };

class Pmp {
  public:
    static constexpr unsigned kMaxEntries = 64;

    /// Entries beyond `entries` read as zero and ignore writes. `granularity` is a power of two
    /// from 4 bytes on.
    explicit Pmp(unsigned entries, unsigned granularity = 4, PmpNapot napot = PmpNapot::Present)
        : entries_(entries), below_grain_(granularity / 4 - 1), napot_(napot) {}

    unsigned entries() const { return entries_; }

    /// `index` of pmpcfg: even on RV64, eight entries each.
    std::uint64_t read_config(unsigned index) const;
    void write_config(unsigned index, std::uint64_t value);
    std::uint64_t read_address(unsigned entry) const;
    void write_address(unsigned entry, std::uint64_t value);

    /// True if an access to [address, address + size) is allowed. An access that an entry matches
    /// only in part fails in every mode, locked or not, as the specification requires (3.7.1).
    bool allows(Address address, unsigned size, Access access, Privilege privilege) const;

    /// True if all accesses to the 4 KiB page of `address` are treated alike, so that the answer
    /// for one byte holds for the page.
    bool uniform_in_page(Address address) const;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    struct Range {
        Address first, last; ///< inclusive; first > last = matches nothing
    };
    void update_ranges();
    bool locked(unsigned entry) const;

    unsigned entries_;
    std::uint64_t below_grain_; ///< bits G-1:0 of an address register
    PmpNapot napot_;
    std::array<std::uint8_t, kMaxEntries> config_{};
    std::array<std::uint64_t, kMaxEntries> address_{};
    std::array<Range, kMaxEntries> range_{};
    unsigned active_ = 0; ///< entries up to the last one that is not OFF
};

} // namespace pes
