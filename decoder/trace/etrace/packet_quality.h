// SPDX-License-Identifier: Apache-2.0
// What a file of E-Trace packets held, how good it was, and where it was not.
#pragma once

#include "decoder/trace/etrace/packet_reader.h"
#include "decoder/trace/messages/stream_quality.h"

#include <string>

namespace pes::trace::etrace {

/// Format and, of formats 3 and 0, subformat: what a packet is counted and listed as.
inline constexpr std::size_t kPacketKinds = 9;
std::size_t kind_of(const Packet& packet);
const char* kind_name(std::size_t kind); ///< "format 3, start"

struct PacketQuality : StreamQuality {
    std::uint64_t packets = 0;
    std::uint64_t packet_bytes = 0;
    std::array<std::uint64_t, kPacketKinds> by_kind{};
    bool begins = false;      ///< with a support packet, as every trace does
    std::uint64_t losses = 0; ///< support packets that tell of one
    std::array<std::uint64_t, kFrameStatuses> damage{};

    void add(const PacketItem& item);

    std::uint64_t damages() const;
    /// Everything that --strict refuses.
    bool flawed() const { return damages() + losses + truncated_bytes != 0; }
    /// Bytes that are no packets, and nothing that says that others are.
    bool foreign() const { return damages() + truncated_bytes != 0 && !begins; }
};

/// "12 bytes: more bytes than the packet has fields": of an item that is no packet.
std::string describe(const PacketItem& item);

/// One line each; empty if nothing is wrong.
std::vector<std::string> describe_flaws(const PacketQuality& quality);

/// The text that `pes-decode trace` prints.
std::string summary_text(const std::string& file, const PacketQuality& quality);

} // namespace pes::trace::etrace
