// SPDX-License-Identifier: Apache-2.0
// The page walker, and who asks the TLBs when.
//
// A miss of the data TLB goes before one of the instruction TLB: a fetch waits while a load or
// store asks the data TLB. What the walker finds goes to the side that asks in the cycle before it
// does, so a fetch whose walk ends while a load or store asks has nothing of it, and begins anew.
// [core/cva6_mmu/cva6_shared_tlb.sv, cva6_ptw.sv]
#pragma once

#include "hw/core/timing/memory/data_cache.h"
#include "hw/core/timing/memory_access.h"
#include "hw/core/timing/pulses/pulse_log.h"
#include "hw/core/timing/tables/tables.h"
#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {

class PageWalker {
  public:
    PageWalker(const TimingConfig& config, PulseLog& pulses, DataCache& data_cache, Tables& tables);

    /// The walk of a load or store that starts in `start`; returns the first cycle in which its
    /// access is made again. By value: `ahead` may have the MMU make another one.
    Cycle walk(PageWalk walk, Cycle start, CodeAhead& ahead);

    /// The walk of a fetch that is looked up in `lookup`; returns the first cycle in which its word
    /// is looked up again. Entries that are not read by `flush` are not read.
    Cycle walk_fetch(const PageWalk& walk, Cycle lookup, Cycle flush = kNever);

    /// A load or store asks the data TLB in the cycles `first` to `last`.
    void data_tlb_asked(Cycle first, Cycle last) {
        if (first <= asked_[0].last + 1 && first >= asked_[0].first) {
            asked_[0].last = last > asked_[0].last ? last : asked_[0].last;
        } else if (first <= last) {
            asked_ = {Asked{.first = first, .last = last}, asked_[0], asked_[1], asked_[2]};
        }
    }

    /// A load reads L1D in `cycle`, and asks for the same port in the next.
    void load_reads(Cycle cycle) {
        load_reads_ = {cycle, load_reads_[0], load_reads_[1], load_reads_[2]};
    }

    /// See timing_state.h. `lookup`: no word is looked up before. `translates`: words can miss the
    /// instruction TLB.
    template <typename Archive>
    void relative_state(Archive& archive, Cycle lookup, bool translates) {
        archive.flag(translates);
        if (!translates) {
            asked_ = {};
            load_reads_ = {};
            return;
        }
        for (Asked& asked : asked_) {
            archive.cycle(asked.last, lookup - 1);
            if (asked.last >= lookup) {
                archive.cycle(asked.first, lookup);
            } else {
                asked = {};
            }
        }
        for (Cycle& read : load_reads_) {
            archive.cycle(read, lookup - 1);
        }
    }
    void state(class Archive& archive); ///< of a checkpoint

  private:
    struct Asked {
        Cycle first = 1, last = 0;
    };

    bool is_data_tlb_asked(Cycle cycle) const;
    Cycle first_unasked(Cycle cycle, Cycle end) const;
    Cycle first_read(Cycle start) const;
    Cycle behind(const CodeAhead::FetchWalk& fetch, Cycle start);
    Cycle port_free(Cycle cycle) const;
    Cycle read_entry(Address entry, Cycle cycle, CodeAhead* ahead);

    std::array<Asked, 4> asked_{};      ///< the latest first
    std::array<Cycle, 4> load_reads_{}; ///< likewise
    Tables& tables_;
    PulseLog& pulses_;
    DataCache& data_cache_;
    Cycle walk_setup_cycles_;
    Cycle walk_read_cycles_;
    Cycle miss_cycles_;
    Cycle walk_write_cycles_; ///< write of the entry, as a store without others before it
};

} // namespace pes
