// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/timestamp_unit.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"

#include <stdexcept>
#include <string>

namespace pes::trace {
namespace {

namespace ts = trace_map::timestamp;

constexpr std::uint32_t kPrescaleField = ts::kPrescaleMask << ts::kPrescaleShift;
constexpr std::uint32_t kBranchField = ts::kBranchMask << ts::kBranchShift;
constexpr std::uint32_t kIndirectBranches = 1U << ts::kBranchShift;
constexpr std::uint32_t kAllBranches = 3U << ts::kBranchShift;
constexpr std::uint32_t kReservedBranches = 2U << ts::kBranchShift;
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

std::vector<Register> TimestampUnit::registers() {
    RegisterMap<TimestampUnit> map(*this);
    map.reg("tsControl", trace_map::kTimestampControl)
        .u32()
        .read(&TimestampUnit::read_control)
        .write(&TimestampUnit::write_control);
    map.reg("tsLower", trace_map::kTimestampLower).u32().read_only().read(&TimestampUnit::time);
    map.reg("tsUpper", trace_map::kTimestampUpper)
        .u32()
        .read_only()
        .read(&TimestampUnit::time_high);
    return map.take();
}

std::uint64_t TimestampUnit::time_high(Cycle at) const {
    return time(at) >> kWordBits;
}

bool TimestampUnit::counts_itself() const {
    return config_.type == TimestampType::InternalBus ||
           config_.type == TimestampType::InternalCore;
}

std::uint32_t TimestampUnit::writable() const {
    std::uint32_t fields = ts::kActive;
    if (counts_itself()) {
        fields |= ts::kCount | ts::kDebug | kPrescaleField;
    }
    if (config_.messages == MessageTimestamps::Present && config_.type != TimestampType::None) {
        fields |= ts::kEnable | kBranchField | ts::kInstrumentation | ts::kOwnership;
    }
    return fields;
}

std::uint32_t TimestampUnit::read_control() const {
    const bool there = config_.type != TimestampType::None;
    const bool difference = there && config_.messages == MessageTimestamps::Present &&
                            config_.dialect == TimestampDialect::NTrace;
    return control_ | (difference ? ts::kDifference : 0) |
           static_cast<std::uint32_t>(config_.type) << ts::kTypeShift |
           (there ? config_.bits << ts::kWidthShift : 0);
}

void TimestampUnit::write_control(std::uint32_t value, Cycle at) {
    if ((value & ts::kActive) == 0) { // held in reset: every field and the counter are 0
        control_ = 0;
        base_ = 0;
        since_ = at;
        return;
    }
    std::uint32_t next = value & writable();
    if ((next & kBranchField) == kReservedBranches) {
        next = (next & ~kBranchField) | (control_ & kBranchField);
    }
    const bool reset = counts_itself() && (value & ts::kReset) != 0;
    // The prescaler keeps its phase over writes that do not concern it.
    if (reset || ((next ^ control_) & (ts::kActive | ts::kCount | kPrescaleField)) != 0) {
        base_ = reset ? 0 : counter(at);
        since_ = at;
    }
    control_ = next;
}

std::uint64_t TimestampUnit::counter(Cycle at) const {
    if ((control_ & ts::kCount) == 0 || at < since_) {
        return base_;
    }
    const unsigned prescale = (control_ & kPrescaleField) >> ts::kPrescaleShift;
    return base_ + ((at - since_) >> (2 * prescale));
}

std::uint64_t TimestampUnit::time(Cycle at) const {
    if ((control_ & ts::kActive) == 0) {
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

bool TimestampUnit::on_indirect_branches() const {
    return (control_ & ts::kEnable) != 0 && (control_ & kIndirectBranches) != 0;
}

bool TimestampUnit::on_all_branches() const {
    return (control_ & ts::kEnable) != 0 && (control_ & kBranchField) == kAllBranches;
}

bool TimestampUnit::on_instrumentation() const {
    return (control_ & ts::kEnable) != 0 && (control_ & ts::kInstrumentation) != 0;
}

bool TimestampUnit::on_ownership() const {
    return (control_ & ts::kEnable) != 0 && (control_ & ts::kOwnership) != 0;
}

} // namespace pes::trace
