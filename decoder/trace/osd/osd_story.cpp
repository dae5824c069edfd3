// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd/osd_story.h"

#include "decoder/trace/output/text_line.h"

#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes::trace {
namespace {

constexpr std::size_t kLongestName = 256;

} // namespace

void OsdStory::add(const OsdItem& item) {
    Source& from = sources_[item.source];
    if (item.event.id != osd::kThreadSwitchId || item.missed) {
        go_on_with_name(item.source, from, !item.missed && item.event.id == osd::kThreadNameId);
    }
    if (item.missed) { // no text is glued together over a gap
        end_line(item.source, from);
        from.name.clear();
        listener_(
            {SoftwareEvent::Kind::Missed, item.source, item.time, item.time, 0, *item.missed, ""});
    } else if (item.event.id == text_id_) {
        character(item.source, from, item);
    } else if (item.event.id == osd::kThreadNameId) {
        name_part(item.source, from, item);
    } else if (item.event.id == osd::kThreadSwitchId) {
        switch_thread(item.source, from, item);
    } else {
        listener_({SoftwareEvent::Kind::Value, item.source, item.time, item.time, item.event.id,
                   item.event.value, ""});
    }
}

void OsdStory::character(std::uint16_t number, Source& from, const OsdItem& item) {
    const auto character = static_cast<char>(item.event.value & 0xFF);
    if (ends_text_line(character)) {
        end_line(number, from);
        return;
    }
    if (from.line.empty()) {
        from.line_begin = item.time;
    }
    from.line += character;
    from.line_end = item.time;
    if (from.line.size() == kLongestTextLine) {
        end_line(number, from);
    }
}

/// A value of one byte is one character: the name goes on. Of more bytes the first zero ends it.
void OsdStory::name_part(std::uint16_t number, Source& from, const OsdItem& item) {
    if (from.name.empty()) {
        from.name_time = item.time;
    }
    std::uint64_t rest = item.event.value;
    const bool packed = rest > 0xFF;
    for (unsigned byte = 0; byte < sizeof rest; ++byte, rest >>= 8) {
        const auto character = static_cast<char>(rest & 0xFF);
        if (ends_text_line(character)) {
            end_name(number, from);
            return;
        }
        from.name += character;
        if (from.name.size() == kLongestName) {
            end_name(number, from);
        }
        if (!packed) {
            return;
        }
    }
}

/// The thread that runs has sent a part of its name before it was switched away from.
void OsdStory::go_on_with_name(std::uint16_t number, Source& from, bool name_follows) {
    if (!from.thread || open_names_.empty()) {
        return;
    }
    if (auto open = open_names_.extract(*from.thread)) {
        from.name = std::move(open.mapped().text);
        from.name_time = open.mapped().time;
        if (!name_follows) {
            end_name(number, from);
        }
    }
}

/// A thread without a name has what there is of it meanwhile.
void OsdStory::switch_thread(std::uint16_t number, Source& from, const OsdItem& item) {
    if (!from.thread) {
        end_name(number, from);
    } else if (!from.name.empty()) {
        names_.try_emplace(*from.thread, from.name);
        open_names_[*from.thread] = {.text = std::exchange(from.name, ""), .time = from.name_time};
    }
    from.thread = item.event.value;
    const auto known = names_.find(item.event.value);
    listener_({SoftwareEvent::Kind::ThreadSwitch, number, item.time, item.time, item.event.id,
               item.event.value, known == names_.end() ? "" : known->second});
}

void OsdStory::end_line(std::uint16_t number, Source& from) {
    if (!from.line.empty()) {
        listener_({SoftwareEvent::Kind::Text, number, from.line_begin, from.line_end,
                   static_cast<std::uint16_t>(text_id_), 0, std::exchange(from.line, "")});
    }
}

void OsdStory::end_name(std::uint16_t number, Source& from) {
    if (from.name.empty()) {
        return;
    }
    if (from.thread) {
        names_[*from.thread] = from.name;
    }
    listener_({SoftwareEvent::Kind::ThreadName, number, from.name_time, from.name_time,
               osd::kThreadNameId, from.thread.value_or(0), std::exchange(from.name, "")});
}

void OsdStory::finish() {
    for (auto& [number, from] : sources_) {
        end_line(number, from);
        end_name(number, from);
        for (auto& [thread, open] : std::exchange(open_names_, {})) {
            from.thread = thread;
            from.name = std::move(open.text);
            from.name_time = open.time;
            end_name(number, from);
        }
    }
}

std::string OsdStory::thread_name(std::uint64_t thread) const {
    const auto known = names_.find(thread);
    return known == names_.end() ? fmt::format("{:#x}", thread) : known->second;
}

} // namespace pes::trace
