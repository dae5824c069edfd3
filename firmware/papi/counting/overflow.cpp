// SPDX-License-Identifier: Apache-2.0
// PAPI_overflow. With Sscofpmf a counter starts at minus the period, and interrupt 13 follows its
// wrap; without it, or if asked for, the timer looks at the counts every tick, so that one call of
// the handler may stand for several periods.
#include "firmware/boot/csr.h"
#include "firmware/papi/counting/parts.h"

namespace pes::papi {

void begin_overflow(EventSet& set) {
    if (set.source == OverflowSource::Timer) {
        arm_timer(library.tick);
        return;
    }
    set.for_each_slot([](Slot& slot, unsigned) {
        if (slot.period != 0) {
            slot.baseline = (slot.count - slot.deadline) & library.counters.bits(slot.counter);
            library.counters.start_at(slot.counter, slot.baseline);
        }
    });
}

namespace {

int member_of(const EventSet& set, unsigned slot) {
    for (unsigned i = 0; i < set.member_count; ++i) {
        if (set.member[i].derived == Derived::None && set.member[i].slot[0] == slot) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

struct Overflows {
    long long members = 0; ///< bit = position in the set
    uint64_t excess = 0;   ///< events beyond the profiled member's deadline
};

/// Moves the deadline of every slot that has passed it.
Overflows take_overflows(EventSet& set) {
    Overflows overflows;
    set.for_each_slot([&](Slot& slot, unsigned i) {
        if (slot.period == 0 || slot.count < slot.deadline) {
            return;
        }
        overflows.members |= 1LL << member_of(set, i);
        overflows.excess = slot.count - slot.deadline;
        slot.deadline += (overflows.excess / slot.period + 1) * slot.period;
    });
    return overflows;
}

} // namespace

void handle_overflow(EventSet& set, void* address, void* context) {
    end_counting(set);
    if (set.source == OverflowSource::Hardware) {
        clear_csr<csr::kSip>(kInterruptLcofi); // before the next start: it is the sticky part
    }
    const Overflows overflows = take_overflows(set);
    if (overflows.members != 0) {
        if ((set.state & PAPI_PROFILING) != 0) {
            add_to_histograms(set, reinterpret_cast<uint64_t>(address), overflows.excess);
        }
        if (set.handler != nullptr) {
            set.handler(handle_of(set), address, overflows.members, context);
        }
    }
    if (library.running == &set) { // the handler may have stopped it
        begin_counting(set);
    }
}

namespace {

/// Whether the set can take the overflow, in the way the flags ask for.
int choose_source(EventSet& set, int flags) {
    const bool must_be_hardware = (flags & PAPI_OVERFLOW_HARDWARE) != 0;
    const bool must_be_timer = (flags & PAPI_OVERFLOW_FORCE_SW) != 0;
    if (must_be_hardware && (must_be_timer || !library.overflow_interrupt)) {
        return must_be_timer ? PAPI_EINVAL : PAPI_ENOSUPP;
    }
    const OverflowSource before = set.source;
    if (library.overflow_interrupt && !must_be_timer && before != OverflowSource::Timer) {
        set.source = OverflowSource::Hardware;
        if (library.mapped == &set) {
            unmap_set(); // the slot needs a counter that interrupts
        }
        if (set_fits(set)) {
            return PAPI_OK;
        }
        set.source = before;
    }
    if (must_be_hardware || before == OverflowSource::Hardware) {
        return PAPI_ECNFLCT;
    }
    set.source = OverflowSource::Timer;
    return PAPI_OK;
}

int remove_overflow(EventSet& set, Slot& slot) {
    if (slot.period == 0) {
        return PAPI_EINVAL;
    }
    slot.period = 0;
    bool left = false;
    set.for_each_slot([&left](const Slot& other, unsigned) { left |= other.period != 0; });
    if (!left) {
        set.source = OverflowSource::None;
        set.handler = nullptr;
        set.profiling.count = 0;
        set.state &= ~(PAPI_OVERFLOWING | PAPI_PROFILING);
    }
    return PAPI_OK;
}

int add_overflow(EventSet& set, Slot& slot, int threshold, int flags,
                 PAPI_overflow_handler_t handler) {
    if (slot.period != 0 || (set.handler != nullptr && set.handler != handler)) {
        return PAPI_ECNFLCT;
    }
    slot.period = static_cast<uint64_t>(threshold);
    if (const int error = choose_source(set, flags); error != PAPI_OK) {
        slot.period = 0;
        return error;
    }
    set.handler = handler;
    set.state |= PAPI_OVERFLOWING;
    return PAPI_OK;
}

} // namespace

int change_overflow(EventSet& set, int code, int threshold, int flags,
                    PAPI_overflow_handler_t handler) {
    if (set.multiplexed()) {
        return PAPI_ECNFLCT;
    }
    const int position = set.find(code);
    if (position < 0) {
        return PAPI_ENOEVNT;
    }
    if (threshold < 0 || (flags & ~(PAPI_OVERFLOW_FORCE_SW | PAPI_OVERFLOW_HARDWARE)) != 0 ||
        set.member[position].derived != Derived::None) {
        return PAPI_EINVAL;
    }
    Slot& slot = set.slot[set.member[position].slot[0]];
    return threshold == 0 ? remove_overflow(set, slot)
                          : add_overflow(set, slot, threshold, flags, handler);
}

} // namespace pes::papi

using namespace pes::papi;

extern "C" int PAPI_overflow(int EventSet, int EventCode, int threshold, int flags,
                             PAPI_overflow_handler_t handler) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Stopped, set); error != PAPI_OK) {
        return answer(error);
    }
    if (threshold > 0 && handler == nullptr) {
        return answer(PAPI_EINVAL);
    }
    if ((set->state & PAPI_PROFILING) != 0) {
        return answer(PAPI_ECNFLCT);
    }
    return answer(change_overflow(*set, EventCode, threshold, flags, handler));
}

extern "C" int PAPI_get_overflow_event_index(int EventSet, long long overflow_vector, int* array,
                                             int* number) {
    pes::papi::EventSet* set = nullptr;
    if (const int error = check_set(EventSet, Want::Any, set); error != PAPI_OK) {
        return answer(error);
    }
    if (array == nullptr || number == nullptr || *number < 1 || overflow_vector == 0) {
        return answer(PAPI_EINVAL);
    }
    int found = 0;
    for (auto left = static_cast<uint64_t>(overflow_vector); left != 0 && found < *number;
         left &= left - 1) {
        const int position = __builtin_ctzl(left);
        if (position >= static_cast<int>(set->member_count)) {
            return answer(PAPI_EINVAL);
        }
        array[found++] = position;
    }
    *number = found;
    return PAPI_OK;
}
