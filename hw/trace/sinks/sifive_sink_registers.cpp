// SPDX-License-Identifier: Apache-2.0
// SiFive's registers of a sink, which are part of the block that the sink belongs to.
#include "hw/common/register_map.h"
#include "hw/trace/register_bits.h"
#include "hw/trace/sinks/trace_sink.h"

#include <algorithm>
#include <iterator>

namespace pes::trace {
std::vector<Register> SinkWindow::sifive_registers() {
    RegisterMap<SinkWindow> map(*this);
    map.reg("sink_base", trace_map::kSinkBase)
        .u32()
        .read(&SinkWindow::base)
        .write(&SinkWindow::set_base);
    map.reg("sink_base_high", trace_map::kSinkBaseHigh)
        .u32()
        .read(&SinkWindow::base_high)
        .write(&SinkWindow::set_base_high);
    map.reg("sink_limit", trace_map::kSinkLimit)
        .u32()
        .read(&SinkWindow::limit_register)
        .write(&SinkWindow::set_limit_register);
    map.reg("sink_read_pointer", trace_map::kSinkReadPointer)
        .u32()
        .read(&SinkWindow::read_pointer_register)
        .write(&SinkWindow::set_read_pointer_register);
    map.reg("sink_data", trace_map::kSinkData)
        .u32()
        .read(&SinkWindow::take_data)
        .peek(&SinkWindow::read_window)
        .write(&SinkWindow::write_window);
    return map.take();
}

std::uint32_t SinkWindow::base_high() const {
    return half_of(start(), kHighHalf);
}

void SinkWindow::set_base(std::uint32_t value) {
    set_start(with_half(start_, kLowHalf, value));
}

/// Limit and write pointer have no upper half of their own.
void SinkWindow::set_base_high(std::uint32_t value) {
    set_start(with_half(start_, kHighHalf, value));
    set_limit(with_half(limit_, kHighHalf, value));
    set_write_address(with_half(write_pointer_, kHighHalf, value));
}

void SinkWindow::set_limit_register(std::uint32_t value) {
    set_limit(with_half(start_, kLowHalf, value));
}

/// The buffer is empty.
void SinkWindow::set_pointer_register(std::uint32_t value) {
    set_write_address(with_half(start_, kLowHalf, value));
    clear_wrapped();
}

std::vector<Register> TraceSink::registers() {
    RegisterMap<TraceSink> map(*this);
    map.reg("sink_write_pointer", trace_map::kSinkWritePointer)
        .u32()
        .read(&TraceSink::write_pointer)
        .write(&TraceSink::set_write_pointer);
    map.reg("word_count", trace_map::kWordCount).u32().read_only().read(&TraceSink::words_);
    if (is_present(trace_map::sink::kProbe)) {
        map.reg("probe_control", trace_map::kProbeControl)
            .u32()
            .read(&TraceSink::probe_control)
            .write(&TraceSink::set_probe_control);
    }
    std::vector<Register> list = window_.sifive_registers();
    std::ranges::move(map.take(), std::back_inserter(list));
    return list;
}

void TraceSink::set_write_pointer(std::uint32_t value) {
    window_.set_pointer_register(value);
    open();
}

} // namespace pes::trace
