// SPDX-License-Identifier: Apache-2.0
#include "decoder/event_names.h"

#include "hw/hpm/profile_cva6.h"

#include <charconv>
#include <sstream>

namespace pes {
namespace {

constexpr const char* kCycleName = "cycle";
constexpr const char* kInstretName = "instret";
constexpr std::string_view kUnnamedPrefix = "event-";

std::optional<std::uint64_t> parse_selector(std::string_view text) {
    const bool is_hex = text.starts_with("0x");
    text.remove_prefix(is_hex ? 2 : 0);
    std::uint64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value, is_hex ? 16 : 10);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

} // namespace

std::string event_name(const EventId& event) {
    if (event.kind == CounterKind::Cycle) {
        return kCycleName;
    }
    if (event.kind == CounterKind::Instret) {
        return kInstretName;
    }
    if (const EventRow* row = find_selector(kCva6Profile, event.selector)) {
        return row->name;
    }
    std::ostringstream text;
    text << kUnnamedPrefix << "0x" << std::hex << event.selector;
    return text.str();
}

std::string event_title(const EventId& event) {
    if (event.kind == CounterKind::Cycle) {
        return "Clock cycle";
    }
    if (event.kind == CounterKind::Instret) {
        return "Instruction retired";
    }
    const EventRow* row = find_selector(kCva6Profile, event.selector);
    return row != nullptr ? row->title : "Selector without a row in the event table";
}

std::optional<EventId> parse_event(std::string_view text) {
    if (text == kCycleName) {
        return EventId{CounterKind::Cycle, 0};
    }
    if (text == kInstretName) {
        return EventId{CounterKind::Instret, 0};
    }
    if (const EventRow* row = find_event(kCva6Profile, std::string(text).c_str())) {
        return EventId{CounterKind::Programmable, row->selector};
    }
    if (text.starts_with(kUnnamedPrefix)) {
        text.remove_prefix(kUnnamedPrefix.size());
    }
    const auto selector = parse_selector(text);
    return selector ? std::optional(EventId{CounterKind::Programmable, *selector}) : std::nullopt;
}

std::string known_event_names() {
    std::string names = std::string(kCycleName) + ", " + kInstretName;
    for (const EventRow& row : kCva6Profile) {
        names += std::string(", ") + row.name;
    }
    return names;
}

} // namespace pes
