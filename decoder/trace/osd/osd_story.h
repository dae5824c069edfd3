// SPDX-License-Identifier: Apache-2.0
// Events of software trace modules -> what the software told with them: values, lines of text,
// threads with their names.
//
// A thread's name is sent while it runs, in events of one character, or of as many as a value has,
// lowest byte first. It ends with a zero byte, a line feed, or another event of the thread; a
// switch to other threads and back does not end it. It may be sent again and again.
#pragma once

#include "decoder/trace/osd/osd_reader.h"

#include <functional>

namespace pes::trace {

struct SoftwareEvent {
    enum class Kind : std::uint8_t {
        Value,        ///< any other event
        Text,         ///< a line of characters
        ThreadSwitch, ///< value: the thread; text: its name if it is known
        ThreadName,   ///< value: the thread, 0 if it is not known; text: its name
        Missed,       ///< value: how many events
    };

    Kind kind{};
    std::uint16_t source = 0;
    std::uint64_t time = 0;  ///< of a text: of its first character
    std::uint64_t until = 0; ///< of a text: of its last character
    std::uint16_t id = 0;
    std::uint64_t value = 0;
    std::string text;
};

class OsdStory {
  public:
    using Listener = std::function<void(const SoftwareEvent&)>;

    /// `text_id`: id of the events that are characters.
    OsdStory(unsigned text_id, Listener listener)
        : text_id_(text_id), listener_(std::move(listener)) {}

    void add(const OsdItem& item);
    /// The end of the trace: what is left of texts and names is told.
    void finish();

    /// "idle"; of a thread that has told no name "0x80001000".
    std::string thread_name(std::uint64_t thread) const;

  private:
    struct Source {
        std::string line;
        std::uint64_t line_begin = 0;
        std::uint64_t line_end = 0;
        std::string name; ///< in the making
        std::uint64_t name_time = 0;
        std::optional<std::uint64_t> thread;
    };

    void character(std::uint16_t number, Source& from, const OsdItem& item);
    void name_part(std::uint16_t number, Source& from, const OsdItem& item);
    void go_on_with_name(std::uint16_t number, Source& from, bool name_follows);
    void switch_thread(std::uint16_t number, Source& from, const OsdItem& item);
    void end_line(std::uint16_t number, Source& from);
    void end_name(std::uint16_t number, Source& from);

    unsigned text_id_;
    Listener listener_;
    std::map<std::uint16_t, Source> sources_;
    struct OpenName {
        std::string text;
        std::uint64_t time = 0;
    };
    std::map<std::uint64_t, OpenName> open_names_; ///< by thread that has been switched away from
    std::map<std::uint64_t, std::string> names_;   ///< by thread: it may move to another hart
};

} // namespace pes::trace
