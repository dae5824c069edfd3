// SPDX-License-Identifier: Apache-2.0
// PMU extension: start and stop. The whole set is processed; one member that was already in the
// wanted state makes the call say so.
#include "firmware/sbi/logical_counter.h"
#include "firmware/sbi/pmu.h"

namespace pes {

namespace {

/// The counters that a start or stop call is about, or its error.
struct Selection {
    uint64_t members = 0;
    int64_t error = sbi::kInvalidParam;
};

Selection select(const uint64_t* argument, uint64_t known_flags, uint64_t snapshot_flag) {
    const CounterSet set = counter_set(argument[0], argument[1]);
    const uint64_t flags = argument[2];
    if (!set.valid || (flags & ~known_flags) != 0) {
        return {};
    }
    if ((flags & snapshot_flag) != 0 && snapshot_memory() == nullptr) {
        return {0, sbi::kNoShmem};
    }
    const uint64_t members = configured_counters(set.members);
    return {members, members != 0 ? sbi::kSuccess : sbi::kInvalidParam};
}

void take_snapshot(unsigned entry, const LogicalCounter& counter) {
    volatile sbi::pmu::Snapshot& memory = *snapshot_memory();
    const uint64_t bit = uint64_t{1} << entry;
    memory.value[entry] = counter.value();
    memory.overflowed = counter.overflowed() ? memory.overflowed | bit : memory.overflowed & ~bit;
}

} // namespace

sbi::Result pmu_start(const uint64_t* argument) {
    const uint64_t base = argument[0];
    const uint64_t flags = argument[2];
    if (flags == sbi::pmu::kStartKnown) { // an initial value and a snapshot exclude each other
        return {sbi::kInvalidParam, 0};
    }
    const Selection chosen = select(argument, sbi::pmu::kStartKnown, sbi::pmu::kStartInitSnapshot);
    int64_t error = chosen.error;
    for_each_counter(chosen.members, [&](unsigned n) {
        LogicalCounter counter(n);
        if (counter.running()) {
            error = sbi::kAlreadyStarted;
            return;
        }
        if ((flags & sbi::pmu::kStartSetInitValue) != 0) {
            counter.set_value(argument[3]);
        } else if ((flags & sbi::pmu::kStartInitSnapshot) != 0) {
            counter.set_value(snapshot_memory()->value[n - base]);
        }
        counter.run();
    });
    return {error, 0};
}

sbi::Result pmu_stop(const uint64_t* argument) {
    const uint64_t base = argument[0];
    const uint64_t flags = argument[2];
    const Selection chosen = select(argument, sbi::pmu::kStopKnown, sbi::pmu::kStopTakeSnapshot);
    int64_t error = chosen.error;
    for_each_counter(chosen.members, [&](unsigned n) {
        LogicalCounter counter(n);
        if (!counter.running()) {
            error = sbi::kAlreadyStopped;
        }
        counter.hold();
        if ((flags & sbi::pmu::kStopTakeSnapshot) != 0) {
            take_snapshot(static_cast<unsigned>(n - base), counter);
        }
        if ((flags & sbi::pmu::kStopReset) != 0) {
            counter.release();
        }
    });
    return {error, 0};
}

} // namespace pes
