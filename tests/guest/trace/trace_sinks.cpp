// SPDX-License-Identifier: Apache-2.0
// Writes to stimuli into each sink, programmed in the order and with the values of the published
// bare-metal performance firmware for SiFive's encoders: reset without polling, control in one go
// with slice format 0, limit = base + size - 2, tracing switched on last. What the SRAM and the
// memory sink have collected goes to files on the host, the probe's bytes leave by themselves.
//
// Exit code: 0, or the number of the step that went wrong.
#include "firmware/boot/mmio.h"
#include "firmware/lib/host_file.h"
#include "hw/interface/maps/trace.h"
#include "platform.h"

namespace {

using namespace pes;
namespace control = trace_map::control;
namespace probe = trace_map::probe;
namespace sink = trace_map::sink;
namespace timestamp = trace_map::timestamp;

constexpr uint64_t kEncoder = PES_TRACE_ENCODER_BASE;
constexpr uint32_t kBufferBytes = 4096;
constexpr unsigned kPrintStimulus = 0;
constexpr unsigned kValueStimulus = 6;

alignas(64) volatile uint8_t buffer[kBufferBytes];
alignas(64) volatile uint32_t copy[kBufferBytes / 4];

uint32_t read(uint64_t offset) {
    return read_device<uint32_t>(kEncoder + offset);
}

void write(uint64_t offset, uint32_t value) {
    write_device<uint32_t>(kEncoder + offset, value);
}

template <typename Word>
void stimulate(unsigned stimulus, Word value) {
    const uint64_t place = trace_map::kItcStimulus + 4 * stimulus;
    while (read(place) == 0) {
    }
    write_device<Word>(kEncoder + place + 4 - sizeof(Word), value);
}

/// Four bytes a message, then what is left one by one.
void print(const char* text) {
    while (text[0] != '\0') {
        uint32_t word = 0;
        unsigned count = 0;
        while (count < 4 && text[count] != '\0') {
            word |= static_cast<uint32_t>(static_cast<uint8_t>(text[count])) << (8 * count);
            ++count;
        }
        if (count == 4) {
            stimulate<uint32_t>(kPrintStimulus, word);
        } else {
            for (unsigned i = 0; i < count; ++i) {
                stimulate<uint8_t>(kPrintStimulus, static_cast<uint8_t>(word >> (8 * i)));
            }
        }
        text += count;
    }
}

void start(uint32_t code) {
    write(trace_map::kControl, 0);
    write(trace_map::kControl, control::kActive);
    write(trace_map::kControl,
          control::kActive | control::kEnable |
              trace_map::instrumentation::kStimuli << control::kInstrumentationShift |
              control::kStopOnWrap | control::kSyncNever << control::kSyncMaxMessagesShift |
              control::kSyncNever << control::kSyncMaxUnitsShift | code << control::kSinkShift);
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    write(trace_map::kSinkBase, static_cast<uint32_t>(base));
    write(trace_map::kSinkBaseHigh, static_cast<uint32_t>(base >> 32));
    write(trace_map::kSinkLimit, static_cast<uint32_t>(base + kBufferBytes - 2));
    write(trace_map::kSinkWritePointer, code == sink::kMemory ? static_cast<uint32_t>(base) : 0);
    write(trace_map::kSinkReadPointer, 0);
    write(trace_map::kProbeControl, probe::kActive | probe::kEnable | 11U << probe::kModeShift);
    write(trace_map::kTimestampControl, read(trace_map::kTimestampControl) | timestamp::kActive |
                                            timestamp::kCount | timestamp::kEnable |
                                            timestamp::kInstrumentation);
    write(trace_map::kItcTraceEnable, ~0U);
    write(trace_map::kControl, read(trace_map::kControl) | control::kTracing);
}

void stop() {
    write(trace_map::kControl, read(trace_map::kControl) & ~control::kTracing);
    write(trace_map::kControl, read(trace_map::kControl) & ~control::kEnable);
    while ((read(trace_map::kControl) & control::kEmpty) == 0) {
    }
}

/// Every width of a store to a stimulus, and a line of text.
void emit(const char* text) {
    stimulate<uint32_t>(kValueStimulus, 0x7F63'F334);
    stimulate<uint16_t>(kValueStimulus, 0xBEEF);
    stimulate<uint8_t>(kValueStimulus, 0);
    print(text);
}

bool save(const char* name, const volatile void* bytes, uint32_t length) {
    const int64_t file = host_file_create(name);
    return file >= 0 && host_file_write(file, bytes, length) == length &&
           host_file_close(file) == 0;
}

} // namespace

int main() {
    start(sink::kSram);
    emit("into SRAM\n");
    stop();
    const uint32_t filled = read(trace_map::kSinkWritePointer);
    if (filled == 0 || filled > sizeof copy || (filled & trace_map::kWrapped) != 0) {
        return 1;
    }
    for (uint32_t i = 0; i < filled / 4; ++i) {
        copy[i] = read(trace_map::kSinkData);
    }
    if (!save("sram.rtd", copy, filled)) {
        return 2;
    }

    start(sink::kMemory);
    emit("into memory\n");
    stop();
    const auto base = static_cast<uint32_t>(reinterpret_cast<uint64_t>(&buffer[0]));
    const uint32_t end = read(trace_map::kSinkWritePointer);
    if (end <= base || end > base + kBufferBytes ||
        (read(trace_map::kControl) & control::kSinkError) != 0) {
        return 3;
    }
    if (!save("memory.rtd", buffer, end - base)) {
        return 4;
    }

    start(sink::kProbe);
    emit("through the probe\n");
    stop();
    if ((read(trace_map::kProbeControl) & probe::kEmpty) == 0) {
        return 5;
    }
    return 0;
}
