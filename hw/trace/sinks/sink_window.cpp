// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/sink_window.h"

#include "hw/interface/maps/trace.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace pes::trace {
namespace {

constexpr unsigned kHalf = 32;            // bits of an address register
constexpr std::uint32_t kWindowBytes = 4; // sinkData
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

Register SinkWindow::low_word_register(const char* name, Address offset, std::uint32_t& stored) {
    return {.name = name,
            .offset = offset,
            .read = [this, &stored](unsigned, Cycle) -> std::uint64_t {
                return kind_ == BufferKind::Memory ? stored : 0;
            },
            .write =
                [this, &stored](unsigned, std::uint64_t value, Cycle) {
                    stored = low32(value) & ~(word_bytes_ - 1);
                    ++changes_;
                }};
}

std::vector<Register> SinkWindow::registers() {
    using Value = std::uint64_t;
    std::vector<Register> list;
    list.push_back(low_word_register("sink_base", trace_map::kSinkBase, base_));
    list.push_back({.name = "sink_base_high",
                    .offset = trace_map::kSinkBaseHigh,
                    .read = [this](unsigned, Cycle) -> Value {
                        return kind_ == BufferKind::Memory ? base_high_ : 0;
                    },
                    .write =
                        [this](unsigned, Value value, Cycle) {
                            base_high_ = low32(value) & high_mask_;
                            ++changes_;
                        }});
    list.push_back(low_word_register("sink_limit", trace_map::kSinkLimit, limit_));
    list.back().read = [this](unsigned, Cycle) -> Value { return limit(); };
    list.push_back({.name = "sink_write_pointer",
                    .offset = trace_map::kSinkWritePointer,
                    .read = [this](unsigned, Cycle) -> Value {
                        return write_pointer() | (wrapped_ ? trace_map::kWrapped : 0);
                    },
                    .write =
                        [this](unsigned, Value value, Cycle) {
                            write_pointer_ = low32(value) & ~(word_bytes_ - 1);
                            wrapped_ = false;
                            ++changes_;
                        }});
    list.push_back(
        {.name = "sink_read_pointer",
         .offset = trace_map::kSinkReadPointer,
         .read = [this](unsigned, Cycle) -> Value {
             return kind_ == BufferKind::Sram ? window_offset() : read_pointer_;
         },
         .write = [this](unsigned, Value value,
                         Cycle) { read_pointer_ = low32(value) & ~(kWindowBytes - 1); }});
    list.push_back({.name = "sink_data",
                    .offset = trace_map::kSinkData,
                    .read = [this](unsigned, Cycle) -> Value {
                        const std::uint32_t value = read_window();
                        read_pointer_ += kWindowBytes;
                        return value;
                    },
                    .write = [this](unsigned, Value value, Cycle) { write_window(low32(value)); },
                    .peek = [this](unsigned, Cycle) -> Value { return read_window(); }});
    return list;
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
    const Address high = kind_ == BufferKind::Memory ? base_high_ : 0;
    return high << kHalf | write_pointer();
}

/// The word at the limit is the last one. A pointer that software put beyond it takes one word and
/// comes back to the base.
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
