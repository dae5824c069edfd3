// SPDX-License-Identifier: Apache-2.0
// Random words into random registers of the Trace Control Interface 1.0 while the program traces
// itself. No value is kept from the registers but such buffers as would overwrite the program:
// SMEM buffers lie behind main memory. The platform, and the program, go on.
#include "tests/guest/trace/standard_trace.h"

namespace {

using namespace pes;
using namespace pes::standard_trace;

constexpr unsigned kRounds = 20'000;
constexpr uint32_t kSeed = 0x2545'F491;

uint32_t next(uint32_t& state) { // xorshift32
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

/// Start and write pointer are beyond 256 GiB: no memory is there.
bool is_high_half(uint64_t component, uint64_t offset) {
    return component == kRamSink && (offset == ram::kStartHigh || offset == ram::kWritePointerHigh);
}

alignas(64) volatile uint8_t buffer[64];

/// The write pointer is in memory, the start beyond all of it, and the limit below both.
bool survives_torn_buffer() {
    if (!start_memory(reinterpret_cast<uint64_t>(&buffer[0]), sizeof buffer)) {
        return false;
    }
    write(kRamSink, ram::kStartHigh, 0x40);
    write(kRamSink, ram::kLimitLow, 0);
    write(kRamSink, ram::kLimitHigh, 0);
    if (!start_encoder(0)) {
        return false;
    }
    for (unsigned count = 0; count < 200; ++count) {
        stimulate(0, count);
    }
    const bool stopped = stop_encoder(0) && disable(kRamSink, ram::kModeMemory);
    return stopped && (read(kRamSink, ram::kStatus) & ram::kStatusBusError) != 0;
}

} // namespace

int main() {
    constexpr uint64_t kComponents[] = {encoder(0), kRamSink, kRamSink};
    constexpr uint64_t kOffsets[] = {0x000, 0x004, 0x008, 0x00C, 0x010, 0x014, 0x018, 0x01C,
                                     0x020, 0x024, 0x028, 0x02C, 0x040, 0x048, 0x050, 0x054,
                                     0x058, 0x400, 0x604, 0xE00, 0xE04, 0xE08, 0xE20, 0xE80,
                                     0xE98, 0xEFC, 0xFFC, 0x000, 0x000, 0x010, 0x018, 0x020,
                                     0x420, 0x404, 0x408, 0x40C, 0x600, 0x610, 0x618, 0x620};
    constexpr unsigned kCount = sizeof kOffsets / sizeof kOffsets[0];
    uint32_t state = kSeed;
    uint32_t sum = 0;
    for (unsigned round = 0; round < kRounds; ++round) {
        const uint64_t component = kComponents[next(state) % 3];
        const uint64_t offset = kOffsets[next(state) % kCount];
        uint32_t value = next(state);
        if ((value & 0x3000'0000) == 0) {
            value &= 0x1FF; // often a plausible control word
        }
        if (is_high_half(component, offset)) {
            value |= 0x40;
        }
        if (component == kRamSink && offset == control::kControl) { // the halves first
            write(kRamSink, ram::kStartHigh, 0x40);
            write(kRamSink, ram::kWritePointerHigh, 0x40);
        }
        write(component, offset, value);
        sum += read(component, offset);
    }
    // It still works: out of reset as the standard has it, and 32 bits into the SRAM.
    if (!start_sram() || !start_encoder(0)) {
        return 1;
    }
    stimulate(0, sum);
    if (!stop_encoder(0) || !disable(kRamSink)) {
        return 2;
    }
    if (filled().address == 0) {
        return 3;
    }
    return survives_torn_buffer() ? 0 : 4;
}
