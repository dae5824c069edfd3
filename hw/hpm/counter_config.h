// SPDX-License-Identifier: Apache-2.0
// The configuration of a counter bank. The platform validates it; a bank aborts on a value out of
// range.
#pragma once

#include "hw/interface/pmu/profile_cva6.h"

#include <cstdint>

namespace pes {

inline constexpr unsigned kMaxProgrammable = 29; ///< mhpmcounter3..31
inline constexpr unsigned kMinCounterWidth = 32;
inline constexpr unsigned kMaxCounterWidth = 64;

/// The implementation of the counters.
enum class CounterModel : std::uint8_t {
    Tlm,      ///< the model
    Rtl,      ///< the Verilated RTL
    Lockstep, ///< both; the run ends where they differ
};

struct CounterConfig {
    CounterModel kind = CounterModel::Tlm;

    /// Selectors and events. Must outlive the bank.
    const PmuProfile* profile = &kCva6Profile;

    /// Programmable counters, from mhpmcounter3 on, 0..29. The rest of 3..31 reads 0 and ignores
    /// writes, as do their mhpmevent, threshold and mcountinhibit bits.
    unsigned programmable = kCva6Profile.programmable;

    /// Bits of mhpmcounter3.., 32..64; the upper bits read 0. mcycle, minstret and the thresholds
    /// always have 64 bits: a threshold that the counter cannot reach never fires.
    unsigned width = kCva6Profile.width;

    /// A write to any mhpmcounter or mhpmevent (3..31, implemented or not) stops every programmable
    /// counter for that one cycle, because CVA6's counter block has one write strobe for all of
    /// them; the events of the cycle are lost. False: only the written register is affected.
    bool write_freezes = true;

    /// Overflow bit and privilege filters in mhpmevent, scountovf, the overflow interrupt, and the
    /// selectors of cycles and instructions. False: the bits read 0 and the CSR does not exist.
    bool sscofpmf = true;

    /// Privilege filters of mcycle and minstret: mcyclecfg and minstretcfg. False: no such CSRs.
    bool smcntrpmf = true;
};

/// The default configuration of a profile.
constexpr CounterConfig counters_of(const PmuProfile& profile) {
    return {.profile = &profile,
            .programmable = profile.programmable,
            .width = profile.width,
            .write_freezes = profile.write_freezes,
            .sscofpmf = profile.sscofpmf,
            .smcntrpmf = profile.smcntrpmf};
}

/// The sources that a value of mhpmevent selects with these extensions; none: it never counts.
constexpr EventMask sources_of(const CounterConfig& config, uint64_t selector) {
    const uint64_t stored = selector & config.profile->selector_mask;
    return sources_of(*config.profile, stored, config.sscofpmf);
}

/// The row of the event that a selector selects with these extensions, or null.
constexpr const EventRow* find_event_of(const CounterConfig& config, uint64_t selector) {
    const EventRow* row = find_selector(*config.profile, selector & config.profile->selector_mask);
    const bool there = row != nullptr && (config.sscofpmf || row->origin != EventOrigin::Sampling);
    return there ? row : nullptr;
}

} // namespace pes
