// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/message_queue.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace pes::trace {
namespace {

// TCODE and one field: no message is shorter.
constexpr std::size_t kShortestMessage = 2;

} // namespace

MessageQueue::MessageQueue(std::size_t capacity)
    : bytes_(capacity), entries_(capacity / kShortestMessage) {}

void MessageQueue::push(std::span<const std::uint8_t> message, Cycle ready) {
    if (message.size() > free() || count_ == entries_.size()) {
        std::abort();
    }
    const std::size_t start = wrapped(first_byte_ + used_, bytes_.size());
    const std::size_t to_end = bytes_.size() - start;
    if (message.size() <= to_end) [[likely]] {
        std::memcpy(&bytes_[start], message.data(), message.size());
    } else {
        std::memcpy(&bytes_[start], message.data(), to_end);
        std::memcpy(bytes_.data(), message.data() + to_end, message.size() - to_end);
    }
    last_ready_ = std::max(last_ready_, ready);
    entries_[wrapped(first_entry_ + count_, entries_.size())] = {message.size(), last_ready_};
    used_ += message.size();
    ++count_;
    if (listener_ != nullptr) {
        listener_->message_ready(message.size(), last_ready_);
    }
}

bool MessageQueue::pull(PackedMessage& message, Cycle at) {
    if (count_ == 0 || entries_[first_entry_].ready > at) {
        return false;
    }
    const std::size_t size = entries_[first_entry_].size;
    const std::size_t to_end = bytes_.size() - first_byte_;
    if (kMostSlices <= to_end) [[likely]] { // copied as a whole, in a few instructions
        std::memcpy(message.bytes.data(), &bytes_[first_byte_], kMostSlices);
    } else if (size <= to_end) {
        std::memcpy(message.bytes.data(), &bytes_[first_byte_], size);
    } else {
        std::memcpy(message.bytes.data(), &bytes_[first_byte_], to_end);
        std::memcpy(message.bytes.data() + to_end, bytes_.data(), size - to_end);
    }
    message.size = size;
    first_byte_ = wrapped(first_byte_ + size, bytes_.size());
    first_entry_ = wrapped(first_entry_ + 1, entries_.size());
    used_ -= size;
    --count_;
    return true;
}

void MessageQueue::flush(Cycle at) {
    if (listener_ != nullptr) {
        listener_->flush(std::max(at, last_ready_));
    }
}

void MessageQueue::clear() {
    used_ = 0;
    count_ = 0;
}

} // namespace pes::trace
