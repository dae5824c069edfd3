// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/event_map.h"

#include "firmware/sbi/logical_counter.h"
#include "hw/hpm/profile_cva6.h"

namespace pes {

namespace {

uint64_t programmable_counters() {
    return counters().present() & ~kFixedCounters;
}

constexpr const SbiEventRow* find_row(uint64_t event) {
    for (const SbiEventRow& row : kCva6SbiEvents) {
        if (row.event == event) {
            return &row;
        }
    }
    return nullptr;
}

constexpr bool counts_fixed_event(uint64_t selector) {
    const SbiEventRow* cycles = find_row(sbi::pmu::kEventCycles);
    const SbiEventRow* instructions = find_row(sbi::pmu::kEventInstructions);
    return (cycles != nullptr && cycles->selector == selector) ||
           (instructions != nullptr && instructions->selector == selector);
}

/// A fixed counter; first the programmable ones, if they can count the event, as a fixed counter
/// never interrupts.
Requirement fixed_event(unsigned fixed, const SbiEventRow* row) {
    const uint64_t only = uint64_t{1} << fixed;
    if (row == nullptr || !counters().has_overflow()) {
        return {.candidates = only, .preferred = only, .selector = 0};
    }
    const uint64_t programmable = programmable_counters();
    return {
        .candidates = only | programmable, .preferred = programmable, .selector = row->selector};
}

Requirement firmware_event(uint64_t code) {
    if (code >= static_cast<uint64_t>(sbi::pmu::FirmwareEvent::Limit)) {
        return {}; // reserved, or an implementation's own, of which there is none
    }
    const uint64_t all = firmware_counter_mask();
    return {.candidates = all, .preferred = all, .selector = code};
}

} // namespace

bool selects_event(uint64_t selector) {
    const EventRow* row = find_selector(kCva6Profile, selector);
    return row != nullptr && row->kind != EventClass::None &&
           (counters().has_overflow() || !counts_fixed_event(selector));
}

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
    const SbiEventRow* found = find_row(event);
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
