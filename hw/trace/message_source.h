// SPDX-License-Identifier: Apache-2.0
// The way of finished messages to a sink: the sink pulls. An encoder is a source (its FIFO); a
// funnel is one that takes turns among others. Only sinks have a process of their own.
#pragma once

#include "hw/interface/trace/message_packer.h"
#include "hw/interface/types.h"

namespace pes::trace {

/// Told when an empty source gets a message, and when a source must be emptied.
class MessageListener {
  public:
    MessageListener() = default;
    MessageListener(const MessageListener&) = delete;
    MessageListener& operator=(const MessageListener&) = delete;
    virtual ~MessageListener() = default;

    /// The source has a message that is ready at `at`, a cycle that may lie ahead of kernel time.
    /// Called for each message.
    virtual void message_ready(std::size_t bytes, Cycle at) = 0;
    /// Nothing more will come for now (trace has been disabled): a partly filled word is to be
    /// padded and written.
    virtual void flush(Cycle at) = 0;
};

class MessageSource {
  public:
    MessageSource() = default;
    MessageSource(const MessageSource&) = delete;
    MessageSource& operator=(const MessageSource&) = delete;
    virtual ~MessageSource() = default;

    /// The oldest message that was ready at cycle `at`, and takes it out, which makes room for the
    /// hart that may be waiting for it. False if there is none.
    virtual bool pull(PackedMessage& message, Cycle at) = 0;
    /// Nothing is left, whatever the cycle.
    virtual bool empty() const = 0;
    /// One listener; null disconnects. Only the listener's owner pulls.
    virtual void set_listener(MessageListener* listener) = 0;
    virtual const MessageListener* listener() const = 0;
};

} // namespace pes::trace
