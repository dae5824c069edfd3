// SPDX-License-Identifier: Apache-2.0
// The counters that are no hardware: what the firmware itself sees happen (SBI 3.0, PMU, events of
// type 15). 64 bits each, any event on any of them.
#pragma once

#include "firmware/boot/machine_local.h"
#include "firmware/sbi/sbi.h"
#include "platform.h"

#include <stdint.h>

namespace pes {

inline constexpr unsigned kFirmwareCounterCount = 16;

class FirmwareCounters {
  public:
    /// The event has happened so many times.
    void count(sbi::pmu::FirmwareEvent event, uint64_t times) {
        for (unsigned i = 0; running_ >> i != 0; ++i) {
            if (running(i) && event_[i] == event) {
                value_[i] += times;
            }
        }
    }

    bool configured(unsigned i) const { return (configured_ >> i & 1) != 0; }
    bool running(unsigned i) const { return (running_ >> i & 1) != 0; }
    uint64_t value(unsigned i) const { return value_[i]; }
    void set_value(unsigned i, uint64_t value) { value_[i] = value; }

    void configure(unsigned i, sbi::pmu::FirmwareEvent event) {
        configured_ |= 1U << i;
        event_[i] = event;
    }
    void run(unsigned i) { running_ |= 1U << i; }
    void hold(unsigned i) { running_ &= ~(1U << i); }
    void release(unsigned i) {
        hold(i);
        configured_ &= ~(1U << i);
    }

  private:
    uint32_t configured_ = 0;
    uint32_t running_ = 0;
    sbi::pmu::FirmwareEvent event_[kFirmwareCounterCount] = {};
    uint64_t value_[kFirmwareCounterCount] = {};
};

extern FirmwareCounters firmware_counters_of_harts[PES_MAX_HARTS];

/// Of the hart that asks.
inline FirmwareCounters& firmware_counters() {
    return firmware_counters_of_harts[hart_id()];
}

inline void count_firmware_event(sbi::pmu::FirmwareEvent event, uint64_t times = 1) {
    firmware_counters().count(event, times);
}

} // namespace pes
