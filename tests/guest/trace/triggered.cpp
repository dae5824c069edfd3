// SPDX-License-Identifier: Apache-2.0
// Trace around an event: a loop of loads, of which the threshold of one counter starts the program
// trace and the overflow of another stops it. What the trace has collected in memory goes to a file
// on the host.
//
// Exit code: 0, or the number of the step that went wrong.
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "firmware/lib/host_file.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/pmu/counter_csr.h"
#include "platform.h"

namespace {

using namespace pes;
namespace control = trace_map::control;
namespace timestamp = trace_map::timestamp;

constexpr uint64_t kEncoder = PES_TRACE_ENCODER_BASE;
constexpr uint32_t kBufferBytes = 4096;

constexpr unsigned kStarting = kFirstProgrammable; ///< counters
constexpr unsigned kStopping = kStarting + 1;
constexpr uint64_t kHeld = uint64_t{1} << kStarting | uint64_t{1} << kStopping;
constexpr uint64_t kLoads = 5; ///< selector of the event
constexpr uint64_t kFirst = 40;
constexpr uint64_t kLast = 100;
constexpr uint64_t kAll = 200;

/// xtiControl: the threshold line is input 0, the overflow request input 2.
constexpr uint32_t kStartStop = 2U | 3U << 8;

alignas(64) volatile uint8_t buffer[kBufferBytes];
volatile uint64_t word;

uint32_t read(uint64_t offset) {
    return read_device<uint32_t>(kEncoder + offset);
}

void write(uint64_t offset, uint32_t value) {
    write_device<uint32_t>(kEncoder + offset, value);
}

[[gnu::noinline]] void load(uint64_t times) {
    asm volatile("1: ld zero, 0(%1)\n"
                 "addi %0, %0, -1\n"
                 "bnez %0, 1b"
                 : "+r"(times)
                 : "r"(&word)
                 : "memory");
}

void wait_for_trigger() {
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    write(trace_map::kControl, 0);
    write(trace_map::kControl, control::kActive);
    write(trace_map::kControl, control::kActive | control::kEnable |
                                   trace_map::instruction::kBranches << control::kInstructionShift |
                                   control::kStopOnWrap |
                                   control::kSyncNever << control::kSyncMaxMessagesShift |
                                   control::kSyncNever << control::kSyncMaxUnitsShift |
                                   trace_map::sink::kMemory << control::kSinkShift);
    write(trace_map::kSinkBase, static_cast<uint32_t>(base));
    write(trace_map::kSinkBaseHigh, static_cast<uint32_t>(base >> 32));
    write(trace_map::kSinkLimit, static_cast<uint32_t>(base + kBufferBytes - 2));
    write(trace_map::kSinkWritePointer, static_cast<uint32_t>(base));
    write(trace_map::kTimestampControl, read(trace_map::kTimestampControl) | timestamp::kActive |
                                            timestamp::kCount | timestamp::kEnable |
                                            timestamp::kBranchMask << timestamp::kBranchShift);
    write(trace_map::kTriggerInControl, kStartStop);
}

void count_loads() {
    write_csr<event_csr(kStarting)>(kLoads);
    write_csr<event_csr(kStopping)>(kLoads);
    write_csr<counter_csr(kStarting)>(0);
    write_csr<threshold_csr(kStarting)>(kFirst);
    write_csr<counter_csr(kStopping)>(0 - kLast);
    clear_csr<csr::kMcountinhibit>(kHeld);
    load(kAll);
    set_csr<csr::kMcountinhibit>(kHeld);
}

bool save(const char* name, const volatile void* bytes, uint32_t length) {
    const int64_t file = host_file_create(name);
    return file >= 0 && host_file_write(file, bytes, length) == length &&
           host_file_close(file) == 0;
}

} // namespace

int main() {
    set_csr<csr::kMcountinhibit>(kHeld);
    wait_for_trigger();
    if ((read(trace_map::kControl) & control::kTracing) != 0) {
        return 1;
    }
    count_loads();
    if ((read(trace_map::kControl) & control::kTracing) != 0) {
        return 2; // the overflow has not stopped it
    }
    write(trace_map::kControl, read(trace_map::kControl) & ~control::kEnable);
    while ((read(trace_map::kControl) & control::kEmpty) == 0) {
    }
    const auto base = static_cast<uint32_t>(reinterpret_cast<uint64_t>(&buffer[0]));
    const uint32_t end = read(trace_map::kSinkWritePointer);
    if (end <= base || end > base + kBufferBytes) {
        return 3; // the threshold has not started it
    }
    return save("triggered.rtd", buffer, end - base) ? 0 : 4;
}
