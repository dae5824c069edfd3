// SPDX-License-Identifier: Apache-2.0
// Records -> counts. Memory grows with the number of different (event, pc) pairs, that is with the
// size of the program, not with the number of samples.
#pragma once

#include "hw/interface/maps/sample_record.h"
#include "hw/interface/types.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <unordered_map>

namespace pes {

/// Numbers in damaged or foreign records may be of any size.
constexpr std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
    return a + b < a ? ~std::uint64_t{0} : a + b;
}

/// Which kind of counter took a sample; cycle and instret have no event selector.
enum class CounterKind : std::uint8_t { Cycles, Instret, Programmable };

/// What was sampled. Two counters that count the same event are one event here.
struct EventId {
    CounterKind kind = CounterKind::Programmable;
    std::uint64_t selector = 0;

    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 mistakes the defaulted operator
    auto operator<=>(const EventId&) const = default;
};

EventId event_of(const SampleRecord& record);

/// Samples, and the events that they stand for (each sample stands for its threshold).
struct Tally {
    std::uint64_t samples = 0;
    std::uint64_t events = 0;     ///< saturates, because a damaged record can hold any threshold
    std::uint64_t lengthened = 0; ///< samples whose period was longer than was asked for

    void add(const Tally& other);
};

struct CounterTally {
    Tally tally;
    std::uint64_t lowest_threshold = ~std::uint64_t{0};
    std::uint64_t highest_threshold = 0;
};

using AddressTallies = std::unordered_map<Address, Tally>;

struct EventProfile {
    Tally total;
    std::map<std::uint8_t, CounterTally> counters;
    AddressTallies addresses;
    AddressTallies machine; ///< those of `addresses` that were taken in machine mode
};

struct PrivilegeCounts {
    std::uint64_t user = 0;
    std::uint64_t supervisor = 0;
    std::uint64_t machine = 0;
    std::uint64_t other = 0; ///< an encoding that no mode has
};

class SampleProfile {
  public:
    void add(const SampleRecord& record);

    const std::map<EventId, EventProfile>& events() const { return events_; }
    const PrivilegeCounts& privileges() const { return privileges_; }
    std::uint64_t samples() const { return samples_; }
    /// Samples whose period the firmware had lengthened, so that the program could go on.
    std::uint64_t lengthened() const { return lengthened_; }
    /// Records that the guest had to drop, over all harts. A hart that starts sampling anew counts
    /// from zero again; what it had lost before stays in the sum.
    std::uint64_t lost() const { return lost_; }
    /// Cycle stamps of the earliest and the latest sample; meaningless without samples.
    Cycle first_cycle() const { return first_cycle_; }
    Cycle last_cycle() const { return last_cycle_; }

  private:
    void count_privilege(std::uint8_t privilege);
    void count_lost(std::uint32_t hart, std::uint64_t lost);

    std::map<EventId, EventProfile> events_;
    PrivilegeCounts privileges_;
    std::unordered_map<std::uint32_t, std::uint64_t> lost_by_hart_;
    std::uint64_t samples_ = 0;
    std::uint64_t lengthened_ = 0;
    std::uint64_t lost_ = 0;
    Cycle first_cycle_ = kNever;
    Cycle last_cycle_ = 0;
};

} // namespace pes
