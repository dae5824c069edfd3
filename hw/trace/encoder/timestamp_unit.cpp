// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/timestamp_unit.h"

#include <stdexcept>
#include <string>

namespace pes::trace {
namespace {

constexpr unsigned kWordBits = 32;

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
    : config_(checked(config, master)), master_(master) {}

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

std::uint64_t TimestampUnit::counter(Cycle at) const {
    if (!fields_.count || at < since_) {
        return base_;
    }
    return base_ + ((at - since_) >> (2 * fields_.prescale));
}

std::uint64_t TimestampUnit::time(Cycle at) const {
    if (!fields_.active) {
        return 0;
    }
    const std::uint64_t mask = TimestampFormat{.bits = config_.bits}.mask();
    switch (config_.type) {
    case TimestampType::None:
        return 0;
    case TimestampType::External:
        return at & mask;
    case TimestampType::InternalBus:
    case TimestampType::InternalCore:
        return counter(at) & mask;
    case TimestampType::Slave:
        return master_->time(at) & mask;
    }
    return 0;
}

std::uint64_t TimestampUnit::time_high(Cycle at) const {
    return time(at) >> kWordBits;
}

bool TimestampUnit::on_indirect_branches() const {
    return fields_.enable && fields_.branches != TimestampedBranches::None;
}

bool TimestampUnit::on_all_branches() const {
    return fields_.enable && fields_.branches == TimestampedBranches::All;
}

bool TimestampUnit::on_instrumentation() const {
    return fields_.enable && fields_.instrumentation;
}

bool TimestampUnit::on_ownership() const {
    return fields_.enable && fields_.ownership;
}

} // namespace pes::trace
