// SPDX-License-Identifier: Apache-2.0
// For the modelled hart: traces itself into the SRAM of its encoder, then into main memory, with
// stimuli between. Prints what has arrived there, and when.
extern "C" {
#include "runtime.h"
}

#include "hw/interface/maps/trace.h"

namespace {

using namespace pes;
namespace control = trace_map::control;
namespace timestamp = trace_map::timestamp;

constexpr uint64_t kEncoder = 0x1100'0000;
constexpr uint32_t kBufferBytes = 4096;

alignas(64) volatile uint8_t buffer[kBufferBytes];

volatile uint32_t& reg(uint64_t offset) {
    return *reinterpret_cast<volatile uint32_t*>(kEncoder + offset);
}

uint64_t cycle() {
    uint64_t value = 0;
    __asm__ volatile("csrr %0, mcycle" : "=r"(value));
    return value;
}

void tell(const char* what, uint64_t count) {
    print(what);
    print_number(count);
    print("\n");
}

void start(uint32_t sink) {
    reg(trace_map::kControl) = 0;
    reg(trace_map::kControl) = control::kActive;
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    reg(trace_map::kSinkBase) = static_cast<uint32_t>(base);
    reg(trace_map::kSinkBaseHigh) = static_cast<uint32_t>(base >> 32);
    reg(trace_map::kSinkLimit) = static_cast<uint32_t>(base + kBufferBytes - 4);
    reg(trace_map::kSinkWritePointer) =
        sink == trace_map::sink::kMemory ? static_cast<uint32_t>(base) : 0;
    reg(trace_map::kSinkReadPointer) = 0;
    reg(trace_map::kTimestampControl) =
        timestamp::kActive | timestamp::kCount | timestamp::kEnable | timestamp::kInstrumentation;
    reg(trace_map::kItcTraceEnable) = ~0U;
    const uint32_t value = control::kActive | control::kEnable | control::kStallEnable |
                           trace_map::instruction::kHistory << control::kInstructionShift |
                           trace_map::instrumentation::kStimuli << control::kInstrumentationShift |
                           2U << control::kSyncMaxMessagesShift |
                           control::kSyncNever << control::kSyncMaxUnitsShift |
                           sink << control::kSinkShift;
    reg(trace_map::kControl) = value;
    reg(trace_map::kControl) = value | control::kTracing;
}

void stop() {
    reg(trace_map::kControl) = reg(trace_map::kControl) & ~control::kTracing;
    reg(trace_map::kControl) = reg(trace_map::kControl) & ~control::kEnable;
    while ((reg(trace_map::kControl) & control::kEmpty) == 0) {
    }
}

/// Looks into the buffer while it is being filled.
uint64_t work() {
    uint64_t state = 1;
    for (unsigned turn = 0; turn < 300; ++turn) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        if ((state >> 60) % 3 == 0) {
            reg(trace_map::kItcStimulus + 4 * 6) = static_cast<uint32_t>(state >> 32);
        }
        state += buffer[turn % 64];
    }
    return state;
}

} // namespace

extern "C" int main() {
    constexpr uint32_t kSinks[] = {trace_map::sink::kSram, trace_map::sink::kMemory};
    for (const uint32_t sink : kSinks) {
        start(sink);
        const uint64_t state = work();
        stop();
        const uint32_t end = reg(trace_map::kSinkWritePointer);
        uint64_t sum = 0;
        if (sink == trace_map::sink::kSram) {
            for (uint32_t at = 0; at < (end & ~3U); at += 4) {
                sum = sum * 31 + reg(trace_map::kSinkData);
            }
        } else {
            for (const volatile uint8_t& byte : buffer) {
                sum = sum * 31 + byte;
            }
        }
        tell("work          ", state);
        tell("write pointer ", end);
        tell("sum of trace  ", sum);
        tell("error         ", reg(trace_map::kControl) & control::kSinkError);
        tell("cycle         ", cycle());
    }
    *reinterpret_cast<volatile uint32_t*>(0x0010'0000) = 0x5555;
    return 0;
}
