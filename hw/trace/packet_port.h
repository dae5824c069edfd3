// SPDX-License-Identifier: Apache-2.0
// Takes packets of E-Trace from their tracer and puts them into the encoder's FIFO. The port adds
// srcID, timestamps, and places where a reader can begin.
#pragma once

#include "hw/interface/trace/etrace/packet.h"
#include "hw/trace/message_port.h"

#include <span>

namespace pes::trace {

class PacketPort {
  public:
    PacketPort() = default;
    PacketPort(const PacketPort&) = delete;
    PacketPort& operator=(const PacketPort&) = delete;
    virtual ~PacketPort() = default;

    /// Widths of the fields; fixed.
    virtual const etrace::Parameters& parameters() const = 0;

    /// All of the packets or none: at most two. `time` is what they tell of, `at` the hart's cycle,
    /// which is not before it; calls come in the order of `at`. With stalling enabled the call
    /// returns when there is room, and the hart is held until then.
    ///
    /// After Lost, the tracer has to go on with a support packet (trace_lost) and one that
    /// synchronises, together; and to repeat them until they are sent.
    virtual SendResult send(std::span<const etrace::Packet> packets, Cycle time, Cycle at) = 0;

    /// So many packets, none of them of a trap, would not hold the hart if they came in `at` or
    /// later.
    virtual std::size_t room(Cycle /*at*/) { return 0; }
};

} // namespace pes::trace
