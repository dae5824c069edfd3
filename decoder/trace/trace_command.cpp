// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_command.h"

#include "decoder/commands.h"
#include "decoder/input_file.h"
#include "decoder/trace/itc_text.h"
#include "decoder/trace/message_text.h"
#include "decoder/trace/source_width.h"
#include "decoder/trace/text_output.h"
#include "decoder/trace/trace_quality.h"
#include "hw/common/host/output_set.h"
#include "hw/common/host/user_error.h"

#include <iostream>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using namespace trace;

/// What is made of a trace on the way through it.
class Products {
  public:
    Products(const TraceCommand& command, const ElfProgram* program, OutputSet& files,
             OutputFile* messages, OutputFile* itc_print)
        : perf_(command.perf, command.file, program, files), messages_(messages),
          itc_print_(itc_print),
          source_(command.source_bits > 0 ? SourceColumn::Shown : SourceColumn::Hidden),
          itc_text_(command.itc_stimulus, source_) {}

    void add(const TraceItem& item, const MessageContext& context) {
        perf_.add(item, context);
        if (messages_.wanted()) {
            add_message_line(item, context);
            messages_.flush_blocks();
        }
        if (itc_print_.wanted()) {
            itc_text_.add(item, context, itc_print_.text());
            itc_print_.flush_blocks();
        }
    }

    const PerfQuality* perf_quality() const { return perf_.quality(); }

    void finish(std::uint64_t end_of_file) {
        perf_.finish(end_of_file);
        itc_text_.finish(itc_print_.text());
        messages_.flush();
        itc_print_.flush();
    }

  private:
    void add_message_line(const TraceItem& item, const MessageContext& context) {
        if (item.kind == TraceItem::Kind::Message) {
            append_message(messages_.text(), ++number_, item.message, context, source_);
        } else {
            fmt::format_to(std::back_inserter(messages_.text()), "# at {:#x}, {}\n", item.offset,
                           describe(item));
        }
    }

    PerfProducts perf_;
    TextOutput messages_;
    TextOutput itc_print_;
    SourceColumn source_;
    std::uint64_t number_ = 0;
    ItcText itc_text_;
};

TraceQuality decode(const TraceCommand& command, Products& products) {
    std::ifstream input = open_input(command.file);
    TraceReader reader(input, command.source_bits);
    ContextTracker contexts(command.timestamps);
    TraceQuality quality;
    TraceItem item;
    while (reader.next(item)) {
        const MessageContext context = contexts.next(item);
        quality.add(item, context);
        products.add(item, context);
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

void say_all(const TraceCommand& command, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) {
        say(command, sentence);
    }
}

} // namespace

int run_trace(const TraceCommand& command) {
    std::optional<ElfProgram> program;
    if (!command.program.empty()) {
        program.emplace(command.program);
    }
    OutputSet files({command.file, command.program});
    OutputFile* messages = files.open(command.messages);
    OutputFile* itc_print = files.open(command.itc_print);
    const bool standard_output_taken = command.messages == "-" || command.itc_print == "-";
    OutputFile* summary = files.open(standard_output_taken ? "" : "-");
    Products products(command, program ? &*program : nullptr, files, messages, itc_print);

    const TraceQuality quality = decode(command, products);
    const std::string hint = width_hint(command, quality);
    if (quality.messages == 0 && quality.damages() + quality.truncated_bytes != 0) {
        throw UserError("'" + command.file + "' holds no trace message" +
                        (hint.empty() ? ", expected a trace in byte slices" : "; " + hint));
    }
    products.finish(quality.bytes);
    const PerfQuality* perf = products.perf_quality();
    if (summary != nullptr) {
        summary->write(summary_text(command.file, quality));
        summary->write(perf != nullptr ? perf->summary_text() : "");
    }
    files.commit();

    if (summary == nullptr || command.strict) {
        say_all(command, describe_flaws(quality));
        if (perf != nullptr) {
            say_all(command, perf->describe_flaws());
        }
    }
    if (!hint.empty()) {
        say(command, hint);
    }
    const bool flawed = quality.flawed() || (perf != nullptr && perf->flawed());
    return command.strict && flawed ? kExitNotMet : kExitOk;
}

} // namespace pes
