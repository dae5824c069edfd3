// SPDX-License-Identifier: Apache-2.0
// Checks of the event tables that firmware's freestanding compiler shares with the model.
#include "hw/interface/pmu/profile_cv32e40p.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "hw/interface/pmu/profile_cva6_pdis.h"
#include "hw/interface/pmu/profile_u74.h"

#include <bit>

namespace pes {
namespace {

/// One event of one class.
constexpr bool fits_kind(const PmuProfile& profile, const EventRow& row) {
    return profile.selector_kind == SelectorKind::Number ||
           std::has_single_bit(row.selector & ~kSelectorClass);
}

/// Names and selectors are unique, selectors fit the stored bits, and every source is used once;
/// several events may have no source.
constexpr bool well_formed(const PmuProfile& profile) {
    EventMask sources;
    for (const EventRow& row : profile) {
        if ((row.selector & ~profile.selector_mask) != 0 ||
            find_selector(profile, row.selector) != &row || find_event(profile, row.name) != &row ||
            !fits_kind(profile, row) || (row.source != Event::None && sources.has(row.source))) {
            return false;
        }
        sources |= event_bit(row.source);
    }
    return true;
}

/// The selectors of the SBI events exist, and the events are in ascending order.
constexpr bool sbi_events_match(const PmuProfile& profile) {
    uint32_t last = 0;
    for (size_t i = 0; i < profile.sbi_event_count; ++i) {
        const SbiEventRow& row = profile.sbi_events[i];
        bool selected = false;
        for (const EventRow& event : profile) {
            selected = selected || selects(profile, row.selector, event);
        }
        if (!selected || row.event <= last) {
            return false;
        }
        last = row.event;
    }
    return true;
}

static_assert(well_formed(kCva6Profile) && sbi_events_match(kCva6Profile));
static_assert(well_formed(kCva6PdisProfile) && sbi_events_match(kCva6PdisProfile));
static_assert(well_formed(kU74Profile) && sbi_events_match(kU74Profile));
static_assert(profile_sources(kCva6Profile) == kBaseEvents);
static_assert(profile_sources(kCva6PdisProfile) == (kBaseEvents | (kAllEvents - kCoreEvents)));
static_assert(well_formed(kCv32e40pProfile) && well_formed(kCv32e40pAsicProfile));
static_assert(kCva6Profile.event_count == kBaseEventCount + 2,
              "CVA6 selects every source, and what the fixed counters count");

} // namespace
} // namespace pes
