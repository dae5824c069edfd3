// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/etrace/packet_quality.h"

#include "decoder/trace/count_of.h"

#include <numeric>
#include <spdlog/fmt/fmt.h>

namespace pes::trace::etrace {
namespace {

constexpr std::array<const char*, kPacketKinds> kNames{
    "format 3, start",      "format 3, trap",         "format 3, context",
    "format 3, support",    "format 2, address",      "format 1, branch map and address",
    "format 1, branch map", "format 0, branch count", "format 0, jump target"};

const char* reason(FrameStatus status) {
    switch (status) {
    case FrameStatus::TooLong:
        return "more bytes than the packet has fields";
    case FrameStatus::Padding:
        return "bits behind the fields of the packet that are not its last one";
    case FrameStatus::Unknown:
        return "a packet of a kind that has no meaning";
    default:
        return "no packet";
    }
}

} // namespace

std::size_t kind_of(const Packet& packet) {
    constexpr std::size_t kAddress = 4;
    constexpr std::size_t kBranchAddress = 5;
    constexpr std::size_t kBranch = 6;
    constexpr std::size_t kExtension = 7;
    switch (packet.format) {
    case Format::Sync:
        return static_cast<std::size_t>(packet.sync);
    case Format::Address:
        return kAddress;
    case Format::Branch:
        return packet.has_address ? kBranchAddress : kBranch;
    case Format::Extension:
        break;
    }
    return kExtension + static_cast<std::size_t>(packet.extension);
}

const char* kind_name(std::size_t kind) {
    return kNames.at(kind);
}

void PacketQuality::add(const PacketItem& item) {
    if (item.kind == PacketItem::Kind::Packet) {
        const Packet& packet = item.frame.packet;
        begins |= packets == 0 && places.empty() && packet.is(Sync::Support);
        ++packets;
        packet_bytes += item.size;
        ++by_kind.at(kind_of(packet));
        ++by_source[item.frame.source];
        timestamps += item.frame.timestamp ? 1 : 0;
        const bool lost = packet.is(Sync::Support) && packet.qual_status == QualStatus::TraceLost;
        losses += lost && by_source[item.frame.source] > 1 ? 1 : 0; // else it is before this trace
        return;
    }
    if (item.kind == PacketItem::Kind::Truncated) {
        truncated_bytes += item.size;
    } else {
        ++damage.at(static_cast<std::size_t>(item.status));
        damaged_bytes += item.size;
    }
    note(item.offset, describe(item));
}

std::uint64_t PacketQuality::damages() const {
    return std::accumulate(damage.begin(), damage.end(), std::uint64_t{0});
}

std::string describe(const PacketItem& item) {
    const std::string bytes = count_of(item.size, "byte");
    return item.kind == PacketItem::Kind::Truncated
               ? bytes + ": the file ends inside a packet"
               : fmt::format("{}: {}", bytes, reason(item.status));
}

std::vector<std::string> describe_flaws(const PacketQuality& quality) {
    std::vector<std::string> flaws;
    for (std::size_t status = 0; status < kFrameStatuses; ++status) {
        if (quality.damage.at(status) != 0) {
            flaws.push_back(fmt::format("{} x {}", quality.damage.at(status),
                                        reason(static_cast<FrameStatus>(status))));
        }
    }
    if (quality.damaged_bytes != 0) {
        flaws.push_back(count_of(quality.damaged_bytes, "byte") +
                        " not readable as packets, with those up to the next place to begin at");
    }
    if (quality.truncated_bytes != 0) {
        flaws.push_back("the file ends " + count_of(quality.truncated_bytes, "byte") +
                        " into a packet");
    }
    if (quality.losses != 0) {
        flaws.push_back(count_of(quality.losses, "support packet") +
                        " with trace_lost: the encoder lost packets before it");
    }
    return flaws;
}

std::string summary_text(const std::string& file, const PacketQuality& quality) {
    std::string text =
        fmt::format("{}: {} of E-Trace in {}, {} idle\n", file, count_of(quality.packets, "packet"),
                    count_of(quality.bytes, "byte"), quality.idle_bytes);
    if (quality.cut_bytes != 0) {
        text += fmt::format("  left out         {} before the first place to begin at\n",
                            count_of(quality.cut_bytes, "byte"));
    }
    if (quality.cut_end_bytes != 0) {
        text += fmt::format("  left out         {} of a packet that the full buffer cuts\n",
                            count_of(quality.cut_end_bytes, "byte"));
    }
    if (quality.packets != 0) {
        text += fmt::format("  bytes a packet   {:.2f}\n  timestamps       {}\n",
                            static_cast<double>(quality.packet_bytes) /
                                static_cast<double>(quality.packets),
                            quality.timestamps);
    }
    text += quality.sources_text();
    for (std::size_t kind = 0; kind < kPacketKinds; ++kind) {
        if (quality.by_kind.at(kind) != 0) {
            text += fmt::format("  {:>10}  {}\n", quality.by_kind.at(kind), kind_name(kind));
        }
    }
    return text + quality.flaws_text(describe_flaws(quality));
}

} // namespace pes::trace::etrace
