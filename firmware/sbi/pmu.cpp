// SPDX-License-Identifier: Apache-2.0
// PMU extension, functions 0 to 8 (SBI 3.0): dispatch, and what a counter is and reads. Where the
// text is silent the behaviour is that of OpenSBI; docs/sbi.md lists every such decision.
#include "firmware/sbi/pmu.h"

#include "firmware/boot/csr.h"
#include "firmware/sbi/logical_counter.h"
#include "firmware/sbi/machine.h"
#include "firmware/sbi/pmu_delegation.h"

namespace pes {

namespace {

constexpr sbi::Result kInvalid{sbi::kInvalidParam, 0};

bool is_firmware_counter(uint64_t n) {
    return logical_counter_exists(n) && LogicalCounter(n).is_firmware();
}

sbi::Result counter_info(uint64_t n) {
    constexpr uint64_t kFirmwareWidth = 64;
    if (!logical_counter_exists(n)) {
        return kInvalid;
    }
    if (is_firmware_counter(n)) {
        return {sbi::kSuccess, sbi::pmu::kInfoFirmware | (kFirmwareWidth - 1)
                                                             << sbi::pmu::kInfoWidthShift};
    }
    const uint64_t width = counters().width(static_cast<unsigned>(n));
    return {sbi::kSuccess, (width - 1) << sbi::pmu::kInfoWidthShift | (csr::kCycle + n)};
}

sbi::Result firmware_read(uint64_t n) {
    if (!is_firmware_counter(n) || !LogicalCounter(n).configured()) {
        return kInvalid;
    }
    return {sbi::kSuccess, LogicalCounter(n).value()};
}

/// The upper half on a 32-bit hart; here the lower one is everything.
sbi::Result firmware_read_high(uint64_t n) {
    return is_firmware_counter(n) ? sbi::Result{sbi::kSuccess, 0} : kInvalid;
}

} // namespace

sbi::Result pmu_extension(const sbi::Call& call) {
    if (counters_delegated()) {
        return kSbiNotSupported;
    }
    switch (call.function) {
    case sbi::pmu::kNumCounters:
        return {sbi::kSuccess, logical_counter_count()};
    case sbi::pmu::kCounterGetInfo:
        return counter_info(call.argument[0]);
    case sbi::pmu::kCounterConfigMatching:
        return pmu_config_matching(call.argument);
    case sbi::pmu::kCounterStart:
        return pmu_start(call.argument);
    case sbi::pmu::kCounterStop:
        return pmu_stop(call.argument);
    case sbi::pmu::kCounterFirmwareRead:
        return firmware_read(call.argument[0]);
    case sbi::pmu::kCounterFirmwareReadHigh:
        return firmware_read_high(call.argument[0]);
    case sbi::pmu::kSnapshotSetSharedMemory:
        return pmu_set_snapshot_memory(call.argument);
    case sbi::pmu::kEventGetInfo:
        return pmu_event_info(call.argument);
    default:
        return kSbiNotSupported;
    }
}

} // namespace pes
