// SPDX-License-Identifier: Apache-2.0
// Events through the software trace module of the hart that runs this (Open SoC Debug). They cost a
// CSR write, and nothing ever waits for them. Any privilege level may send them; the registers are
// machine mode's as those of any device.
#pragma once

#include "firmware/boot/mmio.h"
#include "hw/interface/maps/software_trace.h"
#include "platform.h"

#include <stdint.h>

namespace pes::software_trace {

inline constexpr uint16_t kPrintId = 4; ///< a character; the host's log flushes a line at newline
inline constexpr uint16_t kThreadNameId = 0x4000; ///< THREAD_NAME: of the thread that runs

/// The value is what the module finds in a0.
inline void emit(uint16_t id, uint64_t value) {
    register uint64_t a0 asm("a0") = value;
    asm volatile("csrw %0, %1" ::"i"(PES_SOFTWARE_TRACE_CSR), "r"(uint64_t{id}), "r"(a0)
                 : "memory");
}

inline void print(const char* text) {
    while (*text != '\0') {
        emit(kPrintId, static_cast<uint8_t>(*text++));
    }
}

/// The thread pointer names the thread that runs. For programs that do not use it otherwise.
inline void switch_thread(uint64_t thread) {
    asm volatile("mv tp, %0" ::"r"(thread) : "memory");
}

/// Names the thread that runs, behind switch_thread(): as many characters an event as a value has,
/// the first one lowest, up to a zero byte. An event of one character would not end the name, so a
/// zero follows it.
inline void name_thread(const char* name) {
    constexpr unsigned kCharacters = PES_SOFTWARE_TRACE_VALUE_BITS / 8;
    while (*name != '\0') {
        uint64_t value = 0;
        unsigned count = 0;
        for (; count < kCharacters && *name != '\0'; ++count) {
            value |= uint64_t{static_cast<uint8_t>(*name++)} << 8 * count;
        }
        emit(kThreadNameId, value);
        if (*name == '\0' && (count == 1 || count == kCharacters)) {
            emit(kThreadNameId, 0);
        }
    }
}

inline uint64_t register_of(uint64_t hart, uint64_t offset) {
    return uint64_t{PES_SOFTWARE_TRACE_BASE} + hart * software_trace_map::kBlockBytes + offset;
}
inline uint16_t read_register(uint64_t hart, uint64_t offset) {
    return read_device<uint16_t>(register_of(hart, offset));
}
/// The events that follow in the program find it written.
inline void write_register(uint64_t hart, uint64_t offset, uint16_t value) {
    write_device<uint16_t>(register_of(hart, offset), value);
    asm volatile("fence" ::: "memory");
}

/// What a debugger does from outside.
inline void start(uint64_t hart, bool track_threads) {
    write_register(hart, software_trace_map::kThreadTracking,
                   track_threads ? software_trace_map::kTrackThreads : 0);
    write_register(hart, software_trace_map::kControl, software_trace_map::kActive);
}
inline void stall(uint64_t hart) {
    write_register(hart, software_trace_map::kControl, 0);
}

} // namespace pes::software_trace
