// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/trace_command.h"

#include "decoder/commands.h"
#include "decoder/trace/etrace/packet_text.h"
#include "decoder/trace/found_settings.h"
#include "decoder/trace/messages/trace_quality.h"
#include "decoder/trace/osd_command.h"
#include "decoder/trace/output/itc_text.h"
#include "decoder/trace/output/message_text.h"
#include "decoder/trace/output/text_output.h"
#include "decoder/trace/program/raw_memory.h"
#include "decoder/trace/read_trace.h"
#include "decoder/trace/source_width.h"
#include "platform/host/output_set.h"
#include "platform/host/user_error.h"
#include "platform/program/elf_code.h"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <map>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using namespace trace;

/// What is made of a trace on the way through it.
class Products {
  public:
    Products(const TraceCommand& command, const TraceEncoding& encoding, const Symbolizer& symbols,
             OutputSet& files)
        : source_(encoding.source_bits > 0 ? SourceColumn::Shown : SourceColumn::Hidden),
          flow_(command.flow, symbols, encoding.memory, source_, files), symbols_(symbols),
          hot_spots_(command.hot_spots), samples_file_(files.open(command.hot_spots.csv)),
          perf_(command.perf, command.file, symbols, flow_.code(), encoding, files),
          messages_(files.open(command.messages)), itc_print_(files.open(command.itc_print)),
          itc_stimulus_(command.itc_stimulus),
          itc_text_(command.itc_stimulus, source_, no_load_strings(command, encoding)) {
        if (Flow* flow = flow_.flow()) {
            flow->set_parameters(encoding.packets.parameters);
            perf_.follow(*flow);
        }
    }

    void add(const TraceItem& item, const MessageContext& context) {
        flow_.add(item, context);
        perf_.add(item, context);
        samples_.add(item, context);
        if (messages_.wanted()) {
            add_message_line(item, context);
            messages_.flush_blocks();
        }
        if (itc_print_.wanted()) {
            itc_text_.add(item, context, itc_print_.text());
            itc_print_.flush_blocks();
        }
    }

    void add(const etrace::PacketItem& item) {
        flow_.add(item);
        if (messages_.wanted()) {
            add_packet_line(item);
            messages_.flush_blocks();
        }
    }

    const PerfQuality* perf_quality() const { return perf_.quality(); }
    const FlowProducts& flow() const { return flow_; }
    const PcSamples& samples() const { return samples_; }

    /// A sentence for each product that came out empty, and what else is worth one.
    std::vector<std::string> notes() const {
        std::vector<std::string> notes = perf_.notes();
        const auto more = flow_.notes();
        notes.insert(notes.end(), more.begin(), more.end());
        if (messages_.wanted() && number_ == 0) {
            notes.emplace_back("--messages has nothing in it: the trace has no message");
        }
        if (itc_print_.wanted() && itc_text_.empty()) {
            notes.push_back(
                fmt::format("--itc-print has nothing in it: no text was written to stimulus {}",
                            itc_stimulus_));
        }
        if (samples_file_ != nullptr && samples_.empty()) {
            notes.emplace_back(
                "--hot-spots has nothing in it: the trace has no PC sample at a known address");
        }
        return notes;
    }

    void finish(std::uint64_t end_of_file) {
        perf_.finish(end_of_file);
        flow_.finish();
        itc_text_.finish(itc_print_.text());
        messages_.flush();
        itc_print_.flush();
        if (samples_file_ != nullptr) {
            samples_.write_csv(samples_file_->stream(), symbols_, hot_spots_);
        }
    }

  private:
    void add_message_line(const TraceItem& item, const MessageContext& context) {
        if (item.kind == TraceItem::Kind::Message) {
            append_message(messages_.text(), ++number_, item.message, context, source_,
                           flow_.next_address(item.message.source));
        } else {
            fmt::format_to(std::back_inserter(messages_.text()), "# at {:#x}, {}\n", item.offset,
                           describe(item));
        }
    }

