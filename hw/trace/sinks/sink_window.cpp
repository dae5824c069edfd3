// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/sinks/sink_window.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace pes::trace {
namespace {

constexpr unsigned kWhole = 64; // bits of an address
constexpr std::uint32_t kMostWordBytes = 32;

std::uint32_t low32(std::uint64_t value) {
    return static_cast<std::uint32_t>(value);
}

} // namespace

SinkWindow::SinkWindow(std::uint32_t word_bytes, std::uint32_t sram_bytes, unsigned address_bits)
    : word_bytes_(word_bytes),
      address_mask_(address_bits >= kWhole ? ~Address{0} : (Address{1} << address_bits) - 1),
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

void SinkWindow::set_start(Address value) {
    start_ = whole_words(value);
    ++changes_;
}

void SinkWindow::set_limit(Address value) {
    limit_ = aligned(value, kWindowBytes);
    ++changes_;
}

void SinkWindow::set_write_address(Address value) {
    write_pointer_ = whole_words(value);
    ++changes_;
}

void SinkWindow::set_read_pointer(Address value) {
    read_pointer_ = aligned(value, kWindowBytes);
}

void SinkWindow::reset() {
    start_ = limit_ = write_pointer_ = read_pointer_ = 0;
    wrapped_ = false;
    ++changes_;
}

Address SinkWindow::write_address() const {
    switch (kind_) {
    case BufferKind::Sram:
        return write_pointer_ & (sram_.size() - 1);
    case BufferKind::Memory:
        return write_pointer_;
    case BufferKind::None:
        break;
    }
    return 0;
}

Address SinkWindow::limit() const {
    switch (kind_) {
    case BufferKind::Sram:
        return sram_.size() - word_bytes_;
    case BufferKind::Memory:
        return whole_words(limit_);
    case BufferKind::None:
        break;
    }
    return 0;
}

/// An SRAM is read by words of 32 bits.
Address SinkWindow::limit_as_written() const {
    return kind_ == BufferKind::Memory ? limit_ : limit() + word_bytes_ - kWindowBytes;
}

/// The word at the limit is the last one. If software has set the pointer beyond it, one word is
/// written there and the pointer returns to the start.
std::uint64_t SinkWindow::bytes_to_wrap() const {
    const Address from = write_address();
    return from >= limit() ? word_bytes_ : limit() - from + word_bytes_;
}

SinkWindow::Filled SinkWindow::advance(std::uint64_t bytes) {
    if (bytes < bytes_to_wrap()) {
        write_pointer_ = write_address() + bytes;
        return Filled::No;
    }
    write_pointer_ = start();
    return std::exchange(wrapped_, true) ? Filled::Again : Filled::First;
}

/// With a limit below the start, words go to the start all the same.
MemoryRange SinkWindow::written() const {
    const Address first = std::min(start(), write_address());
    const Address last = std::max({start(), limit(), write_address()});
    return {.base = first, .size = last - first + word_bytes_};
}

std::uint32_t SinkWindow::window_offset() const {
    return sram_.empty() ? 0 : low32(read_pointer_ & (sram_.size() - 1));
}

std::uint32_t SinkWindow::take_data() {
    const std::uint32_t value = read_window();
    set_read_pointer(read_pointer_ + kWindowBytes);
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
    set_read_pointer(read_pointer_ + kWindowBytes);
}

} // namespace pes::trace
