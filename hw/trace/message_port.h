// SPDX-License-Identifier: Apache-2.0
// Takes trace messages from their producers: the encoder's way to its FIFO. The port adds
// SRC and TSTAMP, so its users fill in only the fields of the message.
#pragma once

#include "hw/interface/trace/message.h"
#include "hw/interface/types.h"

namespace pes::trace {

enum class SendResult : std::uint8_t {
    Sent,
    Lost, ///< no room, and the encoder may not stall: the message is gone
};

class MessagePort {
  public:
    MessagePort() = default;
    MessagePort(const MessagePort&) = delete;
    MessagePort& operator=(const MessagePort&) = delete;
    virtual ~MessagePort() = default;

    /// In the order of `at` (the hart's cycle, which may lie ahead of kernel time). With stalling
    /// enabled the call comes back when there is room, however much later, and the hart has been
    /// held for as long.
    ///
    /// After a loss, everything is Lost until an Error message and one that synchronises (with
    /// F-ADDR or ICT_WS) fit together; the port sends the Error before the first synchronising
    /// message that is handed in. So an instruction tracer that is told Lost has to go on with a
    /// synchronising message of reason FifoOverrun, as often as it takes. Instrumentation is
    /// resumed by the port itself, with ICT_WS(0,0).
    virtual SendResult send(const TraceMessage& message, Cycle at) = 0;
};

} // namespace pes::trace
