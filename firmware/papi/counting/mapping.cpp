// SPDX-License-Identifier: Apache-2.0
// Slots to counters. The SBI decides what fits together: nothing here knows how many counters there
// are or what each can count. One set at a time has counters; it keeps them when it stops, until
// another set wants them, so that starting it again is cheap.
#include "firmware/papi/counting/parts.h"

namespace pes::papi {

uint64_t domain_filters(int domain) {
    uint64_t filters = sbi::pmu::kConfigNotVirtualUser | sbi::pmu::kConfigNotVirtualSupervisor;
    filters |= (domain & PAPI_DOM_USER) == 0 ? sbi::pmu::kConfigNotUser : 0;
    filters |= (domain & PAPI_DOM_KERNEL) == 0 ? sbi::pmu::kConfigNotSupervisor : 0;
    filters |= (domain & PAPI_DOM_SUPERVISOR) == 0 ? sbi::pmu::kConfigNotMachine : 0;
    return filters;
}

bool map_slot(EventSet& set, Slot& slot) {
    slot.counter = library.counters.configure(library.profile->natives[slot.native],
                                              domain_filters(set.domain),
                                              set.wraps(slot) ? Need::Interrupt : Need::Count);
    return slot.counter != kNoCounter;
}

uint64_t mapped_counters(const EventSet& set) {
    uint64_t counters = 0;
    for (const Slot& slot : set.slots()) {
        counters |= slot.users != 0 && slot.counter != kNoCounter ? uint64_t{1} << slot.counter : 0;
    }
    return counters;
}

void unmap_set() {
    if (library.mapped == nullptr) {
        return;
    }
    if (const uint64_t counters = mapped_counters(*library.mapped); counters != 0) {
        library.counters.release(counters);
    }
    for (Slot& slot : library.mapped->slots()) {
        slot.counter = kNoCounter;
    }
    library.mapped = nullptr;
}

namespace {

enum class Kind : uint8_t { Programmable, Fixed };

bool map_slots(EventSet& set, Kind kind) {
    for (Slot& slot : set.slots()) {
        const bool fixed = slot.native <= kInstructionsNative && !set.wraps(slot);
        if (slot.users != 0 && slot.counter == kNoCounter && fixed == (kind == Kind::Fixed) &&
            !map_slot(set, slot)) {
            return false;
        }
    }
    return true;
}

/// Cycles and instructions come last, unless they must interrupt: they have counters of their own,
/// and must not take one that another event needs.
bool map_in_order(EventSet& set) {
    return map_slots(set, Kind::Programmable) && map_slots(set, Kind::Fixed);
}

} // namespace

bool map_set(EventSet& set) {
    if (library.mapped != &set) {
        unmap_set();
        library.mapped = &set;
    } else if (map_in_order(set)) { // what has a counter keeps it
        return true;
    } else {
        unmap_set();
        library.mapped = &set;
    }
    if (map_in_order(set)) {
        return true;
    }
    unmap_set();
    return false;
}

bool set_fits(EventSet& set) {
    EventSet* running = library.running;
    if (running == nullptr) {
        return map_set(set);
    }
    // What the caller's other set counts meanwhile would be this library's own work.
    const InterruptGuard guard;
    end_counting(*running);
    unmap_set();
    const bool fits = map_set(set);
    unmap_set();
    begin_counting(*running);
    return fits;
}

} // namespace pes::papi
