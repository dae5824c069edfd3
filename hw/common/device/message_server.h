// SPDX-License-Identifier: Apache-2.0
// What answers the messages that a device takes from a driver: the host's side of a transport.
#pragma once

#include "hw/common/archive.h"

#include <cstddef>
#include <span>

namespace pes {

class MessageServer {
  public:
    MessageServer() = default;
    MessageServer(const MessageServer&) = delete;
    MessageServer& operator=(const MessageServer&) = delete;
    virtual ~MessageServer() = default;

    /// Answers one message. Returns the bytes of the reply, 0 if there is none.
    virtual std::size_t answer(std::span<const std::byte> request, std::span<std::byte> reply) = 0;
    /// The other end is gone: forgets what it has open.
    virtual void reset() = 0;
    /// It holds something for the other end that no checkpoint can have.
    virtual bool in_use() const = 0;
    /// Of a checkpoint, if it holds nothing of that kind.
    virtual void state(Archive& archive) = 0;
};

} // namespace pes
