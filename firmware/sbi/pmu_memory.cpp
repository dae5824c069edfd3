// SPDX-License-Identifier: Apache-2.0
// PMU extension: the two functions that share memory with the supervisor, snapshot_set_shmem and
// event_get_info. Addresses are physical.
#include "firmware/sbi/event_map.h"
#include "firmware/sbi/logical_counter.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu.h"

namespace pes {

namespace {

constexpr sbi::Result kDone{sbi::kSuccess, 0};
constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};
constexpr sbi::Result kBadAddress{sbi::kInvalidAddress, 0};

volatile sbi::pmu::Snapshot* snapshots[PES_MAX_HARTS];
bool snapshots_offered;

} // namespace

volatile sbi::pmu::Snapshot* snapshot_memory() {
    return snapshots[hart_id()];
}

void offer_snapshots(bool offered) {
    snapshots_offered = offered;
}

void reset_pmu() {
    counters() = Counters{};
    counters().probe();
    firmware_counters() = FirmwareCounters{};
    snapshots[hart_id()] = nullptr;
}

sbi::Result pmu_set_snapshot_memory(const uint64_t* argument) {
    if (!snapshots_offered) {
        return kSbiNotSupported;
    }
    const uint64_t low = argument[0];
    const uint64_t high = argument[1];
    if (argument[2] != 0) {
        return kInvalid;
    }
    if (low == sbi::pmu::kSharedMemoryOff && high == sbi::pmu::kSharedMemoryOff) {
        snapshots[hart_id()] = nullptr;
        return kDone;
    }
    if (low % sizeof(sbi::pmu::Snapshot) != 0) {
        return kInvalid;
    }
    if (high != 0 || !supervisor_owns(low, sizeof(sbi::pmu::Snapshot))) {
        return kBadAddress;
    }
    snapshots[hart_id()] = reinterpret_cast<volatile sbi::pmu::Snapshot*>(low);
    return kDone;
}

/// All rows are examined before any is answered, so that an error leaves the memory as it was.
sbi::Result pmu_event_info(const uint64_t* argument) {
    const uint64_t low = argument[0];
    const uint64_t high = argument[1];
    const uint64_t count = argument[2];
    if (argument[3] != 0 || low % sizeof(sbi::pmu::EventInfo) != 0) {
        return kInvalid;
    }
    if (high != 0 || count > ~uint64_t{0} / sizeof(sbi::pmu::EventInfo) ||
        !supervisor_owns(low, count * sizeof(sbi::pmu::EventInfo))) {
        return kBadAddress;
    }
    auto* rows = reinterpret_cast<volatile sbi::pmu::EventInfo*>(low);
    for (uint64_t i = 0; i < count; ++i) {
        if ((rows[i].event & ~sbi::pmu::kEventMask) != 0) {
            return kInvalid;
        }
    }
    for (uint64_t i = 0; i < count; ++i) {
        rows[i].output = requirement(rows[i].event, rows[i].data).candidates != 0 ? 1 : 0;
    }
    return kDone;
}

} // namespace pes
