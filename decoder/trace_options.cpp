// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace_options.h"

#include "decoder/option_words.h"
#include "hw/interface/trace/osd_packet.h"
#include "hw/interface/trace/stimulus.h"
#include "platform/host/numbers.h"
#include "platform/host/user_error.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace pes {
namespace {

/// What is made of the performance records.
void add_trace_records(CLI::App& command, RawTraceOptions& raw) {
    trace::PerfOptions& perf = raw.command.perf;
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
void add_trace_samples(CLI::App& command, RawTraceOptions& raw) {
    trace::HotSpotOptions& spots = raw.command.hot_spots;
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
void add_trace_instructions(CLI::App& command, RawTraceOptions& raw) {
    trace::FlowOptions& flow = raw.command.flow;
    add_file(command, "--instructions", flow.instructions,
             "Write the executed instructions, disassembled, one per line; needs --elf");
    command.add_flag_callback(
        "--source-lines", [&flow] { flow.source_lines = trace::SourceLines::Apart; },
        "In --instructions, print each source line before its instructions");
    add_source_path(command, raw.command.source_path);
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
void add_trace_flow(CLI::App& command, RawTraceOptions& raw) {
    add_trace_instructions(command, raw);
    add_file(command, "--statistics", raw.command.flow.statistics,
             "Write counts of messages, instructions and calls for each source");
    add_file(command, "--lcov", raw.command.flow.coverage,
             "Write how often lines, functions and branches ran, for genhtml; needs --elf");
    command
        .add_option("--no-load-strings", raw.no_load_strings,
                    "Whether --itc-print uses the formats in the program's .comment (on)")
        ->type_name("on|off");
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

void require_companions(const RawTraceOptions& raw, const TraceCommand& command) {
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
    require(!command.source_path.empty(), "--source-path",
            command.flow.source_lines == trace::SourceLines::Apart, "--source-lines");
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

void finish_trace_filter(const RawTraceOptions& raw, trace::FilterOptions& filter) {
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

void finish_trace_records(const RawTraceOptions& raw, TraceCommand& command) {
    trace::PerfOptions& perf = command.perf;
    perf.style = raw.fixed ? trace::TextStyle::Fixed : trace::TextStyle::Published;
    if (!raw.perf_channel.empty()) {
        perf.stimulus = parse_number("--perf-channel", raw.perf_channel, 0, trace::kStimuli - 1);
    }
    perf.weight = parse_weight(raw.folded_weight);
    parse_clock(raw.clock_hz, command.options.clock_hz);
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

/// How messages are encoded.
void add_trace_encoding(CLI::App& command, RawTraceOptions& raw) {
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
        "--wrapped", [&raw] { raw.command.options.start = trace::StreamStart::InMessage; },
        "The trace is a circular buffer that wrapped: its first message is cut");
    command.add_flag_callback(
        "--stopped", [&raw] { raw.command.options.end = trace::StreamEnd::InMessage; },
        "The trace is a buffer that stopped when it was full: its last message is cut");
    command.add_flag_callback(
        "--extended-addresses",
        [&raw] { raw.command.options.addresses = trace::AddressForm::Extended; },
        "Addresses leave out equal bits at their upper end, also ones (trTeInstExtendAddrMSB)");
    command.add_flag("--strict", raw.command.strict, "Exit with 1 if the trace has a flaw");
    command
        .add_option("--address-bits", raw.address_bits,
                    "Bits of an address in the trace, the highest of which is its sign (1 to 64; "
                    "default: only addresses that look like a kernel's are extended)")
        ->type_name("N");
}

/// The code that was traced.
void add_trace_program(CLI::App& command, RawTraceOptions& raw) {
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
        .add_option("--memory", raw.command.options.memory,
                    "Code as raw bytes; of a directory, the files whose names end in .0xADDRESS")
        ->allow_extra_args(false)
        ->type_name("FILE@ADDRESS|DIR");
}

trace::TraceSettings settings_of(const RawTraceOptions& raw) {
    trace::TraceSettings options = raw.command.options;
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
    if (!raw.source_bits.empty()) {
        options.source_bits =
            parse_number("--src-bits", raw.source_bits, 0, trace::kMostSourceBits);
    }
    return options;
}

} // namespace

void add_trace_options(CLI::App& command, RawTraceOptions& raw) {
    command
        .add_option("--format", raw.format,
                    "Content of the file: nexus messages, e-trace packets or osd packets (as "
                    "FILE.toml or the start of FILE has it)")
        ->type_name("FORMAT");
    add_file(command, "--log", raw.command.log,
             "Write the events of --format osd as the host software of Open SoC Debug does");
    command
        .add_option(
            "FILE", raw.files,
            "Trace in byte slices, as a sink stored it; with --format osd one for each hart")
        ->required();
    add_file(command, "--messages", raw.command.messages,
             "Write one line per message; - is the standard output");
    add_file(command, "--itc-print", raw.command.itc_print,
             "Write the text that software printed through a stimulus");
    command
        .add_option("--itc-channel", raw.itc_channel,
                    "The stimulus of --itc-print (0); with --format osd the id of characters (4)")
        ->type_name("N");
    add_trace_encoding(command, raw);
    add_trace_program(command, raw);
    add_trace_flow(command, raw);
    add_trace_samples(command, raw);
    add_trace_records(command, raw);
}

TraceCommand trace_command(const RawTraceOptions& raw, const CLI::App& trace) {
    TraceCommand command = raw.command;
    if (!raw.format.empty() && raw.format != "nexus" && raw.format != "e-trace" &&
        raw.format != "osd") {
        throw UserError("--format got '" + raw.format + "', expected nexus, e-trace or osd");
    }
    command.format = raw.format == "osd" ? TraceFormat::Packets : TraceFormat::Messages;
    const bool packets = command.format == TraceFormat::Packets;
    if (packets) {
        require_options_of_packets(trace);
    } else if (raw.files.size() > 1) {
        throw UserError("trace got a second file '" + raw.files[1] +
                        "', expected one (only --format osd takes one for each hart)");
    }
    command.file = raw.files.front();
    command.more_files.assign(raw.files.begin() + 1, raw.files.end());
    command.options = settings_of(raw);
    if (raw.format == "nexus" || raw.format == "e-trace") {
        command.options.protocol =
            raw.format == "nexus" ? trace::Protocol::Nexus : trace::Protocol::ETrace;
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

} // namespace pes
