// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/event_map.h"

#include "firmware/sbi/logical_counter.h"

namespace pes {

namespace {

uint64_t programmable_counters() {
    return counters().present() & ~kFixedCounters;
}

/// A fixed counter, and the programmable ones if the profile has a selector for the event. With
/// overflow interrupts the programmable ones come first: a fixed one never interrupts.
Requirement fixed_event(unsigned fixed, const SbiEventRow* row) {
    const uint64_t programmable = row != nullptr ? programmable_counters() : 0;
    return {.candidates = uint64_t{1} << fixed | programmable,
            .preferred = counters().has_overflow() ? programmable : uint64_t{1} << fixed,
            .selector = row != nullptr ? row->selector : 0};
}

Requirement firmware_event(uint64_t code) {
    if (code >= static_cast<uint64_t>(sbi::pmu::FirmwareEvent::Limit)) {
        return {}; // reserved, or an implementation's own, of which there is none
    }
    const uint64_t all = firmware_counter_mask();
    return {.candidates = all, .preferred = all, .selector = code};
}

} // namespace

Requirement requirement(uint64_t event, uint64_t data) {
    const uint64_t programmable = programmable_counters();
    if (event == sbi::pmu::kEventRaw || event == sbi::pmu::kEventRawV2) {
        return selects_event(data) ? Requirement{programmable, programmable, data} : Requirement{};
    }
    if (data != 0 || event > sbi::pmu::kEventMask) {
        return {}; // reserved
    }
    if (event >> sbi::pmu::kEventTypeShift == sbi::pmu::kEventTypeFirmware) {
        return firmware_event(event & 0xFFFF);
    }
    const SbiEventRow* found = nullptr;
    for (const SbiEventRow& row : kCva6SbiEvents) {
        found = row.event == event ? &row : found;
    }
    if (event == sbi::pmu::kEventCycles) {
        return fixed_event(kCycleIndex, found);
    }
    if (event == sbi::pmu::kEventInstructions) {
        return fixed_event(kInstretIndex, found);
    }
    return found != nullptr ? Requirement{programmable, programmable, found->selector}
                            : Requirement{};
}

} // namespace pes
