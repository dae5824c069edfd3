// SPDX-License-Identifier: Apache-2.0
// What a run has seen of the counters: in how many cycles each counter counted, wrapped, was
// written while its event pulsed, and so on. A lockstep run without a difference says little about
// what it never did. Counters with the registers of RegisterSet::Hpm only.
//
// The points have the names and the meaning of the cover properties in hw/hpm/rtl; those that the
// RTL cannot know (what software reads, which event it was) are here alone. docs/rtl-counters.md
// lists them.
#pragma once

#include "hw/hpm/counter_config.h"
#include "hw/hpm/model_bank.h"
#include "hw/hpm/rtl_model.h"
#include "hw/interface/pmu/counter_csr.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pes {

class CounterCoverage {
  public:
    struct Row {
        const char* kind;       ///< "counter", "event" or "block"
        std::string name;       ///< "mhpmcounter3", "load"
        const char* point;      ///< "counted"
        std::uint64_t hits = 0; ///< cycles
    };
    struct Seen {
        std::size_t points = 0; ///< with a hit
        std::size_t of = 0;
    };

    explicit CounterCoverage(const CounterConfig& config);

    /// Software reads the register in the cycle that comes.
    void read(std::uint16_t csr) { reads_ |= bit_of(csr); }
    /// Before `bank` counts the cycle with these pins.
    void before(const ModelBank& bank, const RtlModel::Inputs& inputs);
    /// Behind it.
    void after(const ModelBank& bank, const RtlModel::Inputs& inputs, std::uint32_t reached);

    /// Every point that this configuration can reach; empty for other registers.
    std::vector<Row> rows() const;
    Seen seen() const;

    void reset();                       ///< of the counters: what has been seen stays
    void state(class Archive& archive); ///< of a checkpoint

  private:
    enum Point : std::uint8_t {
        Counted,
        Wrapped,
        OverflowRequested,
        OverflowSilent,
        Inhibited,
        Frozen,
        HiddenUser,
        HiddenSupervisor,
        HiddenMachine,
        Written,
        WrittenOnPulse,
        SelectorWritten,
        OfSet,
        OfCleared,
        UserFilterSet,
        SupervisorFilterSet,
        MachineFilterSet,
        ThresholdWritten,
        ThresholdRises,
        ThresholdFalls,
        Read,
        ReadOnPulse,
        PointCount,
    };
    enum EventPoint : std::uint8_t { Pulsed, EventCounted, EventWrapped, EventPointCount };
    enum BlockPoint : std::uint8_t { InhibitWritten, BufferWritten, TwoRetired, BlockPointCount };

    static constexpr std::array<const char*, PointCount> kPoints{"counted",
                                                                 "wrapped",
                                                                 "overflow-requested",
                                                                 "overflow-silent",
                                                                 "inhibited",
                                                                 "frozen",
                                                                 "hidden-user",
                                                                 "hidden-supervisor",
                                                                 "hidden-machine",
                                                                 "written",
                                                                 "written-on-pulse",
                                                                 "selector-written",
                                                                 "of-set",
                                                                 "of-cleared",
                                                                 "user-filter-set",
                                                                 "supervisor-filter-set",
                                                                 "machine-filter-set",
                                                                 "threshold-written",
                                                                 "threshold-rises",
                                                                 "threshold-falls",
                                                                 "read",
                                                                 "read-on-pulse"};
    static constexpr std::array<const char*, EventPointCount> kEventPoints{"pulsed", "counted",
                                                                           "wrapped"};
    static constexpr std::array<const char*, BlockPointCount> kBlockPoints{
        "inhibit-written", "buffer-written", "two-retired"};

    /// What a counter is set to, as its CSRs say.
    struct Counter {
        EventMask sources{};
        std::uint64_t selector = 0; ///< with filters and, at the last look, OF
        std::array<std::uint64_t, PointCount> hits{};
    };

    static std::uint32_t bit_of(std::uint16_t csr);
    bool exists(unsigned index) const;
    bool applies(unsigned index, Point point) const;
    void look(const ModelBank& bank, unsigned index);
    void count(const ModelBank& bank, unsigned index, const RtlModel::Inputs& inputs);
    void write(const ModelBank& bank, const RtlModel::Inputs& inputs);
    void hit_events(const EventMask& pulsing, EventPoint point);

    const CounterConfig* config_;
    std::array<Counter, kCounterLimit> counters_{};
    std::array<std::array<std::uint64_t, EventPointCount>, kSourceCount> events_{}; ///< by source
    std::array<std::uint64_t, BlockPointCount> block_{};
    static constexpr std::uint32_t kFixed = 1U << kCycleIndex | 1U << kInstretIndex;
    std::uint32_t selecting_ = kFixed; ///< counters that count some event
    std::uint32_t inhibit_ = 0;
    std::uint32_t reads_ = 0;                ///< counters that software reads in this cycle
    std::uint32_t reached_ = 0, before_ = 0; ///< comparators of this cycle and the last one
};

} // namespace pes
