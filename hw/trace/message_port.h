// SPDX-License-Identifier: Apache-2.0
// Takes trace messages from their producers and puts them into the encoder's FIFO. The port adds
// SRC and TSTAMP, so its users fill in only the fields of the message.
#pragma once

#include "hw/interface/trace/message.h"
#include "hw/interface/types.h"

#include <cstddef>

namespace pes::trace {

enum class SendResult : std::uint8_t {
    Sent,
    Lost, ///< no room, and stalling is not enabled: the message is lost
};

class MessagePort {
  public:
    MessagePort() = default;
    MessagePort(const MessagePort&) = delete;
    MessagePort& operator=(const MessagePort&) = delete;
    virtual ~MessagePort() = default;

    /// Messages must come in the order of `at` (the hart's cycle, which may be ahead of kernel
    /// time). With stalling enabled the call returns when there is room, and the hart is held until
    /// then.
    ///
    /// After a loss, every message is Lost until an Error message and a synchronising one (with
    /// F-ADDR or ICT_WS) fit together; the port inserts the Error before the first synchronising
    /// message that it gets. So after Lost, an instruction tracer must continue with a
    /// synchronising message of reason FifoOverrun, and repeat it until it is sent. The port itself
    /// resumes instrumentation, with ICT_WS(0,0).
    virtual SendResult send(const TraceMessage& message, Cycle at) = 0;

    /// So many messages of the instruction trace, whose variable fields take at most so many slices
    /// each, would not hold the hart if they came in `at` or later.
    virtual std::size_t room(Cycle /*at*/, std::size_t /*field_slices*/) { return 0; }
};

} // namespace pes::trace
