// SPDX-License-Identifier: Apache-2.0
#include "decoder/commands.h"

#include "decoder/command_outputs.h"
#include "decoder/compare/comparison.h"
#include "decoder/compare/truth.h"
#include "decoder/record_csv.h"
#include "decoder/sample_lines.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"
#include "platform/profile/report.h"

#include <algorithm>
#include <iostream>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

void read_samples(const CommonOptions& options, SampleProfile& profile, ReadProblems& problems) {
    const std::string& path = options.samples;
    InputFile input(path);
    if (input.stream().peek() == std::istream::traits_type::eof() ||
        begins_with_record(input.stream())) {
        problems = read_records(input, path,
                                [&profile](const SampleRecord& record) { profile.add(record); });
        return;
    }
    const std::vector<SampleLine> lines = read_sample_lines(input.stream(), path);
    if (!options.event) {
        throw UserError("'" + path +
                        "' has lines of text, expected --event to say what they count");
    }
    for (const SampleLine& line : lines) {
        profile.add(record_of(line, *options.event));
    }
}

/// Why there is no sample to tell of; empty if there is one.
std::string why_no_sample(const CommonOptions& options, const SampleProfile& profile,
                          const std::optional<EventId>& event) {
    if (profile.samples() == 0) {
        return "the file has no sample";
    }
    if (event && !profile.events().contains(*event)) {
        return fmt::format("the file has samples, but none of {}",
                           event_name(*options.pmu, *event));
    }
    return "";
}

std::string why_no_samples_compared(const CommonOptions& options, const SampleProfile& profile,
                                    const Comparison& comparison) {
    if (comparison.samples == 0 && comparison.left_out.samples != 0) {
        return "all samples are of what is left out";
    }
    return why_no_sample(options, profile, comparison.event);
}

/// Says for each table file that it has no row; the text says so itself.
void note_empty_tables(const CommonOptions& options, const std::string& why) {
    for (const auto& [option, file] :
         {std::pair("--csv", &options.csv), {"--json", &options.json}}) {
        if (!file->empty()) {
            say(options, fmt::format("{} has no row in it: {}", option, why));
        }
    }
}

/// The exact profile holds instructions and cycles, so these two are the fair comparisons.
EventId choose_event(const CommonOptions& options, const SampleProfile& profile) {
    if (options.event) {
        return *options.event;
    }
    const EventId instret{CounterKind::Instret, 0};
    const auto& events = profile.events();
    if (events.empty() || events.contains(instret)) {
        return instret;
    }
    const EventId cycle{CounterKind::Cycles, 0};
    if (events.contains(cycle)) {
        return cycle;
    }
    const auto most = std::max_element(events.begin(), events.end(), [](auto& a, auto& b) {
        return a.second.total.samples < b.second.total.samples;
    });
    return most->first;
}

} // namespace

int run_samples(const SamplesCommand& command) {
    const CommonOptions& options = command.common;
    const Symbolizer symbolizer(options.programs);

    Report report;
    report.input = options.samples;
    report.pmu = options.pmu;
    Outputs outputs(options, inputs_of(options));
    std::optional<RecordCsv> records;
    if (OutputFile* file = outputs.records()) {
        records.emplace(file->stream());
    }
    InputFile input(options.samples);
    report.problems = read_records(input, options.samples,
                                   [&](const SampleRecord& record, const RecordDetails* details) {
                                       report.profile.add(record);
                                       if (records) {
                                           records->write(record, details);
                                       }
                                   });
    build_tables(report, symbolizer, {command.by, options.event});

    outputs.write(report);
    if (const std::string why = why_no_sample(options, report.profile, options.event);
        !why.empty()) {
        note_empty_tables(options, why);
    }
    return judge_damage(options, report.problems, outputs.has_text());
}

int run_compare(const CompareCommand& command) {
    const CommonOptions& options = command.common;
    const Symbolizer symbolizer(options.programs);

    SampleProfile profile;
    ReadProblems problems;
    read_samples(options, profile, problems);
    if (options.samples == "-" && command.truth == "-") {
        throw UserError(
            "samples and truth both come from the standard input, expected a file for one");
    }
    InputFile truth_file(command.truth);
    const EventId event = choose_event(options, profile);
    Truth truth = read_truth(truth_file.stream(), command.truth, measure_of(*options.pmu, event));
    const auto sampled = profile.events().find(event);
    EventProfile samples = sampled == profile.events().end() ? EventProfile{} : sampled->second;
    const LeftOut left_out =
        command.exclusion.apply(samples.addresses, samples.machine, truth, symbolizer);
    Comparison comparison = compare(event, samples.addresses, truth, symbolizer, command.by);
    comparison.pmu = options.pmu;
    comparison.left_out = left_out;

    Outputs outputs(options, inputs_of(options, {command.truth}));
    outputs.write(comparison);
    if (options.csv == "-") {
        for (const std::string& note : notes_of(comparison)) {
            std::cerr << "pes-decode: " << note << '\n';
        }
    }
    if (const std::string why = why_no_samples_compared(options, profile, comparison);
        !why.empty()) {
        say(options, "the comparison has no sampled side: " + why);
    }
    if (comparison.exact == 0) {
        say(options, fmt::format("the comparison has no exact side: '{}' has no {}{}",
                                 command.truth, comparison.measure.name,
                                 left_out.exact == 0 ? "" : " besides what is left out"));
    }
    const std::size_t common = comparison.common_top(command.require_top);
    if (common < command.require_top) {
        std::cerr << fmt::format("pes-decode: only {} of the {} hottest {} are in both "
                                 "rankings, --require-top asks for all\n",
                                 common, command.require_top, rows_text(command.by));
    }
    const int damage = judge_damage(options, problems, false);
    return common < command.require_top ? kExitNotMet : damage;
}

} // namespace pes
