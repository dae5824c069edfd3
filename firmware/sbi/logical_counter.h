// SPDX-License-Identifier: Apache-2.0
// The counters as the PMU extension numbers them, of the calling hart: index n below the first
// firmware counter is the hardware counter with CSR 0xC00 + n, then come the firmware counters.
#pragma once

#include "firmware/sbi/counters.h"
#include "firmware/sbi/firmware_counters.h"

#include <stdint.h>

namespace pes {

inline constexpr uint64_t kFixedCounters = 1U << kCycleIndex | 1U << kInstretIndex;

inline uint64_t first_firmware_counter() {
    return counters().limit();
}
inline uint64_t logical_counter_count() {
    return first_firmware_counter() + kFirmwareCounterCount;
}
inline uint64_t firmware_counter_mask() {
    return ((uint64_t{1} << kFirmwareCounterCount) - 1) << first_firmware_counter();
}
inline bool logical_counter_exists(uint64_t n) {
    return n < logical_counter_count() &&
           ((counters().present() | firmware_counter_mask()) >> n & 1) != 0;
}

/// A counter that exists.
class LogicalCounter {
  public:
    explicit LogicalCounter(uint64_t n)
        : firmware_(n >= first_firmware_counter()),
          index_(static_cast<unsigned>(firmware_ ? n - first_firmware_counter() : n)) {}

    bool is_firmware() const { return firmware_; }
    bool free() const;       ///< nobody has it
    bool configured() const; ///< the PMU extension has it
    bool running() const;
    uint64_t value() const;
    bool overflowed() const; ///< since it was started

    /// Takes it for the event; it stands still. `filters`: INH bits as in mhpmevent.
    void configure(uint64_t selector, uint64_t filters);
    void set_value(uint64_t value);
    void run();
    void hold();
    /// Nobody has it any more. An unconfigured cycle or instret runs free, any other stands still.
    void release();

  private:
    bool firmware_;
    unsigned index_; ///< among its kind
};

/// A set of counters: base + i for every bit i of mask. A hole inside is left out; a set without
/// any counter, or with a member past the last one, is not valid.
struct CounterSet {
    bool valid = false;
    uint64_t members = 0;
};
CounterSet counter_set(uint64_t base, uint64_t mask);

/// Those of them that have an event.
uint64_t configured_counters(uint64_t members);

} // namespace pes
