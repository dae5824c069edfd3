// SPDX-License-Identifier: Apache-2.0
// One stimulus register of an encoder, as the record format's writer wants it. A read that returns
// 0 means that there is no room for a message; the offset of a store tells its size.
#pragma once

#include "firmware/perf/trace_unit.h"

namespace pes::perf {

class Stimulus {
  public:
    Stimulus() = default;
    /// `sink_unit`: the unit that switches itself off when the trace buffer is full. Nobody takes
    /// messages then, and there may never be room again.
    Stimulus(const TraceUnit& encoder, const TraceUnit& sink_unit, unsigned channel)
        : address_(encoder.stimulus(channel)), sink_unit_(sink_unit), channel_(channel) {}

    unsigned channel() const { return channel_; }

    void word(uint32_t value) {
        if (has_room()) {
            machine::store32(address_, value);
        }
    }
    void half(uint16_t value) {
        if (has_room()) {
            machine::store16(address_ + 2, value);
        }
    }
    void byte(uint8_t value) {
        if (has_room()) {
            machine::store8(address_ + 3, value);
        }
    }

    bool only_word(uint32_t value, uint64_t rest) {
        uint64_t other = rest | (machine::load32(address_) == 0 ? 1 : 0);
        asm("" : "+r"(other)); // one branch for both: the compiler would make two of it again
        if (other != 0) [[unlikely]] {
            return false;
        }
        machine::store32(address_, value);
        return true;
    }

    /// Something could not be written since the last call.
    bool take_failure() {
        const bool failed = failed_;
        failed_ = false;
        return failed;
    }

  private:
    bool has_room() { return machine::load32(address_) != 0 || wait_for_room(); }

    [[gnu::noinline]] bool wait_for_room() { // rare: kept out of the way of each store
        do {
            if (sink_unit_.stopped()) {
                failed_ = true;
                return false;
            }
        } while (machine::load32(address_) == 0);
        return true;
    }

    uint64_t address_ = 0;
    TraceUnit sink_unit_;
    unsigned channel_ = 0;
    bool failed_ = false;
};

} // namespace pes::perf
