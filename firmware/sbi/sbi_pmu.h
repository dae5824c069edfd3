// SPDX-License-Identifier: Apache-2.0
// The PMU extension of the supervisor binary interface: functions, flags, event numbers and what
// lies in shared memory. Part of sbi.h.
#pragma once

#include <stdint.h>

namespace pes::sbi::pmu {
enum Function : uint64_t {
    kNumCounters,
    kCounterGetInfo,
    kCounterConfigMatching,
    kCounterStart,
    kCounterStop,
    kCounterFirmwareRead,
    kCounterFirmwareReadHigh,
    kSnapshotSetSharedMemory,
    kEventGetInfo,
};

// Flags of configure, start and stop. The mode filters are hints. The draft of May 2021 (version 6
// of the patch) had them in the reverse order, which a firmware built with PES_SBI_V6_FILTERS
// keeps.
inline constexpr uint64_t kConfigSkipMatch = 1 << 0;
inline constexpr uint64_t kConfigClearValue = 1 << 1;
inline constexpr uint64_t kConfigAutoStart = 1 << 2;
inline constexpr uint64_t kConfigKnown = 0xFF;
#ifdef PES_SBI_V6_FILTERS
inline constexpr uint64_t kConfigNotMachine = 1 << 3;
inline constexpr uint64_t kConfigNotSupervisor = 1 << 4;
inline constexpr uint64_t kConfigNotUser = 1 << 5;
inline constexpr uint64_t kConfigNotVirtualSupervisor = 1 << 6;
inline constexpr uint64_t kConfigNotVirtualUser = 1 << 7;
#else
inline constexpr uint64_t kConfigNotVirtualUser = 1 << 3;
inline constexpr uint64_t kConfigNotVirtualSupervisor = 1 << 4;
inline constexpr uint64_t kConfigNotUser = 1 << 5;
inline constexpr uint64_t kConfigNotSupervisor = 1 << 6;
inline constexpr uint64_t kConfigNotMachine = 1 << 7;
#endif
inline constexpr uint64_t kStartSetInitValue = 1 << 0;
inline constexpr uint64_t kStartInitSnapshot = 1 << 1;
inline constexpr uint64_t kStartKnown = 0x3;
inline constexpr uint64_t kStopReset = 1 << 0;
inline constexpr uint64_t kStopTakeSnapshot = 1 << 1;
inline constexpr uint64_t kStopKnown = 0x3;

/// counter_info of a firmware counter has this bit; the CSR number means nothing then.
inline constexpr uint64_t kInfoFirmware = uint64_t{1} << 63;
inline constexpr unsigned kInfoWidthShift = 12; ///< width - 1

// event_idx: type in bits 19:16, code in 15:0.
inline constexpr unsigned kEventTypeShift = 16;
inline constexpr uint64_t kEventMask = 0xFFFFF;
inline constexpr uint64_t kEventCycles = 0x00001;
inline constexpr uint64_t kEventInstructions = 0x00002;
inline constexpr uint64_t kEventRaw = 0x20000;   ///< event_data 47:0 = mhpmevent
inline constexpr uint64_t kEventRawV2 = 0x30000; ///< event_data 55:0 = mhpmevent
inline constexpr uint64_t kEventTypeFirmware = 15;

enum class FirmwareEvent : uint16_t { ///< codes of type 15
    MisalignedLoad,
    MisalignedStore,
    LoadAccessFault,
    StoreAccessFault,
    IllegalInstruction,
    SetTimer,
    IpiSent,
    IpiReceived,
    FenceISent,
    FenceIReceived,
    SfenceVmaSent,
    SfenceVmaReceived,
    SfenceVmaAsidSent,
    SfenceVmaAsidReceived,
    FirstOfHypervisor, ///< 14..21, the HFENCEs
    Limit = 22,        ///< reserved from here
};

/// What set_shmem gives to the firmware: one page a hart. Entry i is counter base + i of the call.
struct Snapshot {
    uint64_t overflowed; ///< bit i
    uint64_t value[64];
    uint64_t reserved[447];
};
static_assert(sizeof(Snapshot) == 4096);

/// One row of event_get_info.
struct EventInfo {
    uint32_t event;
    uint32_t output; ///< bit 0: a counter can monitor it
    uint64_t data;
};
static_assert(sizeof(EventInfo) == 16);
inline constexpr uint64_t kSharedMemoryOff = ~uint64_t{0}; ///< both halves of the address

} // namespace pes::sbi::pmu
