// SPDX-License-Identifier: Apache-2.0
// What the programmable counters of this machine can count, and with which selectors: the rows of
// the device tree's node `riscv,pmu`, read as OpenSBI reads them (its docs/pmu_support.md).
// Freestanding; the tree is copied, since it lies in memory of the supervisor.
#pragma once

#include "firmware/lib/flat_tree.h"
#include "hw/interface/pmu/profile.h"

#include <stdint.h>

namespace pes {

class PmuMap {
  public:
    /// Bit n = counter n; 0: the event cannot be counted.
    struct Choice {
        uint32_t counters = 0;
        uint64_t selector = 0;
    };

    /// Rows of the tree; rows past the room here are left out. False: a row has been left out.
    bool read(const FlatTree& tree);

    /// The rows of a table, on every counter. `sampling`: with EventOrigin::Sampling.
    void read(const PmuProfile& profile, bool sampling);

    /// For an event of type general or cache.
    Choice find(uint32_t event) const;

    /// The counters that take this raw selector.
    uint32_t raw_counters(uint64_t selector) const;

    static constexpr unsigned kMostRows = kMostPmuRows; ///< of each kind

  private:
    struct Range {
        uint32_t first;
        uint32_t last;
        uint32_t counters;
    };
    struct Raw {
        uint64_t select;
        uint64_t mask;
        uint32_t counters;
    };

    void clear();
    bool add(const Range& range);
    bool add(const SbiEventRow& selector);
    bool add(const Raw& raw);

    unsigned range_count_ = 0;
    unsigned selector_count_ = 0;
    unsigned raw_count_ = 0;
    Range ranges_[kMostRows];
    SbiEventRow selectors_[kMostRows];
    Raw raws_[kMostRows];
};

} // namespace pes
