// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd/osd_reader.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <utility>

namespace pes::trace {

bool OsdReader::next(OsdItem& item) {
    while (ready_.empty() && !ended_) {
        if (!read_packet()) {
            ended_ = true;
            for (auto& [source, from] : senders_) {
                end(source, from);
            }
        }
    }
    if (ready_.empty()) {
        return false;
    }
    item = ready_.front();
    ready_.pop_front();
    return true;
}

bool OsdReader::read_packet() {
    if (!read_words(1)) {
        return false;
    }
    if (!read_words(words_[0])) {
        counts_.truncated_bytes += 2;
        return false;
    }
    take(words_);
    return true;
}

bool OsdReader::read_words(std::size_t count) {
    std::vector<char> raw(2 * count);
    input_->read(raw.data(), static_cast<std::streamsize>(raw.size()));
    const auto bytes = static_cast<std::uint64_t>(input_->gcount());
    counts_.bytes += bytes;
    if (bytes != raw.size()) {
        counts_.truncated_bytes += bytes;
        return false;
    }
    words_.resize(count);
    for (std::size_t word = 0; word < count; ++word) {
        words_[word] = static_cast<std::uint16_t>(static_cast<std::uint8_t>(raw[2 * word]) << 8 |
                                                  static_cast<std::uint8_t>(raw[2 * word + 1]));
    }
    return true;
}

void OsdReader::take(std::span<const std::uint16_t> packet) {
    if (packet.size() < osd::kHeaderWords || osd::type_of(packet[2]) != osd::PacketType::Event) {
        ++counts_.unknown_packets;
        return;
    }
    const std::uint16_t source = packet[1];
    Sender& from = senders_[source];
    const std::span<const std::uint16_t> payload = packet.subspan(osd::kHeaderWords);
    switch (osd::kind_of(packet[2])) {
    case osd::EventKind::Event:
        end(source, from);
        append(source, from, payload);
        return;
    case osd::EventKind::Continuation:
        if (from.size == 0) {
            ++counts_.torn_events;
            return;
        }
        append(source, from, payload);
        return;
    case osd::EventKind::Overflow:
        end(source, from);
        if (payload.size() != 1) {
            break;
        }
        ++counts_.overflows;
        counts_.missed += payload[0];
        ready_.push_back({source, from.time, {}, payload[0]});
        return;
    }
    ++counts_.unknown_packets;
}

void OsdReader::append(std::uint16_t source, Sender& from, std::span<const std::uint16_t> payload) {
    if (payload.size() > from.words.size() - from.size) {
        ++counts_.torn_events;
        from.size = 0;
        return;
    }
    std::copy(payload.begin(), payload.end(), from.words.begin() + from.size);
    from.size += payload.size();
    if (from.size == osd::kMostEventWords) {
        end(source, from);
    }
}

void OsdReader::end(std::uint16_t source, Sender& from) {
    const std::size_t size = std::exchange(from.size, 0);
    if (size == 0) {
        return;
    }
    if (size <= osd::kEventHeadWords) { // a value has at least one word
        ++counts_.torn_events;
        return;
    }
    const osd::Event event = osd::event_of({from.words.data(), size});
    // The difference of two numbers of 32 bits is right over a wrap, too.
    from.time +=
        static_cast<std::uint32_t>(event.timestamp - static_cast<std::uint32_t>(from.time));
    ++counts_.events;
    ready_.push_back({source, from.time, event, std::nullopt});
}

OsdMerge::OsdMerge(const std::vector<std::istream*>& inputs, const std::vector<std::string>& names)
    : names_(names) {
    for (std::istream* input : inputs) {
        files_.push_back({OsdReader(*input), {}, false});
    }
    for (std::size_t file = 0; file < files_.size(); ++file) {
        advance(file);
    }
}

void OsdMerge::advance(std::size_t number) {
    File& file = files_[number];
    file.more = file.reader.next(file.item);
    if (!file.more) {
        return;
    }
    const auto [entry, is_new] = file_of_.try_emplace(file.item.source, number);
    if (entry->second != number) {
        throw UserError("'" + names_[entry->second] + "' and '" + names_[number] +
                        "' both have events of module " + std::to_string(file.item.source) +
                        ", expected a file for each hart of one run");
    }
}

bool OsdMerge::next(OsdItem& item) {
    const auto first =
        std::min_element(files_.begin(), files_.end(), [](const File& a, const File& b) {
            return a.more && (!b.more || a.item.time < b.item.time);
        });
    if (first == files_.end() || !first->more) {
        return false;
    }
    item = first->item;
    advance(static_cast<std::size_t>(first - files_.begin()));
    return true;
}

OsdCounts OsdMerge::counts() const {
    OsdCounts total;
    for (const File& file : files_) {
        const OsdCounts& counts = file.reader.counts();
        total.bytes += counts.bytes;
        total.events += counts.events;
        total.overflows += counts.overflows;
        total.missed += counts.missed;
        total.unknown_packets += counts.unknown_packets;
        total.torn_events += counts.torn_events;
        total.truncated_bytes += counts.truncated_bytes;
    }
    return total;
}

} // namespace pes::trace
