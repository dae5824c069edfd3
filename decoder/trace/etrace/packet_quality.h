// SPDX-License-Identifier: Apache-2.0
// What a file of E-Trace packets held, how good it was, and where it was not.
#pragma once

#include "decoder/trace/etrace/packet_reader.h"
#include "decoder/trace/messages/trace_quality.h"

#include <string>

namespace pes::trace::etrace {

/// Format and, of formats 3 and 0, subformat: what a packet is counted and listed as.
inline constexpr std::size_t kPacketKinds = 9;
std::size_t kind_of(const Packet& packet);
const char* kind_name(std::size_t kind); ///< "format 3, start"

struct PacketQuality {
    std::uint64_t bytes = 0;
    std::uint64_t idle_bytes = 0;
    std::uint64_t cut_bytes = 0;     ///< left out at the start of a buffer that wrapped: no flaw
    std::uint64_t cut_end_bytes = 0; ///< at the end of a buffer that stopped: no flaw
    std::uint64_t packets = 0;
    std::uint64_t packet_bytes = 0;
    std::array<std::uint64_t, kPacketKinds> by_kind{};
    std::map<std::uint16_t, std::uint64_t> by_source;
    bool begins = false;      ///< with a support packet, as every trace does
    std::uint64_t losses = 0; ///< support packets that tell of one
    std::uint64_t timestamps = 0;
    std::array<std::uint64_t, kFrameStatuses> damage{};
    std::uint64_t damaged_bytes = 0;
    std::uint64_t truncated_bytes = 0;
    std::vector<DamagePlace> places; ///< the first TraceQuality::kMostPlaces
    std::uint64_t unlisted_places = 0;

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
