// SPDX-License-Identifier: Apache-2.0
// Debug packets of the Open SoC Debug design, as its software trace module (STM) sends them. For
// hardware and decoder.
//
//   packet    DEST SRC FLAGS payload, words of 16 bits
//   FLAGS     15:14 type, 13:10 sub-type
//   event     sub-type 0: timestamp low, timestamp high, id, value (lowest word first)
//             sub-type 1: more words of the event before, which did not fit one packet
//             sub-type 5: the number of events that were missed, saturating
//   file      for each packet its length in words, then the packet; big endian, as transported
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace pes::trace::osd {

enum class PacketType : std::uint8_t { RegisterAccess = 0, Event = 2 };
enum class EventKind : std::uint8_t { Event = 0, Continuation = 1, Overflow = 5 };

inline constexpr std::size_t kHeaderWords = 3;
inline constexpr std::size_t kLeastPacketWords = 12; ///< every transport takes packets so long
inline constexpr std::size_t kEventHeadWords = 3;    ///< timestamp and id
inline constexpr std::size_t kMostValueWords = 4;    ///< VALWIDTH 64
inline constexpr std::size_t kMostEventWords = kEventHeadWords + kMostValueWords;

inline constexpr std::uint16_t kUnusedId = 0;            ///< "not used": no event has it
inline constexpr std::uint16_t kPrintId = 4;             ///< a character
inline constexpr std::uint16_t kThreadNameId = 0x4000;   ///< THREAD_NAME
inline constexpr std::uint16_t kThreadSwitchId = 0x8000; ///< THREAD_SWITCH: the thread pointer

/// Groups of ids. The specification calls 0x8000 reserved and THREAD_SWITCH.
enum class IdGroup : std::uint8_t { NotUsed, User, Common, Reserved, System };

constexpr IdGroup group_of(std::uint16_t id) {
    if (id == kUnusedId) {
        return IdGroup::NotUsed;
    }
    constexpr std::array kGroups{IdGroup::User, IdGroup::Common, IdGroup::Reserved,
                                 IdGroup::System};
    return id == kThreadSwitchId ? IdGroup::System : kGroups[id >> 14];
}

constexpr std::uint16_t flags_of(EventKind kind) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(PacketType::Event) << 14 |
                                      static_cast<unsigned>(kind) << 10);
}
constexpr PacketType type_of(std::uint16_t flags) {
    return static_cast<PacketType>(flags >> 14);
}
constexpr EventKind kind_of(std::uint16_t flags) {
    return static_cast<EventKind>(flags >> 10 & 0xF);
}

struct Event {
    std::uint32_t timestamp = 0;
    std::uint16_t id = 0;
    std::uint64_t value = 0;

    bool operator==(const Event&) const = default;
};

/// The words of an event; `value_words`: VALWIDTH / 16.
constexpr std::array<std::uint16_t, kMostEventWords> words_of(const Event& event) {
    std::array<std::uint16_t, kMostEventWords> words{};
    words[0] = static_cast<std::uint16_t>(event.timestamp);
    words[1] = static_cast<std::uint16_t>(event.timestamp >> 16);
    words[2] = event.id;
    for (std::size_t word = 0; word < kMostValueWords; ++word) {
        words[kEventHeadWords + word] = static_cast<std::uint16_t>(event.value >> (16 * word));
    }
    return words;
}

/// The opposite; `words` holds at least kEventHeadWords.
constexpr Event event_of(std::span<const std::uint16_t> words) {
    Event event{static_cast<std::uint32_t>(words[0] | std::uint32_t{words[1]} << 16), words[2], 0};
    for (std::size_t word = kEventHeadWords; word < words.size(); ++word) {
        event.value |= std::uint64_t{words[word]} << (16 * (word - kEventHeadWords));
    }
    return event;
}

/// Who sends, and to whom: addresses in the debug network.
struct Route {
    std::uint16_t destination = 0;
    std::uint16_t source = 0;
};

/// Appends one packet as a file holds it.
inline void append_packet(std::string& file, Route route, EventKind kind,
                          std::span<const std::uint16_t> payload) {
    const auto put = [&file](std::size_t word) {
        file += static_cast<char>(word >> 8 & 0xFF);
        file += static_cast<char>(word & 0xFF);
    };
    put(kHeaderWords + payload.size());
    put(route.destination);
    put(route.source);
    put(flags_of(kind));
    for (const std::uint16_t word : payload) {
        put(word);
    }
}

/// Appends an event in packets of at most `most_words`. `value_words`: VALWIDTH / 16.
inline void append_event(std::string& file, Route route, const Event& event,
                         std::size_t value_words, std::size_t most_words = kLeastPacketWords) {
    const auto words = words_of(event);
    std::span<const std::uint16_t> rest(words.data(), kEventHeadWords + value_words);
    EventKind kind = EventKind::Event;
    while (!rest.empty()) {
        const auto part = rest.first(std::min(rest.size(), most_words - kHeaderWords));
        append_packet(file, route, kind, part);
        rest = rest.subspan(part.size());
        kind = EventKind::Continuation;
    }
}

inline void append_overflow(std::string& file, Route route, std::uint16_t missed) {
    append_packet(file, route, EventKind::Overflow, {&missed, 1});
}

} // namespace pes::trace::osd
