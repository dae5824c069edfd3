// SPDX-License-Identifier: Apache-2.0
// One hart that traces itself by the registers of the Trace Control Interface 1.0: into the SRAM,
// into memory, into memory that wraps, and into memory that stops when it is full. Each buffer
// becomes a file on the host.
//
// Exit code: 0, or the number of the step that went wrong.
#include "tests/guest/trace/standard_trace.h"

namespace {

using namespace pes;
using namespace pes::standard_trace;

constexpr uint32_t kBufferBytes = 8192;
constexpr uint32_t kSmallBytes = 256;

alignas(64) volatile uint8_t buffer[kBufferBytes];
alignas(64) volatile uint32_t copy[0x1'0000 / 4]; // as large as the SRAM
volatile uint32_t table[64];

[[gnu::noinline]] uint32_t fold(uint32_t value, unsigned turns) {
    for (unsigned turn = 0; turn < turns; ++turn) {
        value = (value & 1) != 0 ? value >> 1 ^ 0xEDB8'8320U : value >> 1;
        table[turn % 64] = value;
    }
    return value;
}

/// Branches, calls and returns, and a stimulus with what comes of it.
[[gnu::noinline]] void work(unsigned turns) {
    uint32_t value = turns;
    for (unsigned turn = 0; turn < turns; ++turn) {
        value = fold(value + turn, 8 + turn % 5);
    }
    stimulate(0, value);
}

bool stop_all(uint32_t mode = 0) {
    return stop_encoder(0) && disable(kRamSink, mode);
}

bool into_sram() {
    if (!start_sram() || !start_encoder(0)) {
        return false;
    }
    work(20);
    if (!stop_all()) {
        return false;
    }
    const Filled where = filled();
    if (where.wrapped || where.address == 0 || where.address > sizeof copy) {
        return false;
    }
    write(kRamSink, ram::kReadPointerLow, 0);
    for (uint64_t word = 0; word < where.address / 4; ++word) {
        copy[word] = read(kRamSink, ram::kData);
    }
    const int64_t file = host_file_create("sram.rtd");
    return file >= 0 &&
           host_file_write(file, copy, where.address) == static_cast<int64_t>(where.address) &&
           host_file_close(file) == 0;
}

/// `turns` of work; whether the buffer then has or has not wrapped, as it should.
bool into_memory(const char* name, uint32_t size, unsigned turns, bool wraps) {
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    if (!start_memory(base, size) || !start_encoder(0)) {
        return false;
    }
    work(turns);
    if (!stop_all(ram::kModeMemory)) {
        return false;
    }
    const Filled where = filled();
    const bool inside = where.address >= base && where.address < base + size;
    return inside && where.wrapped == wraps && save(name, buffer, size, where);
}

/// The hart goes on when the buffer is full, although its encoder may stall it.
bool until_full() {
    const auto base = reinterpret_cast<uint64_t>(&buffer[0]);
    if (!start_memory(base, kSmallBytes, ram::kStopOnWrap) || !start_encoder(0)) {
        return false;
    }
    work(200);
    if ((read(kRamSink, control::kControl) & control::kEnable) != 0 || !stop_encoder(0)) {
        return false;
    }
    const Filled where = filled();
    return where.wrapped && where.address == base &&
           save("stopped.rtd", buffer, kSmallBytes, where);
}

} // namespace

int main() {
    if (!into_sram()) {
        return 1;
    }
    if (!into_memory("memory.rtd", kBufferBytes, 20, false)) {
        return 2;
    }
    if (!into_memory("wrapped.rtd", kSmallBytes, 200, true)) {
        return 3;
    }
    return until_full() ? 0 : 4;
}
