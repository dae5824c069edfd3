// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/sink_window.h"

#include "hw/common/register_map.h"
#include "hw/interface/maps/trace.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace pes::trace {
namespace {

constexpr unsigned kHalf = 32; // bits of an address register
constexpr std::uint32_t kMostWordBytes = 32;

std::uint32_t low32(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

} // namespace

SinkWindow::SinkWindow(std::uint32_t word_bytes, std::uint32_t sram_bytes, unsigned address_bits)
    : word_bytes_(word_bytes),
      high_mask_(address_bits <= kHalf ? 0
                                       : low32((std::uint64_t{1} << (address_bits - kHalf)) - 1)),
      sram_(sram_bytes) {
    if (!std::has_single_bit(word_bytes) || word_bytes < kWindowBytes ||
        word_bytes > kMostWordBytes) {
        throw std::invalid_argument("trace sink: words have 4, 8, 16 or 32 bytes");
    }
    if (sram_bytes != 0 && (!std::has_single_bit(sram_bytes) || sram_bytes < word_bytes)) {
        throw std::invalid_argument(
            "trace sink: the SRAM's size is a power of two, a word or more");
    }
}

std::vector<Register> SinkWindow::registers() {
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
        .read(&SinkWindow::limit)
        .write(&SinkWindow::set_limit);
    map.reg("sink_read_pointer", trace_map::kSinkReadPointer)
        .u32()
        .read(&SinkWindow::read_pointer)
        .write(&SinkWindow::set_read_pointer);
    map.reg("sink_data", trace_map::kSinkData)
        .u32()
        .read(&SinkWindow::take_data)
        .peek(&SinkWindow::read_window)
        .write(&SinkWindow::write_window);
    return map.take();
}

void SinkWindow::set_base(std::uint32_t value) {
    base_ = whole_words(value);
    ++changes_;
}

void SinkWindow::set_base_high(std::uint32_t value) {
    base_high_ = value & high_mask_;
    ++changes_;
}

void SinkWindow::set_limit(std::uint32_t value) {
    limit_ = whole_words(value);
    ++changes_;
}

void SinkWindow::set_write_pointer(std::uint32_t value) {
    write_pointer_ = whole_words(value);
    wrapped_ = false;
    ++changes_;
}

void SinkWindow::reset() {
    base_ = base_high_ = limit_ = write_pointer_ = read_pointer_ = 0;
    wrapped_ = false;
    ++changes_;
}

std::uint32_t SinkWindow::write_pointer() const {
    switch (kind_) {
    case BufferKind::Sram:
        return write_pointer_ & low32(sram_.size() - 1);
    case BufferKind::Memory:
        return write_pointer_;
    case BufferKind::None:
        break;
    }
    return 0;
}

std::uint32_t SinkWindow::limit() const {
    switch (kind_) {
    case BufferKind::Sram:
        return low32(sram_.size()) - word_bytes_;
    case BufferKind::Memory:
        return limit_;
    case BufferKind::None:
        break;
    }
    return 0;
}

Address SinkWindow::write_address() const {
    return Address{base_high()} << kHalf | write_pointer();
}

/// The word at the limit is the last one. If software has set the pointer beyond it, one word is
/// written there and the pointer returns to the base.
std::uint64_t SinkWindow::bytes_to_wrap() const {
    const std::uint32_t from = write_pointer();
    return from >= limit() ? word_bytes_ : std::uint64_t{limit()} - from + word_bytes_;
}

bool SinkWindow::advance(std::uint64_t bytes) {
    if (bytes < bytes_to_wrap()) {
        write_pointer_ = low32(write_pointer() + bytes);
        return false;
    }
    write_pointer_ = base();
    const bool first = !wrapped_;
    wrapped_ = true;
    return first;
}

MemoryRange SinkWindow::written() const {
    const Address high = write_address() - write_pointer();
    const std::uint32_t first = std::min(base(), write_pointer());
    const std::uint32_t last = std::max(limit(), write_pointer());
    return {.base = high + first, .size = std::uint64_t{last} - first + word_bytes_};
}

std::uint32_t SinkWindow::window_offset() const {
    return sram_.empty() ? 0 : read_pointer_ & low32(sram_.size() - 1);
}

std::uint32_t SinkWindow::take_data() {
    const std::uint32_t value = read_window();
    read_pointer_ += kWindowBytes;
    return value;
}

std::uint32_t SinkWindow::read_window() const {
    std::uint32_t value = 0;
    if (!sram_.empty()) {
        std::memcpy(&value, sram_.data() + window_offset(), sizeof value);
    }
    return value;
}

void SinkWindow::write_window(std::uint32_t value) {
    if (!sram_.empty()) {
        std::memcpy(sram_.data() + window_offset(), &value, sizeof value);
    }
    read_pointer_ += kWindowBytes;
}

} // namespace pes::trace
