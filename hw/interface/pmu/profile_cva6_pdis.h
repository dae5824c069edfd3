// SPDX-License-Identifier: Apache-2.0
// PMU profile of a CVA6 core with decoded-instruction sampling (Smpdis): CVA6's events, and the
// nine of the draft, which assigns them no selectors. Freestanding.
#pragma once

#include "hw/interface/pmu/profile_cva6.h"

namespace pes {

/// spdis.adoc, "Performance Events", in its order.
inline constexpr EventRow kPdisEvents[] = {
    {32, "decoded", "INST.DEC.SPEC", Event::Decoded},
    {33, "decoded-transfer", "INST.DEC.BRJMP.SPEC", Event::DecodedTransfer},
    {34, "decoded-load", "INST.DEC.LOAD.SPEC", Event::DecodedLoad},
    {35, "decoded-store", "INST.DEC.STORE.SPEC", Event::DecodedStore},
    {36, "decoded-load-store", "INST.DEC.LDST.SPEC", Event::DecodedLoadStore},
    {37, "pdis-sample", "PDIS.SAMPLES", Event::PdisSample},
    {38, "pdis-collision", "PDIS.COLLISIONS", Event::PdisCollision},
    {39, "pdis-filtered", "PDIS.FILTERED", Event::PdisFiltered},
    {40, "pdis-dropped", "PDIS.DROPPED", Event::PdisDropped},
};

namespace detail {

template <size_t First, size_t Second>
struct JoinedEvents {
    EventRow rows[First + Second];
};

template <size_t First, size_t Second>
constexpr JoinedEvents<First, Second> joined(const EventRow (&first)[First],
                                             const EventRow (&second)[Second]) {
    JoinedEvents<First, Second> events{};
    for (size_t i = 0; i < First; ++i) {
        events.rows[i] = first[i];
    }
    for (size_t i = 0; i < Second; ++i) {
        events.rows[First + i] = second[i];
    }
    return events;
}

} // namespace detail

inline constexpr auto kCva6PdisEvents = detail::joined(kCva6Events, kPdisEvents);

inline constexpr PmuProfile kCva6PdisProfile{
    .name = "cva6-pdis",
    .events = kCva6PdisEvents.rows,
    .event_count = sizeof(kCva6PdisEvents.rows) / sizeof(kCva6PdisEvents.rows[0]),
    .sbi_events = kCva6SbiEvents,
    .sbi_event_count = sizeof(kCva6SbiEvents) / sizeof(kCva6SbiEvents[0]),
    .selector_mask = 0x3F,
    .programmable = kCva6Profile.programmable,
    .width = kCva6Profile.width,
};

} // namespace pes
