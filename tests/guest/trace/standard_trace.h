// SPDX-License-Identifier: Apache-2.0
// What programs that drive the registers of the Trace Control Interface 1.0 themselves share: the
// order of enabling and disabling of its chapter "Enabling and Disabling".
#pragma once

#include "firmware/boot/mmio.h"
#include "firmware/lib/host_file.h"
#include "hw/interface/maps/trace_control.h"
#include "platform.h"

#include <stdint.h>

namespace pes::standard_trace {

namespace control = trace_control;
namespace ram = trace_control::ram;
namespace te = trace_control::encoder;

inline constexpr uint64_t kRamSink = PES_TRACE_RAM_SINK_BASE;
inline constexpr uint64_t kFunnel = PES_TRACE_FUNNEL_BASE;

constexpr uint64_t encoder(uint64_t hart) {
    return PES_TRACE_ENCODER_BASE + hart * control::kComponentBytes;
}

inline uint32_t read(uint64_t component, uint64_t offset) {
    return read_device<uint32_t>(component + offset);
}

inline void write(uint64_t component, uint64_t offset, uint32_t value) {
    write_device<uint32_t>(component + offset, value);
}

/// Until the bits read as wanted; false if they never do.
inline bool wait_for(uint64_t component, uint32_t mask, uint32_t wanted) {
    for (unsigned poll = 0; poll < 100'000; ++poll) {
        if ((read(component, control::kControl) & mask) == wanted) {
            return true;
        }
    }
    return false;
}

/// Reset, and whether it is a component of version 1.0 and this type.
inline bool activate(uint64_t component, uint32_t type) {
    write(component, control::kControl, 0);
    if (!wait_for(component, control::kActive, 0)) {
        return false;
    }
    write(component, control::kControl, control::kActive);
    constexpr uint32_t kVersionAndType = 0xFFF;
    return wait_for(component, control::kActive | control::kEnable, control::kActive) &&
           (read(component, control::kImplementation) & kVersionAndType) ==
               control::implementation_of(type);
}

inline bool enable(uint64_t component, uint32_t more) {
    write(component, control::kControl, control::kActive | more);
    write(component, control::kControl, control::kActive | control::kEnable | more);
    return wait_for(component, control::kEnable, control::kEnable);
}

inline bool disable(uint64_t component, uint32_t more = 0) {
    write(component, control::kControl, control::kActive | more);
    return wait_for(component, control::kEnable | control::kEmpty, control::kEmpty);
}

/// History trace of the hart, which may stall; every message has a timestamp.
inline constexpr uint32_t kTraced =
    te::kModeHistory << te::kModeShift | te::kStallEnable | te::kSyncMessages << te::kSyncModeShift;

/// `prepare` writes to the registers of an encoder that is active and not yet enabled.
inline bool start_encoder(uint64_t hart, void (*prepare)(uint64_t unit) = nullptr) {
    const uint64_t unit = encoder(hart);
    if (!activate(unit, control::implementation::kEncoder)) {
        return false;
    }
    if (prepare != nullptr) {
        prepare(unit);
    }
    write(unit, control::timestamp::kControl,
          control::kActive | control::timestamp::kCount | control::timestamp::kEnable);
    write(unit, control::vendor::kInstrumentation, 1);
    write(unit, control::vendor::kItcTraceEnable, ~0U);
    if (!enable(unit, kTraced)) {
        return false;
    }
    write(unit, control::kControl, control::kActive | control::kEnable | te::kTracing | kTraced);
    return true;
}

/// The hart itself, or another that does not trace any more.
inline bool stop_encoder(uint64_t hart) {
    write(encoder(hart), control::kControl, control::kActive | control::kEnable | kTraced);
    return disable(encoder(hart), kTraced);
}

inline void stimulate(uint64_t hart, uint32_t value) {
    constexpr unsigned kStimulus = 6;
    const uint64_t place = control::vendor::kItcStimulus + 4 * kStimulus;
    while (read(encoder(hart), place) == 0) {
    }
    write(encoder(hart), place, value);
}

inline bool start_sram(uint32_t more = 0) {
    if (!activate(kRamSink, control::implementation::kRamSink)) {
        return false;
    }
    write(kRamSink, control::kControl, control::kActive); // SRAM mode first
    write(kRamSink, ram::kWritePointerLow, 0);
    return enable(kRamSink, more);
}

inline bool start_memory(uint64_t base, uint64_t size, uint32_t more = 0) {
    if (!activate(kRamSink, control::implementation::kRamSink)) {
        return false;
    }
    const uint64_t last = base + size - sizeof(uint32_t);
    write(kRamSink, control::kControl, control::kActive | ram::kModeMemory);
    write(kRamSink, ram::kStartLow, static_cast<uint32_t>(base));
    write(kRamSink, ram::kStartHigh, static_cast<uint32_t>(base >> 32));
    write(kRamSink, ram::kLimitLow, static_cast<uint32_t>(last));
    write(kRamSink, ram::kLimitHigh, static_cast<uint32_t>(last >> 32));
    write(kRamSink, ram::kWritePointerHigh, static_cast<uint32_t>(base >> 32));
    write(kRamSink, ram::kWritePointerLow, static_cast<uint32_t>(base));
    return enable(kRamSink, ram::kModeMemory | more);
}

struct Filled {
    uint64_t address;
    bool wrapped;
};

inline Filled filled() {
    const uint32_t low = read(kRamSink, ram::kWritePointerLow);
    return {.address = uint64_t{read(kRamSink, ram::kWritePointerHigh)} << 32 | (low & ~3U),
            .wrapped = (low & ram::kWrapped) != 0};
}

/// A circular buffer, oldest byte first, as a file of the host.
inline bool save(const char* name, const volatile uint8_t* buffer, uint64_t size,
                 const Filled& where) {
    const int64_t file = host_file_create(name);
    if (file < 0) {
        return false;
    }
    const uint64_t head = where.address - reinterpret_cast<uint64_t>(buffer);
    const auto tail = static_cast<int64_t>(size - head);
    bool good = true;
    if (where.wrapped) {
        good = host_file_write(file, buffer + head, size - head) == tail;
    }
    if (head != 0) {
        good = good && host_file_write(file, buffer, head) == static_cast<int64_t>(head);
    }
    return host_file_close(file) == 0 && good;
}

} // namespace pes::standard_trace