    void add_packet_line(const etrace::PacketItem& item) {
        if (item.kind != etrace::PacketItem::Kind::Packet) {
            fmt::format_to(std::back_inserter(messages_.text()), "# at {:#x}, {}\n", item.offset,
                           describe(item));
            return;
        }
        const etrace::Frame& frame = item.frame;
        if (frame.packet.is(etrace::Sync::Support)) {
            full_address_[frame.source] = frame.packet.ioptions.full_address;
        }
        etrace::append_packet(messages_.text(), ++number_, item, full_address_[frame.source],
                              source_, flow_.next_address(frame.source));
    }

    static NoLoadStrings no_load_strings(const TraceCommand& command,
                                         const TraceEncoding& encoding) {
        std::vector<std::string> comments;
        if (command.no_load_strings && !command.itc_print.empty()) {
            for (const ProgramFile& program : encoding.programs) {
                const auto more = read_comment_strings(program.path);
                comments.insert(comments.end(), more.begin(), more.end());
            }
        }
        return NoLoadStrings(comments);
    }

    SourceColumn source_;
    FlowProducts flow_;
    const Symbolizer& symbols_;
    const HotSpotOptions& hot_spots_;
    PcSamples samples_;
    OutputFile* samples_file_;
    PerfProducts perf_; ///< knows the code of flow_
    TextOutput messages_;
    TextOutput itc_print_;
    std::uint64_t number_ = 0;
    std::map<std::uint16_t, bool> full_address_; ///< of packets, by source
    unsigned itc_stimulus_;
    ItcText itc_text_;
};

/// A usual mistake is a wrong width of SRC; the file shows it if another width fits.
std::string width_hint(const TraceCommand& command, const TraceEncoding& encoding,
                       const TraceQuality& quality) {
    if (!quality.flawed()) {
        return "";
    }
    const auto widths = better_source_bits(command.file, encoding);
    return widths.empty()
               ? ""
               : fmt::format("--src-bits {} would read the start of the file without a flaw",
                             fmt::join(widths, " or "));
}

/// What came of reading the file.
struct Reading {
    std::uint64_t bytes = 0;
    bool flawed = false;
    std::string summary;
    std::vector<std::string> flaws;
    std::string hint;
};

Reading read_messages(const TraceCommand& command, const TraceEncoding& encoding,
                      const TraceSettings& side_file, Products& products) {
    const TraceQuality quality = read_trace(
        command.file, encoding, side_file,
        [&](const TraceItem& item, const MessageContext& context) { products.add(item, context); });
    std::string hint = width_hint(command, encoding, quality);
    if (quality.messages == 0 && quality.damages() + quality.truncated_bytes != 0) {
        throw UserError("'" + command.file + "' holds no trace message" +
                        (hint.empty() ? ", expected a trace in byte slices" : "; " + hint));
    }
    return {quality.bytes, quality.flawed(), summary_text(command.file, quality),
            describe_flaws(quality), std::move(hint)};
}

Reading read_etrace(const TraceCommand& command, const TraceEncoding& encoding,
                    const TraceSettings& side_file, Products& products) {
    const etrace::PacketQuality quality =
        read_packets(command.file, encoding, side_file,
                     [&](const etrace::PacketItem& item) { products.add(item); });
    if (quality.foreign() && encoding.start == StreamStart::AtMessage) {
        throw UserError("'" + command.file +
                        "' is no E-Trace, expected packets in its encapsulation, a support packet "
                        "first");
    }
    return {quality.bytes, quality.flawed(), summary_text(command.file, quality),
            describe_flaws(quality), ""};
}

void say(const TraceCommand& command, const std::string& sentence) {
    std::cerr << "pes-decode: '" << command.file << "': " << sentence << '\n';
}

void say_all(const TraceCommand& command, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) {
        say(command, sentence);
    }
}

