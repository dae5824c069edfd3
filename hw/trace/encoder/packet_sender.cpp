// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/encoder/packet_sender.h"

#include <algorithm>

namespace pes::trace {
namespace {

std::size_t bytes_of(std::span<const PackedMessage> packets) {
    std::size_t bytes = 0;
    for (const PackedMessage& packet : packets) {
        bytes += packet.size;
    }
    return bytes;
}

} // namespace

/// The longest, behind no trap, has 31 branches and an address: 110 bits.
std::size_t PacketSender::room(Cycle at) {
    constexpr std::size_t kMostPayload = 14;
    return sender_.free_bytes(at) /
           (1 + framing_.source_bits / 8 + framing_.timestamp_bytes + kMostPayload);
}

SendResult PacketSender::send(std::span<const etrace::Packet> packets, Cycle time, Cycle at) {
    constexpr std::size_t kMost = 3; // a place to begin, support, the packet
    std::array<PackedMessage, kMost> packed{};
    std::size_t count = 0;
    const Cycle now = std::max(time, last_);
    bool begins = since_synchronisation_ >= kSynchronisationInterval &&
                  std::ranges::any_of(packets, &etrace::Packet::synchronises);
    if (begins) {
        packed[count++] = etrace::pack_synchronisation(framing_);
    }
    for (const etrace::Packet& packet : packets) {
        etrace::Frame frame{.source = source_, .timestamp = {}, .packet = packet};
        if (framing_.source_bits == 0) {
            frame.source = 0; // inhibited: there is no field
        }
        if (wants_timestamp(packet)) {
            frame.timestamp = timestamps_.time(now);
        }
        packed[count++] = etrace::pack_frame(frame, framing_, parameters_);
    }
    std::span all = std::span(packed).first(count);
    if (begins && bytes_of(all) > kSmallestFifo) {
        begins = false; // it might never fit
        all = all.subspan(1);
    }
    const SendResult result = sender_.insert(all, at);
    if (result == SendResult::Sent) {
        last_ = now;
        since_synchronisation_ = begins ? 0 : since_synchronisation_ + packets.size();
    }
    return result;
}

/// The branch field of tsControl: 1 has the time in packets of format 3, 3 in all of them.
bool PacketSender::wants_timestamp(const etrace::Packet& packet) const {
    if (framing_.timestamp_bytes == 0) {
        return false;
    }
    return packet.format == etrace::Format::Sync ? timestamps_.on_indirect_branches()
                                                 : timestamps_.on_all_branches();
}

} // namespace pes::trace
