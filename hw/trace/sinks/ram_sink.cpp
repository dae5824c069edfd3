// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/ram_sink.h"

#include "hw/common/archive.h"
#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/register_bits.h"
#include "hw/trace/register_set.h"

#include <spdlog/spdlog.h>

#include <stdexcept>
#include <utility>

namespace pes::trace {
namespace {

namespace ram = trace_control::ram;
namespace implementation_field = trace_control::implementation;
namespace sink = trace_map::sink;

} // namespace

RamSink::RamSink(const std::string& name, TraceSink& sink)
    : sink_(sink), log_(module_logger(name)),
      registers_(name, trace_control::kComponentBytes, describe()) {
    constexpr std::uint32_t kOwn = 1U << sink::kSram | 1U << sink::kMemory;
    if ((sink.present() & kOwn) == 0 || (sink.present() & ~kOwn) != 0) {
        throw std::invalid_argument(name + ": a RAM sink has SRAM, memory or both");
    }
    sink_.set_owner(*this);
    reset(0);
}

std::vector<Register> RamSink::describe() {
    RegisterMap<RamSink> map(*this);
    const auto address = [&map](const char* low, const char* high, Address offset, auto read,
                                auto write) {
        map.reg(low, offset).u32().read(read, kLowHalf).write(write, kLowHalf);
        map.reg(high, offset + sizeof(std::uint32_t))
            .u32()
            .read(read, kHighHalf)
            .write(write, kHighHalf);
    };
    address("trRamStartLow", "trRamStartHigh", ram::kStartLow, &RamSink::start,
            &RamSink::set_start);
    address("trRamLimitLow", "trRamLimitHigh", ram::kLimitLow, &RamSink::limit,
            &RamSink::set_limit);
    address("trRamWPLow", "trRamWPHigh", ram::kWritePointerLow, &RamSink::write_pointer,
            &RamSink::set_write_pointer);
    address("trRamRPLow", "trRamRPHigh", ram::kReadPointerLow, &RamSink::read_pointer,
            &RamSink::set_read_pointer);
    map.reg("trRamData", ram::kData)
        .u32()
        .read(&RamSink::take_data)
        .peek(&RamSink::read_data)
        .write(&RamSink::write_data);
    map.reg("trRamVendorStatus", ram::kStatus)
        .u32()
        .read(&RamSink::status)
        .write(&RamSink::clear_status);
    std::vector<Register> list;
    for (Register& definition : map.take()) {
        list.push_back(gated(
            std::move(definition), [this] { return active_; }, "trRamActive", log_));
    }
    map.reg("trRamControl", trace_control::kControl)
        .u32()
        .read(&RamSink::read_control)
        .write(&RamSink::write_control);
    map.reg("trRamImpl", trace_control::kImplementation)
        .u32()
        .read_only()
        .read(&RamSink::implementation);
    map.reg("trRamVendorWords", ram::kWordCount).u32().read_only().read(&RamSink::words);
    map.reg("trRamVendorWordBytes", ram::kWordBytes).u32().read_only().read(&RamSink::word_bytes);
    append(list, map.take());
    return complete_page(std::move(list), trace_control::kComponentBytes);
}

// ------------------------------------------------------------------------------------------------
// trRamControl, trRamImpl

std::uint32_t RamSink::read_control() const {
    return bit_if(active_, trace_control::kActive) | bit_if(enable_, trace_control::kEnable) |
           bit_if(sink_.empty(), trace_control::kEmpty) | bit_if(in_memory(), ram::kModeMemory) |
           bit_if(stop_on_wrap_, ram::kStopOnWrap);
}

std::uint32_t RamSink::implementation() const {
    const std::uint32_t present = sink_.present();
    return trace_control::implementation_of(implementation_field::kRamSink) |
           bit_if((present & 1U << sink::kSram) != 0, implementation_field::kHasSram) |
           bit_if((present & 1U << sink::kMemory) != 0, implementation_field::kHasMemory);
}

void RamSink::write_control(std::uint32_t value, Cycle at) {
    if ((value & trace_control::kActive) == 0) {
        reset(at);
        return;
    }
    active_ = true;
    set_mode((value & ram::kModeMemory) != 0, at);
    stop_on_wrap_ = (value & ram::kStopOnWrap) != 0;
    sink_.on_wrap(stop_on_wrap_ ? SinkUnit::OnWrap::StopEachTime : SinkUnit::OnWrap::GoOn);
    const bool enable = (value & trace_control::kEnable) != 0;
    if (enable && !enable_) {
        sink_.clear_error();
        sink_.open();
    } else if (!enable && enable_) {
        sink_.close(at);
    }
    enable_ = enable;
}

/// WARL: a mode that is not there leaves the one in force.
void RamSink::set_mode(bool memory, Cycle at) {
    if (memory == in_memory()) {
        return;
    }
    sink_.select(memory ? sink::kMemory : sink::kSram, at); // opens it
    if (!enable_) {
        sink_.close_at_once();
    }
}

void RamSink::reset(Cycle at) {
    active_ = false;
    enable_ = false;
    stop_on_wrap_ = false;
    sink_.reset(at);
    sink_.close_at_once();
}

void RamSink::stop_on_wrap(Cycle /*at*/) {
    enable_ = false;
}

// ------------------------------------------------------------------------------------------------
// The buffer

/// The standard tells tools not to change the buffer while trace is written into it.
void RamSink::warn_if_busy(const char* name) const {
    if (enable_ || !sink_.empty()) {
        log_->warn("write of {} while trRamEnable is 1 or trRamEmpty is 0: the trace goes on there",
                   name);
    }
}

std::uint32_t RamSink::start(unsigned half) const {
    return half_of(sink_.window().start(), half);
}

/// To 32 bits, as tools compute it: A = 4 for an SRAM, and they need not know how wide the sink is.
std::uint32_t RamSink::limit(unsigned half) const {
    return half_of(sink_.window().limit_as_written(), half);
}

std::uint32_t RamSink::write_pointer(unsigned half) const {
    const bool wrapped = half == kLowHalf && sink_.window().wrapped();
    return half_of(sink_.write_address(), half) | bit_if(wrapped, ram::kWrapped);
}

/// In SMEM mode there is none: the buffer is read as memory.
std::uint32_t RamSink::read_pointer(unsigned half) const {
    return in_memory() ? 0 : half_of(sink_.window().read_pointer(), half);
}

/// Start and limit of the SRAM are fixed.
void RamSink::set_start(unsigned half, std::uint32_t value) {
    if (in_memory()) {
        warn_if_busy("trRamStart");
        sink_.window().set_start(with_half(sink_.window().start(), half, value));
    }
}

void RamSink::set_limit(unsigned half, std::uint32_t value) {
    if (in_memory()) {
        warn_if_busy("trRamLimit");
        sink_.window().set_limit(with_half(sink_.window().limit_as_written(), half, value));
    }
}

void RamSink::set_write_pointer(unsigned half, std::uint32_t value) {
    warn_if_busy("trRamWP");
    SinkWindow& window = sink_.window();
    window.set_write_address(with_half(window.write_address(), half, value));
    if (half == kLowHalf) {
        window.clear_wrapped();
    }
}

void RamSink::set_read_pointer(unsigned half, std::uint32_t value) {
    if (!in_memory()) {
        sink_.window().set_read_pointer(with_half(sink_.window().read_pointer(), half, value));
    }
}

std::uint32_t RamSink::take_data() {
    return in_memory() ? 0 : sink_.window().take_data();
}

std::uint32_t RamSink::read_data() const {
    return in_memory() ? 0 : sink_.window().read_window();
}

void RamSink::write_data(std::uint32_t value) {
    if (!in_memory()) {
        sink_.window().write_window(value);
    }
}

// ------------------------------------------------------------------------------------------------

std::uint32_t RamSink::status() const {
    return bit_if(sink_.error(), ram::kStatusBusError);
}

void RamSink::clear_status(std::uint32_t value) {
    if ((value & ram::kStatusBusError) != 0) {
        sink_.clear_error();
    }
}

void RamSink::state(Archive& archive) {
    archive(active_, enable_, stop_on_wrap_);
}

} // namespace pes::trace