void require_program(const TraceCommand& command, const TraceEncoding& encoding) {
    const PerfOptions& perf = command.perf;
    const bool named = !encoding.programs.empty();
    if (!named && (perf.text_files || perf.event_files || perf.ctf)) {
        const char* option = perf.text_files ? "--perf" : perf.event_files ? "--events" : "--ctf";
        throw UserError(std::string(option) +
                        " got no program to name its files after, expected --elf as well");
    }
    if (!encoding.has_code() && !command.flow.instructions.empty()) {
        throw UserError("--instructions got no program to follow, expected --elf as well");
    }
    if (!encoding.has_code() && !command.flow.coverage.empty()) {
        throw UserError("--lcov got no program to follow, expected --elf as well");
    }
    if (!encoding.has_code() && perf.weight.of == FoldedWeight::Of::Instructions) {
        throw UserError("--folded-weight instructions got no program to follow, expected --elf "
                        "as well");
    }
}

bool takes_standard_output(const TraceCommand& command) {
    const std::string* const outputs[] = {&command.messages,          &command.itc_print,
                                          &command.flow.instructions, &command.flow.statistics,
                                          &command.flow.coverage,     &command.perf.csv,
                                          &command.perf.json_lines,   &command.perf.timeline,
                                          &command.perf.folded,       &command.hot_spots.csv};
    return std::any_of(std::begin(outputs), std::end(outputs),
                       [](const std::string* path) { return *path == "-"; });
}

} // namespace

int run_trace(const TraceCommand& command) {
    if (command.format == TraceFormat::Packets) {
        return run_packets(command);
    }
    const TraceSettings side_file = read_side_file(command.file);
    const FoundSettings found = find_settings(command.file, command.options, side_file);
    const TraceEncoding encoding = resolve(command.options, side_file, found.settings);
    require_program(command, encoding);
    const Symbolizer symbols(encoding.programs, SourcePath(command.source_path));
    std::vector<std::string> inputs = paths_of(encoding.programs);
    for (const std::string& memory : encoding.memory) {
        const auto more = raw_memory_files(memory);
        inputs.insert(inputs.end(), more.begin(), more.end());
    }
    inputs.push_back(command.file);
    OutputSet files(std::move(inputs));
    Products products(command, encoding, symbols, files);
    OutputFile* summary = files.open(takes_standard_output(command) ? "" : "-");

    const Reading reading = encoding.protocol == Protocol::ETrace
                                ? read_etrace(command, encoding, side_file, products)
                                : read_messages(command, encoding, side_file, products);
    products.finish(reading.bytes);
    const PerfQuality* perf = products.perf_quality();
    if (summary != nullptr) {
        summary->write(reading.summary);
        summary->write(products.flow().summary_text());
        summary->write(perf != nullptr ? perf->summary_text() : "");
        products.samples().write_text(summary->stream(), symbols, command.hot_spots);
    }
    files.commit();

    if (summary == nullptr || command.strict) {
        say_all(command, reading.flaws);
        say_all(command, products.flow().describe_flaws());
        if (perf != nullptr) {
            say_all(command, perf->describe_flaws());
        }
    }
    say_all(command, products.notes());
    if (side_file.bytes.value_or(reading.bytes) != reading.bytes) {
        say(command, fmt::format("its .toml was written for a trace of {} bytes, not of {}: it may "
                                 "belong to another one",
                                 *side_file.bytes, reading.bytes));
    }
    for (const std::string& sentence : {found.sentence, reading.hint}) {
        if (!sentence.empty()) {
            say(command, sentence);
        }
    }
    for (const std::string& name : encoding.missing) {
        say(command, "no file for '" + name + "' of a context map, expected it beside the map");
    }
    const bool flawed =
        reading.flawed || products.flow().flawed() || (perf != nullptr && perf->flawed());
    return command.strict && flawed ? kExitNotMet : kExitOk;
}

} // namespace pes
