// SPDX-License-Identifier: Apache-2.0
// What a PMU profile is: an event table and the shape of its counters, as data. Freestanding: the
// model, the firmware, the waveform names and the documentation all read the same table.
#pragma once

#include "hw/interface/pmu/pulse_sources.h"

#include <stddef.h>
#include <stdint.h>

namespace pes {

/// Who has an event.
enum class EventOrigin : uint8_t {
    Core,     ///< the core itself
    Sampling, ///< an extension of ours, there with Sscofpmf: what mcycle and minstret count, in a
              ///< counter that has an overflow interrupt
};

/// One row of an event table.
struct EventRow {
    uint64_t selector; ///< value of mhpmeventN that selects the event
    const char* name;  ///< identifier: command line, CSV columns, waveforms
    const char* title; ///< a few words for tables
    Event source;      ///< the pulse of the hart that feeds it
    /// One sentence: exactly what is counted, where the source's own does not say it.
    const char* own_meaning = nullptr;
    EventOrigin origin = EventOrigin::Core;

    constexpr const char* meaning() const {
        return own_meaning != nullptr ? own_meaning : source_row(source).meaning;
    }
    constexpr EventClass kind() const { return source_row(source).kind; }
};

/// How a selector says what a counter counts.
enum class SelectorKind : uint8_t {
    Number,    ///< an event has a number
    ClassMask, ///< class in bits 7:0, from bit 8 on one bit an event of that class; several are
               ///< ORed
};

/// Which CSRs reach the counters.
enum class RegisterSet : uint8_t {
    Hpm,        ///< mcycle, minstret, mhpmcounterN, mhpmeventN: the privileged architecture's
    Pcer,       ///< PCMR, PCER, PCCR0..31: a counter an event, none of the CSRs above
    PcerShared, ///< the same registers in front of one counter, which counts the enabled events' OR
};

/// Raw selectors that the device tree allows: those with `selector & mask == select`.
struct RawEventRow {
    uint64_t select;
    uint64_t mask;
};

/// Rows of one property of `riscv,pmu` that OpenSBI and our firmware read.
inline constexpr size_t kMostPmuRows = 255;

/// An event of the SBI's PMU extension (SBI 3.0: type in bits 19:16, code in 15:0) that one
/// selector counts. General and cache events only: raw events are selectors themselves. Cycles and
/// instructions have counters of their own, but only a programmable one can be sampled.
struct SbiEventRow {
    uint32_t event;
    uint64_t selector;
};

struct PmuProfile {
    const char* name;
    const EventRow* events;
    size_t event_count;
    const SbiEventRow* sbi_events; ///< ascending
    size_t sbi_event_count;
    uint64_t selector_mask; ///< the bits that mhpmeventN stores; the others read 0
    unsigned programmable;  ///< counters from mhpmcounter3 on that the core has by default
    unsigned width;         ///< bits of a programmable counter by default

    SelectorKind selector_kind = SelectorKind::Number;
    RegisterSet registers = RegisterSet::Hpm;
    bool sscofpmf = true; ///< the core has these extensions by default
    bool smcntrpmf = true;
    const RawEventRow* raw_events = nullptr; ///< none: each event's selector by itself
    size_t raw_event_count = 0;
    const char* cpu = nullptr; ///< `compatible` of the core in a device tree; null: the generic one
    bool write_freezes = true; ///< by default (CounterConfig::write_freezes)

    constexpr const EventRow* begin() const { return events; }
    constexpr const EventRow* end() const { return events + event_count; }
};

/// ClassMask: the selector bits of the class.
inline constexpr uint64_t kSelectorClass = 0xFF;

/// True if a counter with this selector, as stored, counts the event of the row.
constexpr bool selects(const PmuProfile& profile, uint64_t selector, const EventRow& row) {
    if (profile.selector_kind == SelectorKind::Number) {
        return row.selector == selector;
    }
    return (row.selector & kSelectorClass) == (selector & kSelectorClass) &&
           (row.selector & selector & ~kSelectorClass) != 0;
}

/// The sources that a counter with this selector, as stored, counts, without None. `sampling`:
/// the core has the extension that brings EventOrigin::Sampling.
constexpr EventMask sources_of(const PmuProfile& profile, uint64_t selector, bool sampling = true) {
    EventMask sources;
    for (const EventRow& row : profile) {
        if (selects(profile, selector, row) && (sampling || row.origin == EventOrigin::Core)) {
            sources |= event_bit(row.source);
        }
    }
    return sources - event_bit(Event::None);
}

/// Every pulse that the profile can count.
constexpr EventMask profile_sources(const PmuProfile& profile) {
    EventMask sources;
    for (const EventRow& row : profile) {
        sources |= event_bit(row.source);
    }
    return sources & kAllEvents;
}

/// How many pulse pins counters in RTL with this profile have. The base sources are what foreign
/// counters see too; a profile that counts more gets all of the core's.
constexpr size_t pulse_pins(const PmuProfile& profile) {
    return (profile_sources(profile) - kBaseEvents).any() ? kCoreEventCount : kBaseEventCount;
}

/// The sources that these pins carry: pin n = Event n.
constexpr EventMask pin_sources(const PmuProfile& profile) {
    const EventMask base = kBaseEvents | event_bit(Event::None);
    return pulse_pins(profile) == kBaseEventCount ? base : base | kCoreEvents;
}

/// The row of a selector as stored, or null: a reserved selector, which never counts, or one that
/// chooses several events.
constexpr const EventRow* find_selector(const PmuProfile& profile, uint64_t selector) {
    for (const EventRow& row : profile) {
        if (row.selector == selector) {
            return &row;
        }
    }
    return nullptr;
}

namespace detail {
constexpr bool same_text(const char* left, const char* right) {
    while (*left != '\0' && *left == *right) {
        ++left;
        ++right;
    }
    return *left == *right;
}
} // namespace detail

/// The row called `name` ("l1d-miss"), or null.
constexpr const EventRow* find_event(const PmuProfile& profile, const char* name) {
    for (const EventRow& row : profile) {
        if (detail::same_text(row.name, name)) {
            return &row;
        }
    }
    return nullptr;
}

} // namespace pes
