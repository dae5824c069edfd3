// SPDX-License-Identifier: Apache-2.0
// Filters and comparators of an encoder as software has set them (Trace Control Interface 1.0,
// "Trace Encoder Filter Registers"). docs/trace-control.md has the rules.
#pragma once

#include "hw/common/archive.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/interface/types.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace pes::trace {

/// What a comparator compares. Values: trTeCompPInput; context and data addresses are absent.
enum class CompareInput : std::uint8_t {
    Address = 0,   ///< of the instruction
    TrapValue = 2, ///< xtval of the last trap
};

/// Values: trTeCompPFunction and trTeCompSFunction.
enum class CompareFunction : std::uint8_t {
    Equal = 0,
    NotEqual = 1,
    Less = 2,
    LessOrEqual = 3,
    Greater = 4,
    GreaterOrEqual = 5,
    Special = 6, ///< primary: false, and primes a latch; secondary: true, and its value is a mask
    Always = 7,
};

/// How the two results of a comparator become one. Values: trTeCompMatchMode.
enum class MatchMode : std::uint8_t {
    Primary = 0,
    Both = 1,
    NotBoth = 2,
    Latch = 3, ///< from an instruction with the primary up to one with the secondary
};

struct Comparison {
    CompareInput input = CompareInput::Address;
    CompareFunction function = CompareFunction::Equal;
    bool notify = false; ///< its matches have their address reported; of addresses only
    std::uint64_t value = 0;

    bool operator==(const Comparison&) const = default;
    void state(Archive& archive) {
        archive.one_of(input, CompareInput::TrapValue);
        archive.one_of(function, CompareFunction::Always);
        archive(notify, value);
    }
};

struct ComparatorSettings {
    Comparison primary;
    Comparison secondary;
    MatchMode mode = MatchMode::Primary;

    bool notifies() const { return primary.notify || secondary.notify; }
    bool operator==(const ComparatorSettings&) const = default;
    void state(Archive& archive) {
        archive(primary, secondary);
        archive.one_of(mode, MatchMode::Latch);
    }
};

/// All that is asked for must match.
struct FilterSettings {
    bool enable = false; ///< else it never matches
    bool by_privilege = false;
    bool by_cause = false;       ///< from a trap to the return from it
    bool by_interrupt = false;   ///< likewise; the trap has to fit both
    std::uint8_t privileges = 0; ///< bit n: mode n
    bool interrupts = false;     ///< else exceptions
    std::uint64_t causes = 0;    ///< bit n: cause n of an interrupt or exception
    struct Ask {
        bool match = false;
        std::uint8_t comparator = 0;

        bool operator==(const Ask&) const = default;
        void state(Archive& archive) {
            archive(match);
            archive.below(comparator, trace_control::comparator::kMost);
        }
    };
    std::array<Ask, trace_control::filter::kComparators> asks{};

    bool operator==(const FilterSettings&) const = default;
    void state(Archive& archive) {
        archive(enable, by_privilege, by_cause, by_interrupt, privileges, interrupts, causes, asks);
    }
};

struct TraceFilters {
    std::uint16_t selected = 0; ///< bit n: filter n selects instructions; 0: all are traced
    std::array<FilterSettings, trace_control::filter::kMost> filters{};
    std::array<ComparatorSettings, trace_control::comparator::kMost> comparators{};

    /// Somebody has to look at the instructions.
    bool on() const {
        return selected != 0 || std::ranges::any_of(comparators, &ComparatorSettings::notifies);
    }

    bool operator==(const TraceFilters&) const = default;
    void state(Archive& archive) { archive(selected, filters, comparators); }
};

} // namespace pes::trace
