// SPDX-License-Identifier: Apache-2.0
#include "decoder/command_line.h"

#include "decoder/export/formats.h"
#include "decoder/option_words.h"
#include "decoder/trace_options.h"
#include "platform/host/subcommand.h"
#include "platform/host/user_error.h"
#include "platform/manual/generate_option.h"
#include "platform/profile/event_names.h"

#include <CLI/CLI.hpp>
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
    std::vector<std::string> source_path;
    std::vector<std::string> excluded;
    RawTraceOptions trace;
    std::string clock_hz;
};

/// Of options whose words are tables of events.
std::vector<OptionWords> completion_words() {
    return {{.option = "--event", .value = "NAME", .words = built_in_event_names()},
            {.option = "--profile",
             .value = "NAME|FILE",
             .words = built_in_profile_names(),
             .or_file = true}};
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
    add_source_path(command, raw.source_path);
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
    parse_clock(raw.clock_hz, command.clock_hz);
    return command;
}

} // namespace

Command parse_command_line(int argc, const char* const* argv) {
    RawOptions raw;
    CLI::App app("Turns the sample records of pes-vp into profiles, and traces into messages",
                 "pes-decode");
    add_generate_option(app, "pes-decode " PES_VERSION, completion_words);
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
    add_trace_options(trace, raw.trace);
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
        return ReportCommand{finish(raw),  raw.output,       raw.truth,
                             raw.baseline, raw.report_trace, raw.source_path};
    }
    if (trace.parsed()) {
        return trace_command(raw.trace, trace);
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
