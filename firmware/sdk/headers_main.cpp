// SPDX-License-Identifier: Apache-2.0
// pes-sdk-headers: writes the C headers of the SDK from the definitions of firmware and decoder, so
// that no number is written a second time: `pes-sdk-headers sbi` and `pes-sdk-headers sample`, on
// standard output.
#include "firmware/sbi/sbi.h"
#include "hw/interface/maps/sample_record.h"

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string_view>

namespace {

namespace sbi = pes::sbi;
namespace pmu = pes::sbi::pmu;

struct Number {
    const char* name;
    std::int64_t value;
};

// Names of Linux's arch/riscv/include/asm/sbi.h where it has the number.
constexpr Number kSbiNumbers[] = {
    {"SBI_SUCCESS", sbi::kSuccess},
    {"SBI_ERR_FAILURE", sbi::kFailed},
    {"SBI_ERR_NOT_SUPPORTED", sbi::kNotSupported},
    {"SBI_ERR_INVALID_PARAM", sbi::kInvalidParam},
    {"SBI_ERR_DENIED", sbi::kDenied},
    {"SBI_ERR_INVALID_ADDRESS", sbi::kInvalidAddress},
    {"SBI_ERR_ALREADY_AVAILABLE", sbi::kAlreadyAvailable},
    {"SBI_ERR_ALREADY_STARTED", sbi::kAlreadyStarted},
    {"SBI_ERR_ALREADY_STOPPED", sbi::kAlreadyStopped},
    {"SBI_ERR_NO_SHMEM", sbi::kNoShmem},
    {"SBI_ERR_INVALID_STATE", sbi::kInvalidState},
    {"SBI_ERR_IO", sbi::kIo},
    {"SBI_EXT_0_1_SET_TIMER", sbi::kLegacySetTimer},
    {"SBI_EXT_0_1_CONSOLE_PUTCHAR", sbi::kLegacyPutchar},
    {"SBI_EXT_0_1_CONSOLE_GETCHAR", sbi::kLegacyGetchar},
    {"SBI_EXT_0_1_CLEAR_IPI", sbi::kLegacyClearIpi},
    {"SBI_EXT_0_1_SEND_IPI", sbi::kLegacySendIpi},
    {"SBI_EXT_0_1_REMOTE_FENCE_I", sbi::kLegacyFenceI},
    {"SBI_EXT_0_1_REMOTE_SFENCE_VMA", sbi::kLegacySfenceVma},
    {"SBI_EXT_0_1_REMOTE_SFENCE_VMA_ASID", sbi::kLegacySfenceVmaAsid},
    {"SBI_EXT_0_1_SHUTDOWN", sbi::kLegacyShutdown},
    {"SBI_EXT_BASE", sbi::kBase},
    {"SBI_EXT_TIME", sbi::kTimer},
    {"SBI_EXT_IPI", sbi::kIpi},
    {"SBI_EXT_RFENCE", sbi::kRemoteFence},
    {"SBI_EXT_HSM", sbi::kHartState},
    {"SBI_EXT_SRST", sbi::kReset},
    {"SBI_EXT_PMU", sbi::kPmu},
    {"SBI_EXT_DBCN", sbi::kConsole},
    {"SBI_EXT_PES_SAMPLING", sbi::kSampling},
    {"SBI_EXT_PES_HOST", sbi::kHost},
    {"SBI_EXT_BASE_GET_SPEC_VERSION", sbi::base::kSpecVersion},
    {"SBI_EXT_BASE_GET_IMP_ID", sbi::base::kImplementationId},
    {"SBI_EXT_BASE_GET_IMP_VERSION", sbi::base::kImplementationVersion},
    {"SBI_EXT_BASE_PROBE_EXT", sbi::base::kProbeExtension},
    {"SBI_EXT_BASE_GET_MVENDORID", sbi::base::kVendorId},
    {"SBI_EXT_BASE_GET_MARCHID", sbi::base::kArchitectureId},
    {"SBI_EXT_BASE_GET_MIMPID", sbi::base::kMachineImplementationId},
    {"PES_SBI_IMPLEMENTATION", sbi::kImplementation},
    {"SBI_EXT_TIME_SET_TIMER", sbi::timer::kSetTimer},
    {"SBI_EXT_IPI_SEND_IPI", sbi::ipi::kSend},
    {"SBI_EXT_RFENCE_REMOTE_FENCE_I", sbi::remote_fence::kInstructions},
    {"SBI_EXT_RFENCE_REMOTE_SFENCE_VMA", sbi::remote_fence::kTranslations},
    {"SBI_EXT_RFENCE_REMOTE_SFENCE_VMA_ASID", sbi::remote_fence::kTranslationsOfAsid},
    {"SBI_EXT_HSM_HART_START", sbi::hart_state::kStart},
    {"SBI_EXT_HSM_HART_STOP", sbi::hart_state::kStop},
    {"SBI_EXT_HSM_HART_STATUS", sbi::hart_state::kStatus},
    {"SBI_EXT_HSM_HART_SUSPEND", sbi::hart_state::kSuspend},
    {"SBI_HSM_STATE_STARTED", sbi::hart_state::kStarted},
    {"SBI_HSM_STATE_STOPPED", sbi::hart_state::kStopped},
    {"SBI_HSM_STATE_START_PENDING", sbi::hart_state::kStartPending},
    {"SBI_HSM_STATE_STOP_PENDING", sbi::hart_state::kStopPending},
    {"SBI_HSM_STATE_SUSPENDED", sbi::hart_state::kSuspended},
    {"SBI_HSM_STATE_SUSPEND_PENDING", sbi::hart_state::kSuspendPending},
    {"SBI_HSM_STATE_RESUME_PENDING", sbi::hart_state::kResumePending},
    {"SBI_HSM_SUSPEND_RET_DEFAULT", sbi::hart_state::kRetentive},
    {"SBI_HSM_SUSPEND_NON_RET_DEFAULT", sbi::hart_state::kNonRetentive},
    {"SBI_EXT_SRST_RESET", sbi::reset::kSystemReset},
    {"SBI_SRST_RESET_TYPE_SHUTDOWN", sbi::reset::kShutdown},
    {"SBI_SRST_RESET_TYPE_COLD_REBOOT", sbi::reset::kColdReboot},
    {"SBI_SRST_RESET_TYPE_WARM_REBOOT", sbi::reset::kWarmReboot},
    {"SBI_SRST_RESET_REASON_NONE", sbi::reset::kNoReason},
    {"SBI_SRST_RESET_REASON_SYS_FAILURE", sbi::reset::kSystemFailure},
    {"PES_SBI_EXIT_CODE_REASON", sbi::reset::kExitCodeReason},
    {"SBI_EXT_DBCN_CONSOLE_WRITE", sbi::console::kWrite},
    {"SBI_EXT_DBCN_CONSOLE_READ", sbi::console::kRead},
    {"SBI_EXT_DBCN_CONSOLE_WRITE_BYTE", sbi::console::kWriteByte},
    {"SBI_EXT_PMU_NUM_COUNTERS", pmu::kNumCounters},
    {"SBI_EXT_PMU_COUNTER_GET_INFO", pmu::kCounterGetInfo},
    {"SBI_EXT_PMU_COUNTER_CFG_MATCH", pmu::kCounterConfigMatching},
    {"SBI_EXT_PMU_COUNTER_START", pmu::kCounterStart},
    {"SBI_EXT_PMU_COUNTER_STOP", pmu::kCounterStop},
    {"SBI_EXT_PMU_COUNTER_FW_READ", pmu::kCounterFirmwareRead},
    {"SBI_EXT_PMU_COUNTER_FW_READ_HI", pmu::kCounterFirmwareReadHigh},
    {"SBI_EXT_PMU_SNAPSHOT_SET_SHMEM", pmu::kSnapshotSetSharedMemory},
    {"SBI_EXT_PMU_EVENT_GET_INFO", pmu::kEventGetInfo},
    {"SBI_PMU_CFG_FLAG_SKIP_MATCH", pmu::kConfigSkipMatch},
    {"SBI_PMU_CFG_FLAG_CLEAR_VALUE", pmu::kConfigClearValue},
    {"SBI_PMU_CFG_FLAG_AUTO_START", pmu::kConfigAutoStart},
    {"SBI_PMU_CFG_FLAG_SET_VUINH", pmu::kConfigNotVirtualUser},
    {"SBI_PMU_CFG_FLAG_SET_VSINH", pmu::kConfigNotVirtualSupervisor},
    {"SBI_PMU_CFG_FLAG_SET_UINH", pmu::kConfigNotUser},
    {"SBI_PMU_CFG_FLAG_SET_SINH", pmu::kConfigNotSupervisor},
    {"SBI_PMU_CFG_FLAG_SET_MINH", pmu::kConfigNotMachine},
    {"SBI_PMU_START_FLAG_SET_INIT_VALUE", pmu::kStartSetInitValue},
    {"SBI_PMU_START_FLAG_INIT_SNAPSHOT", pmu::kStartInitSnapshot},
    {"SBI_PMU_STOP_FLAG_RESET", pmu::kStopReset},
    {"SBI_PMU_STOP_FLAG_TAKE_SNAPSHOT", pmu::kStopTakeSnapshot},
    {"SBI_PMU_HW_CPU_CYCLES", pmu::kEventCycles},
    {"SBI_PMU_HW_INSTRUCTIONS", pmu::kEventInstructions},
    {"SBI_PMU_EVENT_TYPE_RAW", pmu::kEventRaw >> pmu::kEventTypeShift},
    {"SBI_PMU_EVENT_TYPE_RAW_V2", pmu::kEventRawV2 >> pmu::kEventTypeShift},
    {"SBI_PMU_EVENT_TYPE_FW", pmu::kEventTypeFirmware},
    {"SBI_PMU_EVENT_TYPE_SHIFT", pmu::kEventTypeShift},
    {"SBI_EXT_PES_SAMPLING_COUNTERS", sbi::sampling::kCounters},
    {"SBI_EXT_PES_SAMPLING_ENABLE", sbi::sampling::kEnable},
    {"SBI_EXT_PES_SAMPLING_DISABLE", sbi::sampling::kDisable},
    {"SBI_EXT_PES_SAMPLING_SET_BUFFER", sbi::sampling::kSetBuffer},
    {"SBI_EXT_PES_SAMPLING_START", sbi::sampling::kStart},
    {"SBI_EXT_PES_SAMPLING_STOP", sbi::sampling::kStop},
    {"SBI_EXT_PES_SAMPLING_STATUS", sbi::sampling::kStatus},
    {"SBI_EXT_PES_SAMPLING_HAND_OVER", sbi::sampling::kHandOver},
    {"SBI_EXT_PES_SAMPLING_RESUME", sbi::sampling::kResume},
    {"SBI_EXT_PES_SAMPLING_MODES", sbi::sampling::kModes},
    {"SBI_EXT_PES_SAMPLING_METHOD", sbi::sampling::kMethod},
    {"SBI_EXT_PES_SAMPLING_RECORD", sbi::sampling::kRecord},
    {"PES_STATUS_STATE", sbi::sampling::kState},
    {"PES_STATUS_SAMPLES", sbi::sampling::kSamples},
    {"PES_STATUS_LOST", sbi::sampling::kLost},
    {"PES_STATUS_BYTES", sbi::sampling::kBytes},
    {"PES_STATUS_THROTTLED", sbi::sampling::kThrottled},
    {"PES_STATUS_FILTERED", sbi::sampling::kFiltered},
    {"PES_MODE_USER", sbi::sampling::kModeUser},
    {"PES_MODE_SUPERVISOR", sbi::sampling::kModeSupervisor},
    {"PES_MODE_MACHINE", sbi::sampling::kModeMachine},
    {"PES_METHOD_INTERRUPTED", sbi::sampling::kInterrupted},
    {"PES_METHOD_CAUSE", sbi::sampling::kCause},
    {"PES_METHOD_DECODED", sbi::sampling::kDecoded},
    {"PES_RECORD_DETAILS", sbi::sampling::kRecordDetails},
    {"PES_RECORD_COUNTERS", sbi::sampling::kRecordCounters},
    {"PES_RECORD_REGISTERS", sbi::sampling::kRecordRegisters},
    {"PES_RECORD_CALLS", sbi::sampling::kRecordCalls},
    {"SBI_EXT_PES_HOST_WRITE", sbi::host::kWrite},
    {"SBI_EXT_PES_HOST_OPEN", sbi::host::kOpen},
    {"SBI_EXT_PES_HOST_CLOSE", sbi::host::kClose},
    {"SBI_EXT_PES_HOST_SEEK", sbi::host::kSeek},
    {"SBI_EXT_PES_HOST_READ", sbi::host::kRead},
    {"PES_HOST_CONSOLE_FILE", sbi::host::kConsoleFile},
    {"PES_HOST_SAMPLE_FILE", sbi::host::kSampleFile},
};

/// A member of a structure, in the order of memory.
struct Member {
    const char* name;
    std::size_t offset;
    std::size_t size;
};
#define MEMBER(structure, name)                                                                    \
    { #name, offsetof(pes::structure, name), sizeof(pes::structure::name) }

constexpr Member kSample[] = {
    MEMBER(SampleRecord, magic),
    MEMBER(SampleRecord, size),
    MEMBER(SampleRecord, version),
    MEMBER(SampleRecord, hart),
    MEMBER(SampleRecord, counter),
    MEMBER(SampleRecord, privilege),
    MEMBER(SampleRecord, flags),
    MEMBER(SampleRecord, event),
    MEMBER(SampleRecord, pc),
    MEMBER(SampleRecord, cycle),
    MEMBER(SampleRecord, counter_value),
    MEMBER(SampleRecord, threshold),
    MEMBER(SampleRecord, lost),
};
constexpr Member kDetails[] = {
    MEMBER(SampleDetails, interrupted_pc), MEMBER(SampleDetails, data_address),
    MEMBER(SampleDetails, satp),           MEMBER(SampleDetails, counters),
    MEMBER(SampleDetails, registers),      MEMBER(SampleDetails, calls),
    MEMBER(SampleDetails, reserved),
};

template <std::size_t Count>
consteval bool complete(const Member (&members)[Count], std::size_t size) {
    std::size_t end = 0;
    for (const Member& member : members) {
        if (member.offset != end) {
            return false;
        }
        end += member.size;
    }
    return end == size;
}
static_assert(complete(kSample, sizeof(pes::SampleRecord)));
static_assert(complete(kDetails, sizeof(pes::SampleDetails)));

constexpr Number kSampleNumbers[] = {
    {"PES_SAMPLE_MAGIC", pes::kSampleMagic},
    {"PES_SAMPLE_VERSION", pes::kSampleVersion},
    {"PES_SAMPLE_DETAILED_VERSION", pes::kDetailedVersion},
    {"PES_SAMPLE_SIZE", pes::kSampleSize},
    {"PES_SAMPLE_LARGEST", pes::kLargestSample},
    {"PES_SAMPLE_MOST_CALLS", pes::kMostCalls},
    {"PES_SAMPLE_LENGTHENED", pes::kSampleLengthened},
    {"PES_SAMPLE_CAUSED", pes::kSampleCaused},
};

void begin(const char* guard) {
    std::printf("/* Generated by pes-sdk-headers. */\n#ifndef %s\n#define %s\n\n", guard, guard);
}

template <std::size_t Count>
void print(const Number (&numbers)[Count]) {
    for (const auto& [name, value] : numbers) {
        if (value < 0) {
            std::printf("#define %s (%" PRId64 ")\n", name, value);
        } else if (value < 256) {
            std::printf("#define %s %" PRId64 "\n", name, value);
        } else {
            std::printf("#define %s 0x%" PRIX64 "\n", name, static_cast<std::uint64_t>(value));
        }
    }
}

template <std::size_t Count>
void print(const char* name, const Member (&members)[Count]) {
    std::printf("\nstruct %s {\n", name);
    for (const Member& member : members) {
        std::printf("    uint%zu_t %s;\n", member.size * 8, member.name);
    }
    std::printf("};\n");
}

} // namespace

int main(int argc, char** argv) {
    const std::string_view which = argc == 2 ? argv[1] : "";
    if (which == "sbi") {
        begin("PES_SBI_NUMBERS_H");
        print(kSbiNumbers);
    } else if (which == "sample") {
        begin("PES_SAMPLE_H");
        std::printf(
            "/* A sample record (docs/pes.md, Record): struct pes_sample; of the detailed version "
            "also\n"
            "   struct pes_sample_details, then counters, registers and calls, 8 bytes each. */\n"
            "#include <stdint.h>\n\n");
        print(kSampleNumbers);
        print("pes_sample", kSample);
        print("pes_sample_details", kDetails);
    } else {
        std::fprintf(stderr, "pes-sdk-headers: expected sbi or sample\n");
        return 2;
    }
    std::printf("\n#endif\n");
    return 0;
}
