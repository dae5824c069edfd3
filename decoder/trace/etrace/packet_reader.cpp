// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/etrace/packet_reader.h"

namespace pes::trace::etrace {
namespace {

constexpr std::uint8_t kNullMask = 0x1F;

} // namespace

PacketReader::PacketReader(std::istream& input, const Encoding& encoding, StreamStart start)
    : window_(input), encoding_(encoding), start_(start) {}

bool PacketReader::next(PacketItem& item) {
    if (start_ == StreamStart::InMessage) {
        start_ = StreamStart::AtMessage;
        cut_bytes_ = skip_to_safe_place();
    }
    for (;;) {
        const std::span<const std::uint8_t> bytes = window_.fill(kMostFrame);
        if (bytes.empty()) {
            return false;
        }
        const FrameResult result =
            parse_frame(bytes, encoding_.framing, encoding_.parameters, item.frame);
        if (result.status == FrameStatus::Idle) {
            idle_bytes_ += result.size;
            window_.take(result.size);
            continue;
        }
        item.status = result.status;
        item.offset = window_.offset();
        item.size = result.size;
        item.time.reset();
        window_.take(result.size);
        if (result.status == FrameStatus::Packet) {
            item.kind = PacketItem::Kind::Packet;
            item.time = time_of(item.frame);
        } else if (result.status == FrameStatus::Incomplete) { // the window holds any whole packet
            item.kind = PacketItem::Kind::Truncated;
        } else {
            item.kind = PacketItem::Kind::Damage;
            item.size += skip_to_safe_place();
        }
        return true;
    }
}

/// Up to what stands behind the next run of null bytes that cannot be part of a packet.
std::uint64_t PacketReader::skip_to_safe_place() {
    const std::uint64_t from = window_.offset();
    const unsigned enough = encoding_.framing.sync_bytes() - 1;
    unsigned nulls = 0;
    for (;;) {
        const std::span<const std::uint8_t> bytes = window_.fill(kMostFrame);
        if (bytes.empty()) {
            return window_.offset() - from;
        }
        std::size_t index = 0;
        for (; index < bytes.size(); ++index) {
            const bool null = (bytes[index] & kNullMask) == 0;
            if (!null && nulls >= enough) {
                window_.take(index);
                return window_.offset() - from;
            }
            nulls = null ? nulls + 1 : 0;
        }
        window_.take(index);
    }
}

std::optional<std::uint64_t> PacketReader::time_of(const Frame& frame) {
    if (!frame.timestamp) {
        return std::nullopt;
    }
    const TimestampFormat format{.dialect = TimestampDialect::NTrace,
                                 .bits = encoding_.timestamp_bits};
    auto [clock, added] = clocks_.try_emplace(frame.source, format);
    return clock->second.expand(*frame.timestamp, TimestampKind::Absolute);
}

} // namespace pes::trace::etrace
