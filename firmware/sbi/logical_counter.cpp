// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/logical_counter.h"

#include "firmware/boot/csr.h"

namespace pes {

FirmwareCounters firmware_counters_of_harts[PES_MAX_HARTS];

bool LogicalCounter::free() const {
    return firmware_ ? !firmware_counters().configured(index_)
                     : counters().owner(index_) == CounterOwner::None;
}

bool LogicalCounter::configured() const {
    return firmware_ ? firmware_counters().configured(index_)
                     : counters().owner(index_) == CounterOwner::Pmu;
}

bool LogicalCounter::running() const {
    return firmware_ ? firmware_counters().running(index_) : counters().running(index_);
}

uint64_t LogicalCounter::value() const {
    return firmware_ ? firmware_counters().value(index_) : counters().value(index_);
}

bool LogicalCounter::overflowed() const {
    return !firmware_ && counters().overflowed(index_);
}

void LogicalCounter::configure(uint64_t selector, uint64_t filters) {
    if (firmware_) {
        firmware_counters().configure(index_, static_cast<sbi::pmu::FirmwareEvent>(selector));
        return;
    }
    counters().hold(1U << index_);
    counters().set_owner(index_, CounterOwner::Pmu);
    counters().set_event(index_, selector, filters);
}

void LogicalCounter::set_value(uint64_t value) {
    if (firmware_) {
        firmware_counters().set_value(index_, value);
    } else {
        counters().set_value(index_, value);
    }
}

void LogicalCounter::run() {
    if (firmware_) {
        firmware_counters().run(index_);
        return;
    }
    // As OpenSBI: an overflow that supervisor software has not looked at yet stays visible.
    if ((read_csr<csr::kMip>() & kInterruptLcofi) == 0) {
        counters().clear_overflow(index_);
    }
    counters().run(1U << index_);
}

void LogicalCounter::hold() {
    if (firmware_) {
        firmware_counters().hold(index_);
    } else {
        counters().hold(1U << index_);
    }
}

void LogicalCounter::release() {
    if (firmware_) {
        firmware_counters().release(index_);
        return;
    }
    counters().set_owner(index_, CounterOwner::None);
    counters().set_event(index_, 0);
    if ((kFixedCounters >> index_ & 1) != 0) {
        counters().run(1U << index_);
    }
}

CounterSet counter_set(uint64_t base, uint64_t mask) {
    const uint64_t count = logical_counter_count();
    if (mask == 0 || base >= count || mask >> (count - base) != 0) {
        return {};
    }
    const uint64_t members = mask << base & (counters().present() | firmware_counter_mask());
    return {members != 0, members};
}

uint64_t configured_counters(uint64_t members) {
    uint64_t result = 0;
    for_each_counter(members, [&result](unsigned n) {
        result |= LogicalCounter(n).configured() ? uint64_t{1} << n : 0;
    });
    return result;
}

} // namespace pes
