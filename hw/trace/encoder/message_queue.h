// SPDX-License-Identifier: Apache-2.0
// An encoder's FIFO of finished messages. Its capacity is a number of bytes.
//
// Timing: a message carries the cycle of the hart from which it can be pulled, which may be ahead
// of kernel time. It takes room from the moment it is pushed until it is
// pulled.
#pragma once

#include "hw/trace/message_source.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pes::trace {

class MessageQueue final : public MessageSource {
  public:
    explicit MessageQueue(std::size_t capacity);

    bool pull(PackedMessage& message, Cycle at) override;
    bool empty() const override { return count_ == 0; }
    void set_listener(MessageListener* listener) override { listener_ = listener; }
    const MessageListener* listener() const override { return listener_; }

    std::size_t capacity() const { return bytes_.size(); } ///< bytes
    std::size_t used() const { return used_; }
    std::size_t free() const { return bytes_.size() - used_; }
    std::size_t messages() const { return count_; }

    /// `ready` must not be earlier than that of the previous message. Aborts without room.
    void push(std::span<const std::uint8_t> message, Cycle ready);
    /// Tells the listener that no more messages follow for now.
    void flush(Cycle at);
    /// Discards all messages.
    void clear();

    void state(class Archive& archive); ///< of a checkpoint

  private:
    struct Entry {
        std::size_t size = 0;
        Cycle ready = 0;
        void state(class Archive& archive);
    };

    static std::size_t wrapped(std::size_t index, std::size_t size) {
        return index < size ? index : index - size;
    }

    std::vector<std::uint8_t> bytes_; ///< ring
    std::vector<Entry> entries_;      ///< ring: one for each message, oldest first
    std::size_t first_byte_ = 0;
    std::size_t first_entry_ = 0;
    std::size_t used_ = 0;
    std::size_t count_ = 0;
    Cycle last_ready_ = 0;
    MessageListener* listener_ = nullptr;
};

} // namespace pes::trace
