// SPDX-License-Identifier: Apache-2.0
// The state of the modelled bank, without its connections. A copy of it can count on its
// own.
#pragma once

#include "hw/common/event.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/privilege_track.h"
#include "hw/interface/pmu/counter_csr.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace pes {

struct TlmBankState {
    /// Index into totals_: an Event, the sources of the fixed counters, and then the union of
    /// several events for programmable counter 3, 4, ...
    using Source = std::uint8_t;
    static constexpr Source kNoSource = static_cast<Source>(Event::None); // its total stays 0
    static constexpr auto kRetiredSource = static_cast<Source>(Event::Instructions);
    static constexpr auto kCycleSource = static_cast<Source>(Event::Cycles);
    static constexpr Source kFirstUnion = pes::kSourceCount;
    static constexpr std::size_t kTotalCount = kFirstUnion + kMaxProgrammable;
    static_assert(kCycleSource < kFirstUnion && kRetiredSource < kFirstUnion);

    struct Counter {
        std::uint64_t base = 0;
        std::uint64_t total_at_base = 0;
        std::uint64_t threshold = 0;             ///< 0 = comparator off
        std::uint64_t selector = 0;              ///< mhpmevent without OF; mcyclecfg, minstretcfg
        std::uint64_t limit = ~std::uint64_t{0}; ///< largest value
        Source source = kNoSource;               ///< kNoSource while it does not count
        Source selected = kNoSource;             ///< what it counts when not inhibited
        EventMask sources{};                     ///< of a union
    };

    struct PendingWrite {
        CounterCsr target;
        std::uint64_t value;
    };

    Cycle now_ = 0;
    Cycle quiet_until_ = 0; ///< counting changes no line up to this cycle
    std::array<std::uint64_t, kTotalCount> totals_{};
    std::array<Counter, kCounterLimit> counters_{};
    std::uint32_t implemented_ = 0; ///< bit n = counter n exists
    std::uint32_t armed_ = 0;       ///< bit n = threshold of counter n is not 0
    std::uint32_t inhibit_ = 0;     ///< mcountinhibit
    std::uint32_t overflowed_ = 0;  ///< scountovf: bit n = OF of counter n
    std::uint32_t requesting_ = 0;  ///< bit n = counter n has an event and OF = 0
    std::uint32_t filtered_ = 0;    ///< bit n = counter n has a privilege filter
    std::uint32_t unions_ = 0;      ///< bit n = counter n counts several sources and runs
    PrivilegeTrack privilege_;      ///< valid as long as a filter uses it
    bool debug_ = false;
    std::uint32_t told_ = 0; ///< bit n = the crossing of counter n was reported

    std::uint64_t buffer_base_ = 0;
    std::uint64_t buffer_size_ = 0;
    std::uint64_t buffer_offset_ = 0;
    std::uint64_t buffer_control_ = 0;

    std::optional<PendingWrite> pending_;

    void state(class Archive& archive); ///< of a checkpoint
};

} // namespace pes
