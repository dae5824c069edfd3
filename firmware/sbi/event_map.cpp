// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/event_map.h"

#include "firmware/lib/text.h"
#include "firmware/sbi/logical_counter.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu_map.h"
#include "hw/interface/pmu/profile_cva6.h"

namespace pes {

namespace {

PmuMap pmu_map; // of all harts: the boot hart reads it before another one starts

/// One of these counters of the tree that the hart really has, with this selector.
Requirement programmable(PmuMap::Choice choice) {
    const uint64_t counters_there = choice.counters & counters().present();
    return {counters_there, counters_there, choice.selector};
}

/// A fixed counter; first the programmable ones, if they can count the event, as a fixed counter
/// never interrupts.
Requirement fixed_event(unsigned fixed, uint64_t event) {
    const uint64_t only = uint64_t{1} << fixed;
    Requirement need = programmable(pmu_map.find(static_cast<uint32_t>(event)));
    if (need.candidates == 0 || !counters().has_overflow()) {
        return {.candidates = only, .preferred = only, .selector = 0};
    }
    need.candidates |= only;
    return need;
}

/// Selector 0 is no event, whatever the tree's rows match.
Requirement raw_event(uint64_t selector) {
    return selector == 0 ? Requirement{} : programmable({pmu_map.raw_counters(selector), selector});
}

Requirement firmware_event(uint64_t code) {
    if (code >= static_cast<uint64_t>(sbi::pmu::FirmwareEvent::Limit)) {
        return {}; // reserved, or an implementation's own, of which there is none
    }
    const uint64_t all = firmware_counter_mask();
    return {.candidates = all, .preferred = all, .selector = code};
}

} // namespace

void read_events(const FlatTree& tree) {
    if (tree.empty()) {
        pmu_map.read(kCva6Profile, counters().has_overflow());
        return;
    }
    if (!pmu_map.read(tree)) {
        print(console_put, "pes firmware: riscv,pmu has more than ", uint64_t{PmuMap::kMostRows},
              " rows in a property, the rest is left out\n");
    }
}

bool selects_event(uint64_t selector) {
    return raw_event(selector).candidates != 0;
}

Requirement requirement(uint64_t event, uint64_t data) {
    if (event == sbi::pmu::kEventRaw) {
        constexpr unsigned kRawBits = 48; // SBI 3.0: those above are the firmware's
        return data >> kRawBits == 0 ? raw_event(data) : Requirement{};
    }
    if (event == sbi::pmu::kEventRawV2) {
        return raw_event(data);
    }
    if (data != 0 || event > sbi::pmu::kEventMask) {
        return {}; // reserved
    }
    if (event >> sbi::pmu::kEventTypeShift == sbi::pmu::kEventTypeFirmware) {
        return firmware_event(event & 0xFFFF);
    }
    if (event == sbi::pmu::kEventCycles) {
        return fixed_event(kCycleIndex, event);
    }
    if (event == sbi::pmu::kEventInstructions) {
        return fixed_event(kInstretIndex, event);
    }
    return programmable(pmu_map.find(static_cast<uint32_t>(event)));
}

} // namespace pes
