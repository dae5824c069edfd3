// SPDX-License-Identifier: Apache-2.0
// What all kinds of instruction trace share: the port, the reference address of the messages, and
// how long ago the last synchronising message was.
#pragma once

#include "hw/interface/trace/address.h"
#include "hw/trace/message_port.h"

#include <algorithm>

namespace pes::trace {

class TracerOutput {
  public:
    explicit TracerOutput(MessagePort& port) : port_(port) {}

    /// `at` never goes back: triggers and stores come with cycles of their own.
    SendResult send(const TraceMessage& message, Cycle at) {
        last_ = std::max(last_, at);
        const bool absolute = layout_of(message.code).timestamp == TimestampKind::Absolute;
        since_sync_ = absolute ? 0 : since_sync_ + 1;
        return port_.send(message, last_);
    }

    /// As MessagePort::room().
    std::size_t room(Cycle at, std::size_t field_slices) { return port_.room(at, field_slices); }

    /// Relative messages since the last one that synchronises.
    std::uint64_t messages_since_sync() const { return since_sync_; }
    AddressReference& reference() { return reference_; }

    void state(class Archive& archive); ///< of a checkpoint

  private:
    MessagePort& port_;
    AddressReference reference_;
    std::uint64_t since_sync_ = 0;
    Cycle last_ = 0;
};

} // namespace pes::trace
