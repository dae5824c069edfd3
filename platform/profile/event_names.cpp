// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/event_names.h"

#include "hw/interface/pmu/profiles.h"
#include "platform/host/numbers.h"

#include <algorithm>

namespace pes {
namespace {

constexpr const char* kCycleName = "cycle";
constexpr const char* kInstretName = "instret";
constexpr char kAnd = '+';
constexpr std::string_view kUnnamedPrefix = "event-";

/// One text of every row that the selector chooses, or nothing if it says more than the rows.
std::optional<std::string> describe(const PmuProfile& pmu, std::uint64_t selector,
                                    const char* EventRow::*text, const char* separator) {
    std::string result;
    std::uint64_t explained = 0;
    for (const EventRow& row : pmu) {
        if (selects(pmu, selector, row)) {
            result.append(result.empty() ? "" : separator).append(row.*text);
            explained |= row.selector;
        }
    }
    return !result.empty() && explained == selector ? std::optional(result) : std::nullopt;
}

/// "load", or "jal+jalr": names of one class.
std::optional<std::uint64_t> parse_names(const PmuProfile& pmu, std::string_view text) {
    std::uint64_t selector = 0;
    for (bool first = true;; first = false) {
        const std::size_t end = text.find(kAnd);
        const EventRow* row = find_event(pmu, std::string(text.substr(0, end)).c_str());
        const bool combines = row != nullptr && pmu.selector_kind == SelectorKind::ClassMask &&
                              (row->selector & kSelectorClass) == (selector & kSelectorClass);
        if (row == nullptr || (!first && !combines)) {
            return std::nullopt;
        }
        selector |= row->selector;
        if (end == std::string_view::npos) {
            return selector;
        }
        text.remove_prefix(end + 1);
    }
}

/// False: the row of a counter that counts nothing, which options refuse.
bool counts(const PmuProfile& profile, std::string_view name) {
    return std::ranges::none_of(profile, [name](const EventRow& row) {
        return row.name == name && row.source == Event::None && row.selector == 0;
    });
}

} // namespace

std::string event_name(const PmuProfile& pmu, const EventId& event) {
    if (event.kind == CounterKind::Cycles) {
        return kCycleName;
    }
    if (event.kind == CounterKind::Instret) {
        return kInstretName;
    }
    if (const auto name = describe(pmu, event.selector, &EventRow::name, "+")) {
        return *name;
    }
    return std::string(kUnnamedPrefix) + hex(event.selector);
}

std::string event_title(const PmuProfile& pmu, const EventId& event) {
    if (event.kind == CounterKind::Cycles) {
        return "Clock cycle";
    }
    if (event.kind == CounterKind::Instret) {
        return "Instruction retired";
    }
    return describe(pmu, event.selector, &EventRow::title, " or ")
        .value_or("Selector without a row in the event table");
}

std::optional<EventId> parse_event(const PmuProfile& pmu, std::string_view text) {
    if (text == kCycleName) {
        return EventId{CounterKind::Cycles, 0};
    }
    if (text == kInstretName) {
        return EventId{CounterKind::Instret, 0};
    }
    if (const auto named = parse_names(pmu, text)) {
        return EventId{CounterKind::Programmable, *named};
    }
    if (text.starts_with(kUnnamedPrefix)) {
        text.remove_prefix(kUnnamedPrefix.size());
    }
    const auto selector = parse_address(text);
    return selector ? std::optional(EventId{CounterKind::Programmable, *selector}) : std::nullopt;
}

std::vector<std::string> event_names(const PmuProfile& pmu) {
    std::vector<std::string> names{kCycleName, kInstretName};
    for (const EventRow& row : pmu) {
        names.emplace_back(row.name);
    }
    return names;
}

std::string known_event_names(const PmuProfile& pmu) {
    std::string text;
    for (const std::string& name : event_names(pmu)) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

std::vector<std::string> built_in_profile_names() {
    std::vector<std::string> words;
    for (const PmuProfile* profile : kProfiles) {
        words.emplace_back(profile->name);
    }
    return words;
}

std::vector<std::string> built_in_event_names() {
    std::vector<std::string> words;
    for (const PmuProfile* profile : kProfiles) {
        for (const std::string& name : event_names(*profile)) {
            if (counts(*profile, name) && std::ranges::find(words, name) == words.end()) {
                words.push_back(name);
            }
        }
    }
    return words;
}

} // namespace pes
