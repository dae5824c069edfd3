// SPDX-License-Identifier: Apache-2.0
#include "decoder/command_line.h"

#include "decoder/export/formats.h"
#include "hw/interface/trace/osd_packet.h"
#include "hw/interface/trace/stimulus.h"
#include "platform/host/numbers.h"
#include "platform/host/subcommand.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

namespace pes {
namespace {

/// The words as typed; they become typed options once the whole line is known to be well formed.
struct RawOptions {
    CommonOptions common;
    std::vector<std::string> programs;
    std::string by;
    std::string profile;
    std::string event;
    std::string top;
    std::string truth;
    std::string crossings;
    std::string require_top;
    std::string export_format;
    std::string output;
    std::string baseline;
    std::string report_trace;
    std::vector<std::string> excluded;
    TraceCommand trace;
    std::vector<std::string> trace_files;
    std::string itc_channel;
    std::string source_bits;
    std::string timestamps;
    std::string timestamp_bits;
    std::string address_bits;
    std::vector<std::string> context_maps;
    std::string no_load_strings;
    std::string perf_channel;
    std::string format;
    std::string folded_weight;
    std::string clock_hz;
    std::string hot_spots_by;
    std::string hot_spots_top;
    std::vector<std::string> only_addresses;
    std::vector<std::string> only_times;
    std::vector<std::string> only_sources;
    bool fixed = false;
};

CLI::Validator file_name() {
    return {
        [](const std::string& name) { return name.empty() ? "got '', expected a file name" : ""; },
        ""};
}

/// What all subcommands on samples share.
void add_programs(CLI::App& command, RawOptions& raw) {
    command
        .add_option(
            "--elf", raw.programs,
            "Program that was sampled, and its load offset if it is not 0; may be given several "
            "times, the first one that knows an address names it")
        ->required()
        ->allow_extra_args(false)
        ->type_name("PROGRAM[@BASE]");
    command
        .add_option("--profile", raw.profile,
                    "PMU profile of the events: a built-in name or a file (cva6)")
        ->type_name("NAME|FILE");
    command.add_option("--event", raw.event, "Only this event: its name or its selector")
        ->type_name("NAME");
    command.add_flag("--strict", raw.common.strict, "Exit with 1 if the samples are damaged");
}

/// Those of them that print tables.
CLI::Option* add_file(CLI::App& command, const char* option, std::string& file,
                      const char* meaning) {
    return command.add_option(option, file, meaning)->type_name("FILE")->check(file_name());
}

void add_common(CLI::App& command, RawOptions& raw) {
    add_programs(command, raw);
    add_file(command, "--csv", raw.common.csv, "Write CSV; - is the standard output");
    add_file(command, "--json", raw.common.json, "Write JSON; - is the standard output");
    command.add_flag("--ascii", raw.common.ascii, "Draw bars with #");
    command.add_flag("--no-color", raw.common.no_color, "No colours on a terminal");
}

/// Samples that become a table.
void add_table(CLI::App& command, RawOptions& raw, const char* by) {
    command.add_option("SAMPLES", raw.common.samples, "Sample records, as pes-vp --samples writes")
        ->required();
    add_common(command, raw);
    command.add_option("--by", raw.by, by)->type_name("WHAT");
    command
        .add_option("--top", raw.top, "Rows of a table; 0 prints all (terminal: 10, files: all)")
        ->type_name("N");
}

void add_compare(CLI::App& compare, RawOptions& raw) {
    add_table(compare, raw, "Compare by function, line, block or address (function)");
    compare.add_option("--truth", raw.truth, "Exact profile, as pes-vp --truth writes")
        ->required()
        ->type_name("FILE");
    compare
        .add_option("--require-top", raw.require_top,
                    "Exit with 1 unless both rankings have the same N hottest rows")
        ->type_name("N");
    compare
        .add_option("--exclude", raw.excluded,
                    "Leave this out of both sides: a function or glob, or addresses; machine mode "
                    "is left out unless all samples are of it, or with none; may be given several "
                    "times")
        ->allow_extra_args(false)
        ->type_name("NAME|0xSTART-0xEND|machine|none");
}

void add_skid(CLI::App& skid, RawOptions& raw) {
    skid.add_option("CROSSINGS", raw.crossings, "Crossings, as pes-vp --crossings writes")
        ->required();
    add_common(skid, raw);
    add_file(skid, "--samples", raw.common.samples,
             "Join these samples: records, or lines that begin with an address");
}

/// Of the commands that make one file of samples and, if there is one, the truth.
void add_drawn_samples(CLI::App& command, RawOptions& raw) {
    command.add_option("SAMPLES", raw.common.samples, "Sample records, as pes-vp --samples writes")
        ->required();
    add_programs(command, raw);
    add_file(command, "-o,--output", raw.output, "Write there; - is the standard output")
        ->required();
    add_file(command, "--truth", raw.truth,
             "Exact profile of the same run, as pes-vp --truth writes");
}

void add_export(CLI::App& command, RawOptions& raw) {
    std::string names;
    for (const ExportFormat& format : export_formats()) {
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    }
    command.add_option("FORMAT", raw.export_format, "One of " + names)->required();
    add_drawn_samples(command, raw);
    command
        .add_option("--clock-hz", raw.clock_hz,
                    "Cycles per second, for formats with times (1000000000)")
        ->type_name("N");
}

void add_report(CLI::App& command, RawOptions& raw) {
    add_drawn_samples(command, raw);
    add_file(command, "--baseline", raw.baseline, "Page of another run to compare with");
    add_file(command, "--trace", raw.report_trace, "Trace of the same run: its calls over time");
}

/// What is made of the performance records.
void add_trace_records(CLI::App& command, RawOptions& raw) {
    trace::PerfOptions& perf = raw.trace.perf;
    command.add_flag("--perf", perf.text_files,
                     "Write the text files of SiFive's decoder: PROGRAM.perf, perf/PROGRAM.*");
    command.add_flag(
        "--events", perf.event_files,
        "Write the text files of events of that decoder: PROGRAM.events, events/PROGRAM.*");
    command
        .add_option("--output-dir", perf.directory,
                    "Where --perf, --events and --ctf put their files (the directory of the trace)")
        ->type_name("DIR")
        ->check(file_name());
    command.add_flag("--fixed", raw.fixed,
                     "In --perf and --events, correct the errors of that decoder");
    command
        .add_option("--perf-channel", raw.perf_channel, "The stimulus of performance records (6)")
        ->type_name("N");
    add_file(command, "--csv", perf.csv, "Write performance records as CSV, one line per value");
    add_file(command, "--json-lines", perf.json_lines,
             "Write records and events, one JSON object per line");
    add_file(command, "--timeline", perf.timeline, "Write a timeline for Perfetto or Chrome");
    add_file(command, "--folded", perf.folded, "Write folded stacks, the input of flame graphs");
    command
        .add_option(
            "--folded-weight", raw.folded_weight,
            "Weight of --folded: time, instructions, samples (of the pc), or the number of a "
            "counter (time)")
        ->type_name("WHAT");
    command.add_flag("--ctf", perf.ctf, "Write a CTF 1.8 trace for Trace Compass: ctf/");
    command
        .add_option("--clock-hz", raw.clock_hz,
                    "Timestamp ticks per second, for --timeline and --ctf (1000000000)")
        ->type_name("N");
}

/// What is made of PC samples.
void add_trace_samples(CLI::App& command, RawOptions& raw) {
    trace::HotSpotOptions& spots = raw.trace.hot_spots;
    add_file(command, "--hot-spots", spots.csv, "Write the tables of PC samples as CSV");
    command
        .add_option("--by", raw.hot_spots_by,
                    "One table of PC samples: function, line, block or address")
        ->type_name("WHAT");
    command
        .add_option("--top", raw.hot_spots_top,
                    "Rows of a table; 0 prints all (summary: 10, file: all)")
        ->type_name("N");
    command.add_flag("--ascii", spots.ascii, "Draw bars with #");
    command.add_flag("--no-color", spots.no_color, "No colours on a terminal");
}

/// What --instructions shows.
void add_trace_instructions(CLI::App& command, RawOptions& raw) {
    trace::FlowOptions& flow = raw.trace.flow;
    add_file(command, "--instructions", flow.instructions,
             "Write the executed instructions, disassembled, one per line; needs --elf");
    command.add_flag_callback(
        "--source-lines", [&flow] { flow.source_lines = trace::SourceLines::Apart; },
        "In --instructions, print each source line before its instructions");
    const auto add_filter = [&](const char* option, std::vector<std::string>& words,
                                const char* type, const char* meaning) {
        command.add_option(option, words, meaning)->allow_extra_args(false)->type_name(type);
    };
    add_filter("--only-function", flow.filter.functions, "NAME",
               "In --instructions, only functions of this name, or glob; may be given several "
               "times, as the other --only options");
    add_filter("--only-addresses", raw.only_addresses, "0xSTART-0xEND",
               "In --instructions, only these addresses");
    add_filter("--only-time", raw.only_times, "START-[END]", "In --instructions, only these times");
    add_filter("--only-source", raw.only_sources, "N",
               "In --instructions, only this source (SRC, the hart)");
}

/// What is made of program trace, and of messages in sum.
void add_trace_flow(CLI::App& command, RawOptions& raw) {
    add_trace_instructions(command, raw);
    add_file(command, "--statistics", raw.trace.flow.statistics,
             "Write counts of messages, instructions and calls for each source");
    add_file(command, "--lcov", raw.trace.flow.coverage,
             "Write how often lines, functions and branches ran, for genhtml; needs --elf");
    command
        .add_option("--no-load-strings", raw.no_load_strings,
                    "Whether --itc-print uses the formats in the program's .comment (on)")
        ->type_name("on|off");
}

void add_trace(CLI::App& command, RawOptions& raw) {
    command
        .add_option("--format", raw.format,
                    "Content of the file: nexus messages or osd packets (nexus)")
        ->type_name("FORMAT");
    add_file(command, "--log", raw.trace.log,
             "Write the events of --format osd as the host software of Open SoC Debug does");
    command
        .add_option(
            "FILE", raw.trace_files,
            "Trace in byte slices, as a sink stored it; with --format osd one for each hart")
        ->required();
    add_file(command, "--messages", raw.trace.messages,
             "Write one line per message; - is the standard output");
    add_file(command, "--itc-print", raw.trace.itc_print,
             "Write the text that software printed through a stimulus");
    command
        .add_option("--itc-channel", raw.itc_channel,
                    "The stimulus of --itc-print (0); with --format osd the id of characters (4)")
        ->type_name("N");
    command.add_option("--src-bits", raw.source_bits, "Width of the SRC field (0)")->type_name("N");
    command
        .add_option("--timestamps", raw.timestamps,
                    "How timestamps are compressed: sifive (XOR) or n-trace (difference)")
        ->type_name("DIALECT");
    command
        .add_option("--timestamp-bits", raw.timestamp_bits,
                    "Width of the timestamp counter (sifive: 40, n-trace: 64)")
        ->type_name("N");
    command.add_flag_callback(
        "--wrapped", [&raw] { raw.trace.options.start = trace::StreamStart::InMessage; },
        "The trace is a circular buffer that wrapped: its first message is cut");
    command.add_flag_callback(
        "--stopped", [&raw] { raw.trace.options.end = trace::StreamEnd::InMessage; },
        "The trace is a buffer that stopped when it was full: its last message is cut");
    command.add_flag("--strict", raw.trace.strict, "Exit with 1 if the trace has a flaw");
    command
        .add_option("--address-bits", raw.address_bits,
                    "Bits of an address in the trace, the highest of which is its sign (1 to 64; "
                    "default: only addresses that look like a kernel's are extended)")
        ->type_name("N");
    command
        .add_option("--elf", raw.programs,
                    "Program that was traced, and its load offset if it is not 0; "
                    "may be repeated")
        ->allow_extra_args(false)
        ->type_name("PROGRAM[@BASE]")
        ->check(file_name());
    command
        .add_option("--context-map", raw.context_maps,
                    "Programs of a process: its context and a copy of its /proc/PID/maps")
        ->allow_extra_args(false)
        ->type_name("ID=FILE");
    command
        .add_option("--memory", raw.trace.options.memory,
                    "Code as raw bytes; of a directory, the files whose names end in .0xADDRESS")
        ->allow_extra_args(false)
        ->type_name("FILE@ADDRESS|DIR");
    add_trace_flow(command, raw);
    add_trace_samples(command, raw);
    add_trace_records(command, raw);
}

std::size_t parse_count(const std::string& option, const std::string& text) {
    const std::optional<std::size_t> value = parse_digits<std::size_t>(text);
    if (!value) {
        throw UserError(option + " got '" + text + "', expected a whole number");
    }
    return *value;
}

unsigned parse_number(const std::string& option, const std::string& text, unsigned least,
                      unsigned most) {
    const std::optional<unsigned> value = parse_digits<unsigned>(text);
    if (!value || *value < least || *value > most) {
        throw UserError(option + " got '" + text + "', expected " + std::to_string(least) + " to " +
                        std::to_string(most));
    }
    return *value;
}

template <typename Number>
void parse_clock(const RawOptions& raw, Number& clock_hz) {
    if (!raw.clock_hz.empty()) {
        clock_hz = parse_number("--clock-hz", raw.clock_hz, 1, 4'294'967'295);
    }
}

trace::TimestampDialect parse_dialect(const std::string& text) {
    const auto dialect = trace::parse_dialect(text);
    if (!dialect) {
        throw UserError("--timestamps got '" + text + "', expected sifive or n-trace");
    }
    return *dialect;
}

bool parse_switch(const std::string& option, const std::string& text) {
    if (text != "on" && text != "off") {
        throw UserError(option + " got '" + text + "', expected on or off");
    }
    return text == "on";
}

void require_companions(const RawOptions& raw, const TraceCommand& command) {
    const trace::PerfOptions& perf = command.perf;
    const auto require = [](bool given, const char* option, bool companion, const char* expected) {
        if (given && !companion) {
            throw UserError(std::string(option) + " got nothing to apply to, expected " + expected +
                            " as well");
        }
    };
    const bool texts = perf.text_files || perf.event_files;
    require(raw.fixed, "--fixed", texts, "--perf or --events");
    require(!perf.directory.empty(), "--output-dir", texts || perf.ctf,
            "--perf, --events or --ctf");
    require(!raw.folded_weight.empty(), "--folded-weight", !perf.folded.empty(), "--folded");
    require(!raw.no_load_strings.empty(), "--no-load-strings", !command.itc_print.empty(),
            "--itc-print");
    require(!raw.clock_hz.empty(), "--clock-hz", perf.ctf || !perf.timeline.empty(),
            "--timeline or --ctf");
    const bool instructions = !command.flow.instructions.empty();
    require(command.flow.source_lines == trace::SourceLines::Apart, "--source-lines", instructions,
            "--instructions");
    const trace::FilterOptions& filter = command.flow.filter;
    require(!filter.functions.empty(), "--only-function", instructions, "--instructions");
    require(!filter.addresses.empty(), "--only-addresses", instructions, "--instructions");
    require(!filter.times.empty(), "--only-time", instructions, "--instructions");
    require(!filter.sources.empty(), "--only-source", instructions, "--instructions");
    require(!raw.perf_channel.empty(), "--perf-channel", perf.any(), "an output of records");
}

trace::FoldedWeight parse_weight(const std::string& text) {
    using Of = trace::FoldedWeight::Of;
    if (text.empty() || text == "time") {
        return {Of::Time, 0};
    }
    if (text == "instructions") {
        return {Of::Instructions, 0};
    }
    if (text == "samples") {
        return {Of::Samples, 0};
    }
    const std::optional<unsigned> counter = parse_digits<unsigned>(text);
    if (!counter || *counter >= perf_record::kMostCounters) {
        throw UserError("--folded-weight got '" + text +
                        "', expected time, instructions, samples or a counter from 0 to 31");
    }
    return {Of::Counter, *counter};
}

void finish_trace_filter(const RawOptions& raw, trace::FilterOptions& filter) {
    for (const std::string& range : raw.only_addresses) {
        filter.addresses.push_back(trace::parse_address_range("--only-addresses", range));
    }
    for (const std::string& range : raw.only_times) {
        filter.times.push_back(trace::parse_time_range("--only-time", range));
    }
    for (const std::string& number : raw.only_sources) {
        filter.sources.insert(static_cast<std::uint16_t>(
            parse_number("--only-source", number, 0, (1U << trace::kMostSourceBits) - 1)));
    }
}

void finish_trace_records(const RawOptions& raw, TraceCommand& command) {
    trace::PerfOptions& perf = command.perf;
    perf.style = raw.fixed ? trace::TextStyle::Fixed : trace::TextStyle::Published;
    if (!raw.perf_channel.empty()) {
        perf.stimulus = parse_number("--perf-channel", raw.perf_channel, 0, trace::kStimuli - 1);
    }
    perf.weight = parse_weight(raw.folded_weight);
    parse_clock(raw, command.options.clock_hz);
    require_companions(raw, command);
}

/// Packets of software trace modules have nothing of what the other options are about.
void require_options_of_packets(const CLI::App& trace) {
    const auto& of_packets = {"FILE",       "--format",     "--log",        "--strict",
                              "--csv",      "--json-lines", "--itc-print",  "--itc-channel",
                              "--timeline", "--ctf",        "--output-dir", "--clock-hz"};
    for (const CLI::Option* option : trace.get_options()) {
        const std::string name = option->get_name();
        if (option->count() != 0 &&
            std::find(of_packets.begin(), of_packets.end(), name) == of_packets.end()) {
            throw UserError(name + " got --format osd as well, expected messages (nexus)");
        }
    }
}

std::vector<GroupBy> parse_by(const std::string& text) {
    if (text.empty()) {
        return {GroupBy::Function, GroupBy::Line};
    }
    for (const GroupBy by : kGroupings) {
        if (text == to_string(by)) {
            return {by};
        }
    }
    throw UserError("--by got '" + text + "', expected function, line, block or address");
}

TraceCommand finish_trace(const RawOptions& raw, const CLI::App& trace) {
    TraceCommand command = raw.trace;
    if (!raw.format.empty() && raw.format != "nexus" && raw.format != "osd") {
        throw UserError("--format got '" + raw.format + "', expected nexus or osd");
    }
    command.format = raw.format == "osd" ? TraceFormat::Packets : TraceFormat::Messages;
    const bool packets = command.format == TraceFormat::Packets;
    if (packets) {
        require_options_of_packets(trace);
    } else if (raw.trace_files.size() > 1) {
        throw UserError("trace got a second file '" + raw.trace_files[1] +
                        "', expected one (only --format osd takes one for each hart)");
    }
    command.file = raw.trace_files.front();
    command.more_files.assign(raw.trace_files.begin() + 1, raw.trace_files.end());
    trace::TraceSettings& options = command.options;
    if (!raw.timestamps.empty()) {
        options.dialect = parse_dialect(raw.timestamps);
    }
    if (!raw.timestamp_bits.empty()) {
        options.timestamp_bits =
            parse_number("--timestamp-bits", raw.timestamp_bits, 1, trace::kMostTimestampBits);
    }
    if (!raw.address_bits.empty()) {
        options.address_bits = parse_number("--address-bits", raw.address_bits, 1, 64);
    }
    options.programs = parse_program_files(raw.programs);
    for (const std::string& map : raw.context_maps) {
        options.maps.push_back(trace::parse_process_map(map));
    }
    command.itc_stimulus = packets ? trace::osd::kPrintId : 0;
    if (!raw.itc_channel.empty()) {
        if (command.itc_print.empty()) {
            throw UserError("--itc-channel got '" + raw.itc_channel +
                            "', expected --itc-print as well");
        }
        command.itc_stimulus = parse_number("--itc-channel", raw.itc_channel, 0,
                                            packets ? 0xFFFF : trace::kStimuli - 1);
    }
    if (!raw.source_bits.empty()) {
        options.source_bits =
            parse_number("--src-bits", raw.source_bits, 0, trace::kMostSourceBits);
    }
    if (!raw.no_load_strings.empty()) {
        command.no_load_strings = parse_switch("--no-load-strings", raw.no_load_strings);
    }
    finish_trace_filter(raw, command.flow.filter);
    finish_trace_records(raw, command);
    command.hot_spots.by = parse_by(raw.hot_spots_by);
    if (!raw.hot_spots_top.empty()) {
        command.hot_spots.top = parse_count("--top", raw.hot_spots_top);
    }
    if (!command.log.empty() && !packets) {
        throw UserError("--log got nothing to apply to, expected --format osd as well");
    }
    return command;
}

CommonOptions finish(const RawOptions& raw) {
    CommonOptions common = raw.common;
    common.programs = parse_program_files(raw.programs);
    if (!raw.top.empty()) {
        common.top = parse_count("--top", raw.top);
    }
    if (!raw.profile.empty()) {
        common.pmu = &open_profile(raw.profile, common.pmu_file);
    }
    if (!raw.event.empty()) {
        common.event = parse_event(*common.pmu, raw.event);
        if (!common.event) {
            throw UserError("--event got '" + raw.event + "', expected a selector or one of " +
                            known_event_names(*common.pmu));
        }
    }
    return common;
}

ExportCommand finish_export(const RawOptions& raw) {
    const ExportFormat& format = export_format(raw.export_format);
    if (!raw.truth.empty() && !format.with_truth) {
        throw UserError("--truth got '" + raw.truth + "', but " + raw.export_format +
                        " has no place for exact values, expected another format");
    }
    if (!raw.clock_hz.empty() && !format.with_clock) {
        throw UserError("--clock-hz got '" + raw.clock_hz + "', but " + raw.export_format +
                        " has no seconds, expected another format");
    }
    ExportCommand command{finish(raw), &format, raw.output, raw.truth};
    parse_clock(raw, command.clock_hz);
    return command;
}

} // namespace

Command parse_command_line(int argc, const char* const* argv) {
    RawOptions raw;
    CLI::App app("Turns the sample records of pes-vp into profiles, and traces into messages",
                 "pes-decode");
    app.require_subcommand(1);
    app.set_version_flag("--version", "pes-decode " PES_VERSION);
    CLI::App& samples = *app.add_subcommand("samples", "Print the hottest functions and lines");
    add_table(samples, raw, "One table: function, line, block or address");
    add_file(samples, "--records", raw.common.records, "Write each record as a line of CSV");
    CLI::App& compare =
        *app.add_subcommand("compare", "Compare a sampled profile with the exact one");
    add_compare(compare, raw);
    CLI::App& skid =
        *app.add_subcommand("skid", "Measure the distance between samples and their causes");
    add_skid(skid, raw);
    add_export(*app.add_subcommand("export", "Write the samples for another tool"), raw);
    add_report(*app.add_subcommand("report", "Draw samples and exact profile as an HTML page"),
               raw);
    CLI::App& trace = *app.add_subcommand("trace", "Decode a trace file and report its flaws");
    add_trace(trace, raw);
    require_known_subcommand(argc, argv,
                             {"samples", "compare", "skid", "export", "report", "trace"});
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        std::ostringstream out, ignored;
        if (app.exit(error, out, ignored) == 0) {
            return PrintCommand{out.str()};
        }
        throw UserError(first_line(error.what()) + " (pes-decode --help lists the options)");
    }
    if (samples.parsed()) {
        return SamplesCommand{finish(raw), parse_by(raw.by)};
    }
    if (app.got_subcommand("export")) {
        return finish_export(raw);
    }
    if (app.got_subcommand("report")) {
        return ReportCommand{finish(raw), raw.output, raw.truth, raw.baseline, raw.report_trace};
    }
    if (trace.parsed()) {
        return finish_trace(raw, trace);
    }
    if (skid.parsed()) {
        return SkidCommand{finish(raw), raw.crossings};
    }
    const std::size_t require_top =
        raw.require_top.empty() ? 0 : parse_count("--require-top", raw.require_top);
    const GroupBy by = raw.by.empty() ? GroupBy::Function : parse_by(raw.by).front();
    return CompareCommand{finish(raw), raw.truth, by, require_top, Exclusion(raw.excluded)};
}

} // namespace pes
