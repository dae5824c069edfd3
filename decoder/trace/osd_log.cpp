// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd_log.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes::trace {

using namespace osd;

namespace {

bool read_words(std::istream& input, std::vector<std::uint16_t>& words, std::uint64_t& bytes) {
    std::vector<char> raw(2 * words.size());
    input.read(raw.data(), static_cast<std::streamsize>(raw.size()));
    bytes = static_cast<std::uint64_t>(input.gcount());
    for (std::size_t word = 0; word < words.size(); ++word) {
        words[word] = static_cast<std::uint16_t>(static_cast<std::uint8_t>(raw[2 * word]) << 8 |
                                                 static_cast<std::uint8_t>(raw[2 * word + 1]));
    }
    return bytes == raw.size();
}

std::string count_of(std::uint64_t count, const char* thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

} // namespace

void OsdLog::read(std::istream& input, const std::function<void(const std::string&)>& line) {
    line_ = &line;
    std::vector<std::uint16_t> words;
    for (;;) {
        std::uint64_t taken = 0;
        words.resize(1);
        const bool more = read_words(input, words, taken);
        bytes_ += taken;
        truncated_bytes_ += more ? 0 : taken;
        if (!more) {
            break;
        }
        words.resize(words[0]);
        const bool whole = read_words(input, words, taken);
        bytes_ += taken;
        if (!whole) {
            truncated_bytes_ += 2 + taken;
            break;
        }
        take(words);
    }
    for (auto& [sender, pending] : pending_) {
        end(pending);
    }
}

void OsdLog::take(std::span<const std::uint16_t> packet) {
    if (packet.size() < kHeaderWords || type_of(packet[2]) != PacketType::Event) {
        ++unknown_packets_;
        return;
    }
    Pending& pending = pending_[packet[1]];
    const std::span<const std::uint16_t> payload = packet.subspan(kHeaderWords);
    switch (kind_of(packet[2])) {
    case EventKind::Event:
        end(pending);
        append(pending, payload);
        return;
    case EventKind::Continuation:
        if (pending.size == 0) {
            ++torn_events_;
            return;
        }
        append(pending, payload);
        return;
    case EventKind::Overflow:
        end(pending);
        if (payload.size() != 1) {
            break;
        }
        ++overflows_;
        missed_ += payload[0];
        (*line_)(fmt::format("Overflow, missed {} events\n", payload[0]));
        return;
    }
    ++unknown_packets_;
}

void OsdLog::append(Pending& pending, std::span<const std::uint16_t> payload) {
    if (payload.size() > pending.words.size() - pending.size) {
        ++torn_events_;
        pending.size = 0;
        return;
    }
    std::copy(payload.begin(), payload.end(), pending.words.begin() + pending.size);
    pending.size += payload.size();
    if (pending.size == kMostEventWords) {
        end(pending);
    }
}

void OsdLog::end(Pending& pending) {
    const std::size_t size = std::exchange(pending.size, 0);
    if (size == 0) {
        return;
    }
    if (size <= kEventHeadWords) { // a value has at least one word
        ++torn_events_;
        return;
    }
    const Event event = event_of({pending.words.data(), size});
    ++events_;
    ++by_id_[event.id];
    (*line_)(fmt::format("{:08x} {:04x} {:016x}\n", event.timestamp, event.id, event.value));
}

std::vector<std::string> OsdLog::describe_flaws() const {
    std::vector<std::string> flaws;
    if (overflows_ != 0) {
        flaws.push_back(fmt::format("{}: {} missed", count_of(overflows_, "overflow packet"),
                                    count_of(missed_, "event")));
    }
    if (unknown_packets_ != 0) {
        flaws.push_back(count_of(unknown_packets_, "packet") +
                        " that a trace module does not send");
    }
    if (torn_events_ != 0) {
        flaws.push_back(count_of(torn_events_, "event") + " with a part missing");
    }
    if (truncated_bytes_ != 0) {
        flaws.push_back("the file ends " + count_of(truncated_bytes_, "byte") + " into a packet");
    }
    return flaws;
}

std::string OsdLog::summary_text(const std::string& file) const {
    std::string text =
        fmt::format("{}: {} in {}\n", file, count_of(events_, "event"), count_of(bytes_, "byte"));
    for (const auto& [id, count] : by_id_) {
        const char* name = id == kThreadSwitchId ? " (THREAD_SWITCH)"
                           : id == kThreadNameId ? " (THREAD_NAME)"
                           : id == kPrintId      ? " (print)"
                                                 : "";
        text += fmt::format("  {:>10}  id {:#06x}{}\n", count, id, name);
    }
    for (const std::string& flaw : describe_flaws()) {
        text += "  damage           " + flaw + "\n";
    }
    return text;
}

} // namespace pes::trace
