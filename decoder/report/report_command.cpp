// SPDX-License-Identifier: Apache-2.0
// pes-decode report: samples, with the exact profile of their run if there is one, as a page.
#include "decoder/command_outputs.h"
#include "decoder/commands.h"
#include "decoder/compare/truth_facts.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"
#include "platform/report/run_report.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

struct Sample {
    SampleRecord record;
    std::vector<Address> calls; ///< innermost first
};

/// By event, in the order of the file.
using Samples = std::map<EventId, std::vector<Sample>>;

ReadProblems read_samples(const CommonOptions& options, Samples& samples) {
    InputFile input(options.samples);
    return read_records(
        input, options.samples, [&](const SampleRecord& record, const RecordDetails* details) {
            samples[event_of(record)].push_back(
                {record, details == nullptr ? std::vector<Address>() : details->calls});
        });
}

/// That of --event, or the one with most samples.
EventId chosen_event(const CommonOptions& options, const Samples& samples) {
    if (options.event) {
        return *options.event;
    }
    const auto most = std::ranges::max_element(
        samples, {}, [](const auto& entry) { return entry.second.size(); });
    return most == samples.end() ? EventId{CounterKind::Cycles, 0} : most->first;
}

void add_samples(RunReport& report, const std::vector<Sample>& samples) {
    for (const Sample& sample : samples) {
        report.samples.push_back(sample.record);
        report.calls.add(sample.calls, sample.record.pc);
    }
}

std::string command_line(const ReportCommand& command) {
    std::string text = "pes-decode report " + command.common.samples;
    for (const ProgramFile& program : command.common.programs) {
        text += " --elf " + program.path;
    }
    return text + (command.truth.empty() ? "" : " --truth " + command.truth);
}

} // namespace

int run_report(const ReportCommand& command) {
    const CommonOptions& options = command.common;
    require_page();
    const Symbolizer symbolizer(options.programs);
    OutputSet outputs(inputs_of(options, {command.truth, command.baseline}));
    OutputFile& file = *outputs.open(command.output);

    Samples samples;
    const ReadProblems problems = read_samples(options, samples);
    const EventId event = chosen_event(options, samples);
    RunReport report;
    report.title = std::filesystem::path(options.programs.front().path).filename().string();
    report.command = command_line(command);
    report.event = event_name(*options.pmu, event);
    report.sampling = "samples of " + report.event;
    if (!command.baseline.empty()) {
        report.baseline = read_baseline(command.baseline);
    }
    if (!command.truth.empty()) {
        InputFile truth(command.truth);
        read_truth_facts(truth.stream(), command.truth, report);
        truth.require_read();
    }
    add_samples(report, samples[event]);
    if (command.truth.empty()) {
        for (const SampleRecord& record : report.samples) {
            report.run.cycles = std::max(report.run.cycles, record.cycle);
        }
    }
    write_page(file.stream(), report, symbolizer);
    outputs.commit();
    if (report.samples.empty()) {
        say(options, samples.size() > 1
                         ? fmt::format("the file has samples, but none of {}", report.event)
                         : "the file has no sample");
    }
    return judge_damage(options, problems, false);
}

} // namespace pes
