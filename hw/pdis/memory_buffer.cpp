// SPDX-License-Identifier: Apache-2.0
// Names of sections are those of asyncmbuf.adoc in riscv/self-hosted-trace, version 1.0 of 2026-03.
#include "hw/pdis/memory_buffer.h"

#include <algorithm>

namespace pes::pdis {

namespace {

constexpr std::uint64_t kPageBytes = 4096;
constexpr unsigned kPageShift = 12;

std::uint64_t field(std::uint64_t value, unsigned shift, std::uint64_t mask) {
    return value >> shift & mask;
}

} // namespace

std::uint64_t MemoryBuffer::size() const {
    return kPageBytes << field(control_, buffer::kSizeShift, buffer::kSizeMask);
}

/// "If SOF (Stop-on-full) is set, any asynchronous data received after the buffer fills (WRAP=1) is
/// dropped."
bool MemoryBuffer::full() const {
    return (control_ & buffer::kStopOnFull) != 0 && (control_ & buffer::kWrap) != 0;
}

bool MemoryBuffer::append(const Record& record, Cycle at) {
    if (fences_ != memory_.fences()) {
        current_.reset();
        next_.reset();
    }
    translate_ahead(at);
    if (!current_ || full()) {
        return false;
    }
    if (!memory_.store(*current_ | (address_ & (kPageBytes - 1)), record)) {
        fault(offset() & ~(kPageBytes - 1), at);
        current_.reset();
        return false;
    }
    advance(at);
    return true;
}

/// "Upon each hardware write to the AMB, the address is incremented by the number of bytes
/// written"; BMITH is compared with the two most significant bits of the offset.
void MemoryBuffer::advance(Cycle at) {
    const std::uint64_t quarter = size() / 4;
    const std::uint64_t before = offset();
    const std::uint64_t after = (before + kRecordBytes) & (size() - 1);
    address_ = (address_ & ~(size() - 1)) | after;
    control_ |= after == 0 ? buffer::kWrap : 0;
    if (after % kPageBytes == 0) {
        current_ = next_;
        next_.reset();
        translate_ahead(at);
    }
    const bool moved = before / quarter != after / quarter;
    if (moved && (control_ & buffer::kThresholdEnable) != 0 &&
        after / quarter == field(control_, buffer::kThresholdShift, buffer::kThresholdMask)) {
        control_ |= buffer::kThresholdReached;
        memory_.interrupt(at);
    }
}

/// "AMB Page Pre-translation": the current page and the next, suspended by a fault.
void MemoryBuffer::translate_ahead(Cycle at) {
    if ((control_ & buffer::kEnable) == 0) {
        return;
    }
    fences_ = memory_.fences();
    const std::uint64_t page = offset() & ~(kPageBytes - 1);
    if (!current_) {
        current_ = translate(page, at);
    }
    if (current_ && !next_) {
        next_ = translate((page + kPageBytes) & (size() - 1), at);
    }
}

MemoryBuffer::Page MemoryBuffer::translate(std::uint64_t page_offset, Cycle at) {
    if ((control_ & buffer::kFault) != 0) {
        return std::nullopt;
    }
    const Page found = memory_.translate((address_ & ~(size() - 1)) | page_offset);
    if (!found) {
        fault(page_offset, at);
    }
    return found;
}

void MemoryBuffer::fault(std::uint64_t page_offset, Cycle at) {
    control_ &= ~(buffer::kFaultPageMask << buffer::kFaultPageShift);
    control_ |= buffer::kFault | page_offset >> kPageShift << buffer::kFaultPageShift;
    memory_.interrupt(at);
}

/// Records are in memory as soon as their instructions have ended: it is always empty.
std::uint64_t MemoryBuffer::read_control() const {
    return control_ | buffer::kEmpty | (current_ ? buffer::kTranslated : 0);
}

/// A SIZE that is too large becomes the largest, which is how software finds that.
void MemoryBuffer::write_control(std::uint64_t value, Cycle at) {
    const std::uint64_t wanted = field(value, buffer::kSizeShift, buffer::kSizeMask);
    const std::uint64_t shift = std::min<std::uint64_t>(wanted, buffer::kLargestSize);
    const bool other = shift != field(control_, buffer::kSizeShift, buffer::kSizeMask);
    control_ = (value & buffer::kWritable) | shift << buffer::kSizeShift;
    if (other || (control_ & buffer::kEnable) == 0) {
        current_.reset();
        next_.reset();
    }
    translate_ahead(at);
}

/// "Such buffers may hardcode to 0" the bits below a record.
void MemoryBuffer::write_address(std::uint64_t value) {
    address_ = value & ~std::uint64_t{kRecordBytes - 1};
    current_.reset();
    next_.reset();
}

} // namespace pes::pdis
