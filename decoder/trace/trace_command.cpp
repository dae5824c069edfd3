// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_command.h"

#include "decoder/commands.h"
#include "decoder/input_file.h"
#include "decoder/trace/message_text.h"
#include "decoder/trace/source_width.h"
#include "decoder/trace/trace_quality.h"
#include "hw/common/host/output_set.h"
#include "hw/common/host/user_error.h"

#include <iostream>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using namespace trace;

constexpr std::size_t kTextBlock = std::size_t{64} * 1024;

/// The message dump: a line for every message, and one for every place that is not readable.
class MessageDump {
  public:
    MessageDump(OutputFile* file, SourceColumn source) : file_(file), source_(source) {}

    void add(const TraceItem& item, const MessageContext& context) {
        if (file_ == nullptr) {
            return;
        }
        if (item.kind == TraceItem::Kind::Message) {
            append_message(text_, ++number_, item.message, context, source_);
        } else {
            fmt::format_to(std::back_inserter(text_), "# at {:#x}, {}\n", item.offset,
                           describe(item));
        }
        if (text_.size() >= kTextBlock) {
            flush();
        }
    }

    void flush() {
        if (file_ != nullptr) {
            file_->write(text_);
            text_.clear();
        }
    }

  private:
    OutputFile* file_;
    SourceColumn source_;
    std::uint64_t number_ = 0;
    std::string text_;
};

TraceQuality decode(const TraceCommand& command, MessageDump& dump) {
    std::ifstream input = open_input(command.file);
    TraceReader reader(input, command.source_bits);
    ContextTracker contexts(command.timestamps);
    TraceQuality quality;
    TraceItem item;
    while (reader.next(item)) {
        const MessageContext context = contexts.next(item);
        quality.add(item, context);
        dump.add(item, context);
    }
    require_read(input, command.file);
    quality.bytes = reader.bytes();
    quality.idle_bytes = reader.idle_bytes();
    return quality;
}

/// A usual mistake is a wrong width of SRC; the file shows it if another width fits.
std::string width_hint(const TraceCommand& command, const TraceQuality& quality) {
    if (!quality.flawed()) {
        return "";
    }
    const auto widths = better_source_bits(command.file, command.source_bits, command.timestamps);
    return widths.empty()
               ? ""
               : fmt::format("--src-bits {} would read the start of the file without a flaw",
                             fmt::join(widths, " or "));
}

void say(const TraceCommand& command, const std::string& sentence) {
    std::cerr << "pes-decode: '" << command.file << "': " << sentence << '\n';
}

} // namespace

int run_trace(const TraceCommand& command) {
    OutputSet files({command.file});
    OutputFile* messages = files.open(command.messages);
    OutputFile* summary = files.open(command.messages == "-" ? "" : "-");
    MessageDump dump(messages,
                     command.source_bits > 0 ? SourceColumn::Shown : SourceColumn::Hidden);

    const TraceQuality quality = decode(command, dump);
    const std::string hint = width_hint(command, quality);
    if (quality.messages == 0 && quality.damages() + quality.truncated_bytes != 0) {
        throw UserError("'" + command.file + "' holds no trace message" +
                        (hint.empty() ? ", expected a trace in byte slices" : "; " + hint));
    }
    dump.flush();
    if (summary != nullptr) {
        summary->write(summary_text(command.file, quality));
    }
    files.commit();

    if (summary == nullptr || command.strict) {
        for (const std::string& flaw : describe_flaws(quality)) {
            say(command, flaw);
        }
    }
    if (!hint.empty()) {
        say(command, hint);
    }
    return command.strict && quality.flawed() ? kExitNotMet : kExitOk;
}

} // namespace pes
