// SPDX-License-Identifier: Apache-2.0
// Checks of the event tables that firmware's freestanding compiler shares with the model.
#include "hw/common/event.h"
#include "hw/hpm/profile_cv32e40p.h"
#include "hw/hpm/profile_cva6.h"

namespace pes {
namespace {

/// Names and selectors are unique, selectors fit the stored bits, and every source is fed once;
/// several events may have none.
constexpr bool well_formed(const PmuProfile& profile) {
    EventMask sources = 0;
    for (const EventRow& row : profile) {
        if ((row.selector & ~profile.selector_mask) != 0 ||
            find_selector(profile, row.selector) != &row || find_event(profile, row.name) != &row ||
            (row.source != Event::None && (sources & event_bit(row.source)) != 0)) {
            return false;
        }
        sources |= event_bit(row.source);
    }
    return true;
}

static_assert(well_formed(kCva6Profile));
static_assert(well_formed(kCv32e40pProfile) && well_formed(kCv32e40pAsicProfile));
static_assert(kCva6Profile.event_count == kBaseEventCount + 2,
              "CVA6 selects every source, and what the fixed counters count");

} // namespace
} // namespace pes
