// SPDX-License-Identifier: Apache-2.0
// The supervisor binary interface: numbers of SBI 3.0 that this firmware serves and of its own two
// extensions. Shared by the machine layer (serves) and the supervisor layer (calls). docs/sbi.md
// describes every call.
#pragma once

#include "firmware/sbi/sbi_pmu.h"

#include <stdint.h>

namespace pes::sbi {

enum Error : int64_t {
    kSuccess = 0,
    kFailed = -1,
    kNotSupported = -2,
    kInvalidParam = -3,
    kDenied = -4,
    kInvalidAddress = -5,
    kAlreadyAvailable = -6,
    kAlreadyStarted = -7,
    kAlreadyStopped = -8,
    kNoShmem = -9,
    kInvalidState = -10,
    kIo = -13,
};

struct Result {
    int64_t error;  ///< a0
    uint64_t value; ///< a1
};

/// a6 and a0..a5 of a call; the extension (a7) chose the handler.
struct Call {
    uint64_t function;
    const uint64_t* argument;
};

// Extensions (a7). Legacy calls return one value in a0 and leave a1 alone.
inline constexpr uint64_t kLegacySetTimer = 0x00;
inline constexpr uint64_t kLegacyPutchar = 0x01;
inline constexpr uint64_t kLegacyGetchar = 0x02;
inline constexpr uint64_t kLegacyClearIpi = 0x03;
inline constexpr uint64_t kLegacySendIpi = 0x04;
inline constexpr uint64_t kLegacyFenceI = 0x05;
inline constexpr uint64_t kLegacySfenceVma = 0x06;
inline constexpr uint64_t kLegacySfenceVmaAsid = 0x07;
inline constexpr uint64_t kLegacyShutdown = 0x08;
inline constexpr uint64_t kBase = 0x10;
inline constexpr uint64_t kTimer = 0x5449'4D45;       // "TIME"
inline constexpr uint64_t kIpi = 0x73'5049;           // "sPI"
inline constexpr uint64_t kHartState = 0x48'534D;     // "HSM"
inline constexpr uint64_t kRemoteFence = 0x5246'4E43; // "RFNC"
inline constexpr uint64_t kReset = 0x5352'5354;       // "SRST"
inline constexpr uint64_t kConsole = 0x4442'434E;     // "DBCN"
inline constexpr uint64_t kPmu = 0x50'4D55;           // "PMU"

// The thesis's four calls: a0 number, a1 value. They lie in a range that SBI reserves, so they
// exist for that test program alone. docs/sbi.md has the numbers.
inline constexpr uint64_t kThesisEvent = 9;
inline constexpr uint64_t kThesisThreshold = 10;
inline constexpr uint64_t kThesisCounter = 11;
inline constexpr uint64_t kThesisBuffer = 12;
inline constexpr int64_t kThesisInvalid = -22; ///< Linux -EINVAL, as the thesis returns

// Own extensions, in SBI's experimental space 0x08000000..0x08FFFFFF.
inline constexpr uint64_t kSampling = 0x0850'4553; // "PES"
inline constexpr uint64_t kHost = 0x0848'5354;     // "HST"

inline constexpr uint64_t kImplementation = 0x50'4553; ///< id "PES"; not a registered number

namespace base {
enum Function : uint64_t {
    kSpecVersion,
    kImplementationId,
    kImplementationVersion,
    kProbeExtension,
    kVendorId,
    kArchitectureId,
    kMachineImplementationId,
};
} // namespace base

namespace timer {
enum Function : uint64_t { kSetTimer };
} // namespace timer

namespace ipi {
enum Function : uint64_t { kSend };
} // namespace ipi

/// A hart mask is bits and the hart id of bit 0; this base means all harts.
inline constexpr uint64_t kAllHarts = ~uint64_t{0};

namespace remote_fence {
enum Function : uint64_t { kInstructions, kTranslations, kTranslationsOfAsid };
} // namespace remote_fence

namespace hart_state {
enum Function : uint64_t { kStart, kStop, kStatus, kSuspend };
enum State : uint64_t {
    kStarted,
    kStopped,
    kStartPending,
    kStopPending,
    kSuspended,
    kSuspendPending,
    kResumePending,
};
inline constexpr uint32_t kRetentive = 0;
inline constexpr uint32_t kNonRetentive = 0x8000'0000;
} // namespace hart_state

namespace console {
enum Function : uint64_t { kWrite, kRead, kWriteByte };
} // namespace console

namespace reset {
enum Function : uint64_t { kSystemReset };
enum Type : uint32_t { kShutdown, kColdReboot, kWarmReboot };
inline constexpr uint32_t kNoReason = 0;
inline constexpr uint32_t kSystemFailure = 1;
/// Implementation-specific reasons 0xE0000000 + code: end the run with this exit code.
inline constexpr uint32_t kExitCodeReason = 0xE000'0000;
inline constexpr uint32_t kExitCodeMask = 0xFFFF;
} // namespace reset

namespace sampling {
enum Function : uint64_t {
    kCounters,
    kEnable,
    kDisable,
    kSetBuffer,
    kStart,
    kStop,
    kStatus,
    kHandOver,
    kResume,
    kModes,
    kMethod,
    kRecord,
};
enum StatusItem : uint64_t { kState, kSamples, kLost, kBytes, kThrottled, kFiltered };
/// Argument of kModes: the modes whose events are sampled, by their privilege encoding.
inline constexpr uint64_t kModeUser = 1 << 0;
inline constexpr uint64_t kModeSupervisor = 1 << 1;
inline constexpr uint64_t kModeMachine = 1 << 3;
inline constexpr uint64_t kModesKnown = kModeUser | kModeSupervisor | kModeMachine;
enum State : uint64_t { kStopped, kRunning, kHandedOver };
/// Argument of kMethod: which instruction a sample names.
enum Method : uint64_t {
    kInterrupted, ///< the one that the interrupt has found
    kCause,       ///< the one that caused the event; needs mhpmmspc
    kDecoded,     ///< one that is decoded: the event is its kind; needs Smpdis and its events
};
/// Argument of kRecord: 0 is version 1, each bit makes it version 2.
inline constexpr uint64_t kRecordDetails = 1 << 0;
inline constexpr uint64_t kRecordCounters = 1 << 1;
inline constexpr uint64_t kRecordRegisters = 1 << 2;
inline constexpr uint64_t kRecordCalls = 1 << 3; ///< needs control transfer records
inline constexpr uint64_t kRecordKnown = 0xF;
} // namespace sampling

namespace host {
enum Function : uint64_t { kWrite, kOpen, kClose, kSeek, kRead };
inline constexpr uint64_t kConsoleFile = 1;
inline constexpr uint64_t kSampleFile = 3; ///< the file given by --samples
inline constexpr uint64_t kFirstOpened = 4;
} // namespace host

} // namespace pes::sbi
