// SPDX-License-Identifier: Apache-2.0
// The text that software prints through a stimulus: the bytes of all writes to it, least
// significant first, cut into lines at NUL, line feed and carriage return. Lines are kept apart by
// source. A stimulus that has a no-load string prints a line of its own at every write.
#pragma once

#include "decoder/trace/output/message_text.h"
#include "decoder/trace/program/no_load_strings.h"
#include "hw/interface/trace/stimulus.h"

#include <string>

namespace pes::trace {

class ItcText {
  public:
    ItcText(unsigned stimulus, SourceColumn labels, NoLoadStrings strings = {})
        : stimulus_(stimulus), labels_(labels), strings_(std::move(strings)) {}

    /// To be told everything that the reader finds, in its order. Appends the lines that are
    /// complete: "ITC Print: Msg Tics: <850-1040> text\n", without the times if they are not known.
    /// `Shown` puts "[source] " before them. Lost messages end a line, so that no text is glued
    /// together over a gap.
    void add(const TraceItem& item, const MessageContext& context, std::string& lines);

    /// The end of the trace: what is left is a line too.
    void finish(std::string& lines);
    bool empty() const { return empty_; } ///< there was no line

  private:
    struct Line {
        std::string text;
        std::optional<std::uint64_t> first; ///< time of its first and of its last message
        std::optional<std::uint64_t> last;
    };

    void write(const TraceItem& item, const MessageContext& context, std::string& lines);
    void append(Line& line, const StimulusWrite& write, const TraceItem& item,
                const MessageContext& context, std::string& lines);
    void end(std::uint16_t source, Line& line, std::string& lines);

    unsigned stimulus_;
    SourceColumn labels_;
    NoLoadStrings strings_;
    std::map<std::uint16_t, Line> lines_;
    bool empty_ = true;
};

} // namespace pes::trace
