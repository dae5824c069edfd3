// SPDX-License-Identifier: Apache-2.0
// The counting backend: counters by the calls of the SBI's PMU extension, values by CSR. Counters
// have the SBI's logical indices. Values are only ever used as differences: nothing is cleared, so
// the cycle and instret of others go on, and it does not matter that older OpenSBI ignores
// CLEAR_VALUE and cannot stop cycle and instret.
#pragma once

#include "firmware/papi/profile.h"

#include <stdint.h>

namespace pes::papi {

inline constexpr int kNoCounter = -1;

/// What an event needs of its counter.
enum class Need : uint8_t { Count, Interrupt };

class SbiCounters {
  public:
    /// False: no PMU extension, or no counters.
    bool probe();

    unsigned hardware_count() const { return hardware_count_; }
    bool exists(unsigned counter) const { return (present_ >> counter & 1) != 0; }

    /// Takes a counter for the event and leaves it standing, or kNoCounter. `filters`: the
    /// mode-filter flags of config_matching. Only programmable counters can interrupt.
    int configure(const Native& native, uint64_t filters, Need need) const;
    void release(uint64_t counters) const;

    // Sets of counters; bit n is counter n.
    void start(uint64_t counters) const;
    void start_at(int counter, uint64_t value) const;
    void stop(uint64_t counters) const;

    uint64_t value(int counter) const;
    /// The bits that a counter has: differences are modulo this.
    uint64_t bits(int counter) const { return bits_[counter]; }
    bool is_firmware(int counter) const { return (firmware_ >> counter & 1) != 0; }

  private:
    static constexpr unsigned kLimit = 64; // masks of one word

    uint64_t present_ = 0;
    uint64_t firmware_ = 0;
    unsigned hardware_count_ = 0;
    uint64_t bits_[kLimit] = {};
};

} // namespace pes::papi
