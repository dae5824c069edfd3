// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/flow/flow.h"

namespace pes::trace {

void Flow::add(const TraceItem& item, const MessageContext& context) {
    if (item.kind == TraceItem::Kind::Message) {
        source(item.message.source).add(item, context);
        return;
    }
    const GapReason reason =
        item.kind == TraceItem::Kind::Truncated ? GapReason::Truncated : GapReason::Damage;
    if (item.status == ParseStatus::UnknownCode) { // a whole message: its source is known
        source(item.message.source).lose(reason, item.offset);
        return;
    }
    for (auto& [number, flow] : sources_) {
        flow->lose(reason, item.offset);
    }
}

void Flow::add(const etrace::PacketItem& item) {
    if (item.kind == etrace::PacketItem::Kind::Packet) {
        auto& flow = packet_sources_[item.frame.source];
        if (flow == nullptr) {
            flow = std::make_unique<etrace::PacketFlow>(item.frame.source, parameters_, image_,
                                                        sinks_);
        }
        flow->add(item);
        return;
    }
    const bool truncated = item.kind == etrace::PacketItem::Kind::Truncated;
    for (auto& [number, flow] : packet_sources_) {
        flow->lose(truncated ? GapReason::Truncated : GapReason::Damage, item.offset);
    }
}

SourceFlow& Flow::source(std::uint16_t number) {
    if (recent_ == nullptr || recent_number_ != number) {
        auto& flow = sources_[number];
        if (flow == nullptr) {
            flow = std::make_unique<SourceFlow>(number, image_, sinks_);
        }
        recent_ = flow.get();
        recent_number_ = number;
    }
    return *recent_;
}

std::optional<Address> Flow::position(std::uint16_t source) const {
    if (const auto found = packet_sources_.find(source); found != packet_sources_.end()) {
        return found->second->position();
    }
    const auto found = sources_.find(source);
    return found == sources_.end() ? std::nullopt : found->second->position();
}

std::uint64_t Flow::unresolved_units() const {
    std::uint64_t units = 0;
    for (const auto& [number, flow] : sources_) {
        units += flow->unresolved_units();
    }
    return units;
}

std::uint64_t Flow::unplaced_messages() const {
    std::uint64_t messages = 0;
    for (const auto& [number, flow] : sources_) {
        messages += flow->unplaced_messages();
    }
    for (const auto& [number, flow] : packet_sources_) {
        messages += flow->unplaced_packets();
    }
    return messages;
}

} // namespace pes::trace
