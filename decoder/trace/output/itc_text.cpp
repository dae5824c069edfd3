// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/itc_text.h"

#include "decoder/trace/output/text_line.h"
#include "platform/profile/text_layout.h"

#include <iterator>
#include <spdlog/fmt/fmt.h>

namespace pes::trace {
void ItcText::add(const TraceItem& item, const MessageContext& context, std::string& lines) {
    const bool message = item.kind == TraceItem::Kind::Message;
    if (message && item.message.code == MessageCode::DataAcquisition) {
        write(item, context, lines);
    } else if (message && item.message.code == MessageCode::Error) {
        end(item.message.source, lines_[item.message.source], lines);
    } else if (!message) {
        finish(lines);
    }
}

void ItcText::write(const TraceItem& item, const MessageContext& context, std::string& lines) {
    const StimulusWrite write = to_stimulus_write(item.message);
    if (strings_.has(write.stimulus)) {
        std::string text = strings_.text(write.stimulus, write.value);
        while (!text.empty() && ends_text_line(text.back())) {
            text.pop_back();
        }
        Line line{std::move(text), context.time, context.time};
        end(item.message.source, line, lines);
    } else if (write.stimulus == stimulus_) {
        append(lines_[item.message.source], write, item, context, lines);
    }
}

void ItcText::append(Line& line, const StimulusWrite& write, const TraceItem& item,
                     const MessageContext& context, std::string& lines) {
    for (unsigned byte = 0; byte < write.bytes; ++byte) {
        const auto character = static_cast<char>((write.value >> (8 * byte)) & 0xFF);
        if (ends_text_line(character)) {
            end(item.message.source, line, lines);
            continue;
        }
        if (line.text.empty()) {
            line.first = context.time;
        }
        line.text += character;
        line.last = context.time;
        if (line.text.size() == kLongestTextLine) {
            end(item.message.source, line, lines);
        }
    }
}

void ItcText::finish(std::string& lines) {
    for (auto& [source, line] : lines_) {
        end(source, line, lines);
    }
}

void ItcText::end(std::uint16_t source, Line& line, std::string& lines) {
    if (line.text.empty()) {
        return; // "\r\n", and the zeros that fill up a word
    }
    if (labels_ == SourceColumn::Shown) {
        fmt::format_to(std::back_inserter(lines), "[{}] ", source);
    }
    empty_ = false;
    lines += "ITC Print: ";
    if (line.first && line.last) {
        fmt::format_to(std::back_inserter(lines), "Msg Tics: <{}-{}> ", *line.first, *line.last);
    }
    lines += printable(line.text);
    lines += '\n';
    line = {};
}

} // namespace pes::trace
