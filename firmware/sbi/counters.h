// SPDX-License-Identifier: Apache-2.0
// The hart's counters as the firmware hands them out: which exist, who has them, and access by
// index. Index n is the SBI's logical index and the CSR 0xB00 + n: 0 = cycle, 2 = instret,
// 3.. = mhpmcounterN; 1 is a hole (`time`).
#pragma once

#include "firmware/boot/machine_local.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform.h"

#include <stdint.h>

namespace pes {

enum class CounterOwner : uint8_t { None, Pmu, Sampler };

class Counters {
  public:
    /// Finds the counters that exist and brings them to their initial state: cycle and instret
    /// run, the others are 0, select nothing and stand still.
    void probe();

    /// Bit n: counter n exists.
    uint32_t present() const { return present_; }
    bool exists(unsigned n) const { return n < kCounterLimit && (present_ >> n & 1) != 0; }

    /// One past the highest counter; 0 if there is none.
    unsigned limit() const {
        return present_ == 0 ? 0 : 32 - static_cast<unsigned>(__builtin_clz(present_));
    }

    /// Sscofpmf: programmable counters have mode filters and an overflow bit that interrupts.
    bool has_overflow() const { return has_overflow_; }

    /// The hart itself stops counter n in the modes that set_event() names.
    bool has_filters(unsigned n) const {
        return n < kFirstProgrammable ? has_fixed_filters_ : has_overflow_;
    }

    /// Bits that counter n stores.
    unsigned width(unsigned n) const { return n < kFirstProgrammable ? 64 : width_; }

    /// The greatest value that counter n holds.
    uint64_t largest(unsigned n) const { return ~uint64_t{0} >> (64 - width(n)); }

    CounterOwner owner(unsigned n) const { return owner_[n]; }
    void set_owner(unsigned n, CounterOwner owner) { owner_[n] = owner; }

    // `n` must exist.
    uint64_t value(unsigned n) const;
    void set_value(unsigned n, uint64_t value);
    /// `filters`: INH bits of mhpmevent, for the modes that do not count. Those of cycle and
    /// instret are in registers of their own (Smcntrpmf). What the hart does not have has no
    /// effect.
    void set_event(unsigned n, uint64_t selector, uint64_t filters = 0);
    bool overflowed(unsigned n) const; ///< the counter has wrapped and said so once
    void clear_overflow(unsigned n);   ///< the next wrap interrupts
    uint64_t event(unsigned n) const;  ///< its selector; 0 for cycle and instret
    void set_threshold(unsigned n, uint64_t threshold);
    uint64_t threshold(unsigned n) const;
    bool running(unsigned n) const;
    void run(uint32_t mask);
    void hold(uint32_t mask);

  private:
    uint32_t present_ = 0;
    unsigned width_ = 64; ///< of every programmable counter
    bool has_overflow_ = false;
    bool has_fixed_filters_ = false; ///< Smcntrpmf
    CounterOwner owner_[kCounterLimit] = {};
};

extern Counters counters_of_harts[PES_MAX_HARTS];

/// Of the hart that asks.
inline Counters& counters() {
    return counters_of_harts[hart_id()];
}

/// Calls `visit(n)` for each set bit of `mask`, lowest first.
template <typename Visit>
void for_each_counter(uint64_t mask, Visit visit) {
    for (unsigned n = 0; n < 64 && mask >> n != 0; ++n) {
        if ((mask >> n & 1) != 0) {
            visit(n);
        }
    }
}

} // namespace pes
