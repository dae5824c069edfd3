// SPDX-License-Identifier: Apache-2.0
// The registers of a funnel, in both sets.
#include "hw/common/module_logger.h"
#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"
#include "hw/interface/maps/trace_control.h"
#include "hw/trace/register_bits.h"
#include "hw/trace/sinks/funnel.h"

#include <bit>
#include <utility>

namespace pes::trace {
namespace {

namespace control = trace_map::control;
namespace implementation_map = trace_map::implementation;

constexpr std::uint32_t kSinkMask = 15;
constexpr std::uint32_t kSinkPresence = 0x1F0; // teImpl bits 4 to 8: their numbers are sink codes
constexpr std::uint32_t kSmallestWord = 4;

} // namespace

// ------------------------------------------------------------------------------------------------
// SiFive

std::vector<Register> Funnel::sifive_registers() {
    std::vector<Register> list = sink_.registers();
    append(list, timestamps_.registers(RegisterSet::SiFive));
    list.push_back(no_atb_sink());
    RegisterMap<Funnel> map(*this);
    map.reg("control", trace_map::kControl)
        .u32()
        .read(&Funnel::read_sifive)
        .write(&Funnel::write_sifive);
    map.reg("implementation", trace_map::kImplementation)
        .u32()
        .read_only()
        .read(&Funnel::sifive_implementation);
    append(list, map.take());
    return list;
}

std::uint32_t Funnel::sifive_implementation() const {
    const auto words = static_cast<std::uint32_t>(std::countr_zero(sink_.word_bytes())) -
                       static_cast<std::uint32_t>(std::countr_zero(kSmallestWord));
    return (sink_.present() & kSinkPresence) | words << implementation_map::kSinkBytesShift;
}

std::uint32_t Funnel::read_sifive() const {
    return bit_if(active_, control::kActive) | bit_if(enable_, control::kEnable) |
           bit_if(stop_on_wrap_, control::kStopOnWrap) |
           bit_if(empty() && sink_.empty(), control::kEmpty) |
           bit_if(sink_.error(), control::kSinkError) | sink_code_ << control::kSinkShift;
}

void Funnel::write_sifive(std::uint32_t value, Cycle at) {
    if ((value & control::kActive) == 0) {
        deactivate(at);
        stop_on_wrap_ = false;
        sink_.reset(at);
        sink_code_ = sink_.select(trace_map::sink::kOnly, at);
        return;
    }
    if ((value & control::kSinkError) != 0) {
        sink_.clear_error();
    }
    sink_code_ = sink_.select(value >> control::kSinkShift & kSinkMask, at);
    stop_on_wrap_ = (value & control::kStopOnWrap) != 0;
    sink_.on_wrap(stop_on_wrap_ ? SinkUnit::OnWrap::Stop : SinkUnit::OnWrap::GoOn);
    active_ = true;
    const bool on = (value & control::kEnable) != 0;
    if (on && !enable_) {
        sink_.open();
    }
    enable(on, at);
}

// ------------------------------------------------------------------------------------------------
// Trace Control Interface 1.0

std::vector<Register> Funnel::standard_registers() {
    std::vector<Register> list = timestamps_.registers(RegisterSet::Standard);
    RegisterMap<Funnel> map(*this);
    map.reg("trFunnelControl", trace_control::kControl)
        .u32()
        .read(&Funnel::read_standard)
        .write(&Funnel::write_standard);
    map.reg("trFunnelImpl", trace_control::kImplementation)
        .u32()
        .read_only()
        .read(&Funnel::standard_implementation);
    append(list, map.take());
    map.reg("trFunnelDisInput", trace_control::funnel::kDisableInput)
        .u32()
        .read(&Funnel::disabled_inputs)
        .write(&Funnel::disable_inputs);
    for (Register& definition : map.take()) {
        list.push_back(gated(
            std::move(definition), [this] { return active_; }, "trFunnelActive",
            module_logger(config_.name)));
    }
    return complete_page(std::move(list), trace_control::kComponentBytes);
}

std::uint32_t Funnel::standard_implementation() const {
    return trace_control::implementation_of(trace_control::implementation::kFunnel);
}

/// It has no buffers of its own; what waits at its inputs is on the way through it.
std::uint32_t Funnel::read_standard() const {
    return bit_if(active_, trace_control::kActive) | bit_if(enable_, trace_control::kEnable) |
           bit_if(empty(), trace_control::kEmpty);
}

void Funnel::write_standard(std::uint32_t value, Cycle at) {
    if ((value & trace_control::kActive) == 0) {
        deactivate(at);
        return;
    }
    active_ = true;
    enable((value & trace_control::kEnable) != 0, at);
}

/// WARL: bits of inputs that are not there are 0.
std::uint32_t Funnel::disabled_inputs() const {
    std::uint32_t value = 0;
    for (std::size_t input = 0; input < inputs_.size(); ++input) {
        value |= bit_if(inputs_[input].disabled(), 1U << input);
    }
    return value;
}

} // namespace pes::trace
