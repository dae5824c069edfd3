// SPDX-License-Identifier: Apache-2.0
// Puts the packets of E-Trace into the encoder's FIFO: adds srcID and timestamp, and inserts places
// where a reader can begin: before a synchronising packet, if there has been none for a while. A
// reader of a circular buffer needs them. Full FIFOs are the sender's business, as with messages.
#pragma once

#include "hw/interface/trace/etrace/frame.h"
#include "hw/trace/encoder/message_sender.h"
#include "hw/trace/packet_port.h"

namespace pes::trace {

class PacketSender final : public PacketPort {
  public:
    PacketSender(MessageSender& sender, const TimestampUnit& timestamps)
        : sender_(sender), timestamps_(timestamps) {}

    /// `source`: srcID of its packets.
    void configure(const etrace::Framing& framing, unsigned source) {
        framing_ = framing;
        source_ = static_cast<std::uint16_t>(source);
    }

    const etrace::Parameters& parameters() const override { return parameters_; }
    SendResult send(std::span<const etrace::Packet> packets, Cycle time, Cycle at) override;
    std::size_t room(Cycle at) override;

    void state(class Archive& archive); ///< of a checkpoint

  private:
    /// Packets between two places to begin at: at least.
    static constexpr std::uint64_t kSynchronisationInterval = 256;

    bool wants_timestamp(const etrace::Packet& packet) const;

    MessageSender& sender_;
    const TimestampUnit& timestamps_;
    std::uint16_t source_ = 0;
    const etrace::Parameters parameters_{};
    etrace::Framing framing_;
    std::uint64_t since_synchronisation_ = 0; ///< packets
    Cycle last_ = 0;                          ///< time of the newest packet
};

} // namespace pes::trace
