// SPDX-License-Identifier: Apache-2.0
// PMU extension: find a counter for an event and configure it.
#include "firmware/boot/csr.h"
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/logical_counter.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu.h"

namespace pes {

namespace {

constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};

/// Bits of mhpmevent, mcyclecfg and minstretcfg; a hart without filters does not store them. There
/// are no virtual modes, so their two flags have nothing to set.
constexpr uint64_t filter_bits(uint64_t flags) {
    struct Filter {
        uint64_t flag;
        uint64_t inhibit;
    };
    constexpr Filter kFilters[] = {
        {sbi::pmu::kConfigNotMachine, csr::kMhpmeventMachineInhibit},
        {sbi::pmu::kConfigNotSupervisor, csr::kMhpmeventSupervisorInhibit},
        {sbi::pmu::kConfigNotUser, csr::kMhpmeventUserInhibit},
    };
    uint64_t bits = 0;
    for (const Filter& filter : kFilters) {
        bits |= (flags & filter.flag) != 0 ? filter.inhibit : 0;
    }
    return bits;
}

/// With Sscofpmf machine mode is always left out, as under OpenSBI: a supervisor that counts one
/// mode does not want the firmware's work for it in the count, and need not say so.
uint64_t filters_of(uint64_t flags) {
    return filter_bits(counters().has_overflow() ? flags | sbi::pmu::kConfigNotMachine : flags);
}

sbi::Result finish(uint64_t n, uint64_t flags) {
    LogicalCounter counter(n);
    if ((flags & sbi::pmu::kConfigClearValue) != 0) {
        counter.set_value(0);
    }
    if ((flags & sbi::pmu::kConfigAutoStart) != 0 && !counter.running()) {
        counter.run();
    }
    return {sbi::kSuccess, n};
}

/// The first counter of the set, which keeps the event it has; a fixed counter always has one, and
/// Linux takes it so for kernel.perf_user_access = 2. A hole is no counter: it is left out before
/// the first is looked for, as in a match.
sbi::Result skip_match(uint64_t members, uint64_t flags) {
    const auto first = static_cast<uint64_t>(__builtin_ctzl(members));
    LogicalCounter counter(first);
    if (!counter.configured()) {
        if ((kFixedCounters >> first & 1) == 0 || !counter.free()) {
            return kInvalid;
        }
        counter.configure(0, filters_of(flags));
    }
    return finish(first, flags);
}

/// The lowest free counter of `candidates`, or none.
bool find_free(uint64_t candidates, uint64_t& found) {
    for (uint64_t left = candidates; left != 0; left &= left - 1) {
        found = static_cast<uint64_t>(__builtin_ctzl(left));
        if (LogicalCounter(found).free()) {
            return true;
        }
    }
    return false;
}

} // namespace

sbi::Result pmu_config_matching(const uint64_t* argument) {
    const CounterSet set = counter_set(argument[0], argument[1]);
    const uint64_t flags = argument[2];
    if (!set.valid || (flags & ~sbi::pmu::kConfigKnown) != 0) {
        return kInvalid;
    }
    if ((flags & sbi::pmu::kConfigSkipMatch) != 0) {
        return skip_match(set.members, flags);
    }
    const Requirement need = requirement(argument[3], argument[4]);
    uint64_t n = 0;
    if (!find_free(need.preferred & set.members, n) &&
        !find_free(need.candidates & set.members, n)) {
        return kSbiNotSupported;
    }
    LogicalCounter(n).configure(need.selector, filters_of(flags));
    return finish(n, flags);
}

} // namespace pes
