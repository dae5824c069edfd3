// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/timestamp_unit.h"

#include "hw/trace/register_bits.h"

#include <stdexcept>
#include <string>

namespace pes::trace {
namespace {

const TimestampConfig& checked(const TimestampConfig& config, const TimestampUnit* master) {
    if (config.bits < 1 || config.bits > kMostTimestampBits) {
        throw std::invalid_argument("timestamp unit: a counter of " + std::to_string(config.bits) +
                                    " bits, expected 1 to 64");
    }
    if ((config.type == TimestampType::Slave) != (master != nullptr)) {
        throw std::invalid_argument("timestamp unit: a slave has a master, and nothing else has");
    }
    return config;
}

} // namespace

TimestampUnit::TimestampUnit(const TimestampConfig& config, const TimestampUnit* master)
    : config_(checked(config, master)), master_(master),
      mask_(TimestampFormat{.bits = config.bits}.mask()) {}

std::vector<Register> TimestampUnit::registers(RegisterSet set) {
    return set == RegisterSet::SiFive ? sifive_registers() : standard_registers();
}

bool TimestampUnit::counts_itself() const {
    return config_.type == TimestampType::InternalBus ||
           config_.type == TimestampType::InternalCore;
}

bool TimestampUnit::stamps_messages() const {
    return config_.messages == MessageTimestamps::Present && config_.type != TimestampType::None;
}

void TimestampUnit::control(const TimestampFields& wanted, bool reset, Cycle at) {
    if (!wanted.active) {
        fields_ = {};
        base_ = 0;
        since_ = at;
        return;
    }
    TimestampFields next{.active = true};
    if (counts_itself()) {
        next.count = wanted.count;
        next.run_in_debug = wanted.run_in_debug;
        next.prescale = wanted.prescale;
    }
    if (stamps_messages()) {
        next.enable = wanted.enable;
        next.branches = wanted.branches;
        next.instrumentation = wanted.instrumentation;
        next.ownership = wanted.ownership;
    }
    // The prescaler keeps its phase over writes that do not concern it.
    reset = reset && counts_itself();
    if (reset || !fields_.active || next.count != fields_.count ||
        next.prescale != fields_.prescale) {
        base_ = reset ? 0 : counter(at);
        since_ = at;
    }
    fields_ = next;
}

std::uint64_t TimestampUnit::time_high(Cycle at) const {
    return time(at) >> kWordBits;
}

} // namespace pes::trace
