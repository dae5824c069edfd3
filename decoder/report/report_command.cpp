// SPDX-License-Identifier: Apache-2.0
// pes-decode report: samples, with the exact profile of their run if there is one, as a page.
#include "decoder/command_outputs.h"
#include "decoder/commands.h"
#include "decoder/compare/truth_facts.h"
#include "decoder/report/function_slices.h"
#include "decoder/trace/flow_products.h"
#include "decoder/trace/perf_products.h"
#include "decoder/trace/read_trace.h"
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

/// What came of reading a trace.
struct ReadCalls {
    std::uint64_t bytes = 0;
    bool empty = false;
    bool flawed = false;
    std::vector<std::string> flaws;
};

ReadCalls read_messages(const ReportCommand& command, const trace::TraceEncoding& encoding,
                        const trace::TraceSettings& side_file, trace::FlowProducts& flow,
                        trace::PerfProducts& calls) {
    const trace::TraceQuality quality =
        trace::read_trace(command.trace, encoding, side_file,
                          [&](const trace::TraceItem& item, const trace::MessageContext& context) {
                              flow.add(item, context);
                              calls.add(item, context);
                          });
    return {quality.bytes, quality.messages == 0, quality.flawed(), describe_flaws(quality)};
}

ReadCalls read_packets(const ReportCommand& command, const trace::TraceEncoding& encoding,
                       const trace::TraceSettings& side_file, trace::FlowProducts& flow) {
    const trace::etrace::PacketQuality quality =
        trace::read_packets(command.trace, encoding, side_file,
                            [&](const trace::etrace::PacketItem& item) { flow.add(item); });
    return {quality.bytes, quality.packets == 0, quality.flawed(), describe_flaws(quality)};
}

/// The calls of the trace.
FunctionTimeline read_calls(const ReportCommand& command, const Symbolizer& symbols,
                            OutputSet& outputs) {
    const trace::TraceSettings side_file = trace::read_side_file(command.trace);
    trace::TraceSettings settings;
    settings.programs = command.common.programs;
    const trace::TraceEncoding encoding = resolve(settings, side_file);
    FunctionSlices slices(symbols);
    trace::PerfOptions calls_only;
    calls_only.calls = &slices;
    trace::FlowProducts flow({}, symbols, encoding.memory, trace::SourceColumn::Hidden, outputs);
    trace::PerfProducts calls(calls_only, command.trace, symbols, flow.code(), encoding, outputs);
    if (trace::Flow* const followed = flow.flow()) {
        followed->set_parameters(encoding.packets.parameters);
        calls.follow(*followed);
    }
    const ReadCalls read = encoding.protocol == trace::Protocol::ETrace
                               ? read_packets(command, encoding, side_file, flow)
                               : read_messages(command, encoding, side_file, flow, calls);
    calls.finish(read.bytes);
    FunctionTimeline timeline = slices.finish();
    if (timeline.slices.empty() && (read.empty || read.flawed)) {
        throw UserError("--trace got '" + command.trace +
                        "', which holds no calls that can be read; expected the trace of the run "
                        "of the samples");
    }
    if (timeline.slices.empty()) {
        say(command.common,
            fmt::format("'{}' has no calls with times: nothing is drawn of it", command.trace));
    }
    for (const std::string& flaw : read.flaws) {
        say(command.common, fmt::format("'{}': {}", command.trace, flaw));
    }
    return timeline;
}

std::string command_line(const ReportCommand& command) {
    std::string text = "pes-decode report " + command.common.samples;
    for (const ProgramFile& program : command.common.programs) {
        text += " --elf " + program.path;
    }
    text += command.truth.empty() ? "" : " --truth " + command.truth;
    text += command.trace.empty() ? "" : " --trace " + command.trace;
    for (const std::string& directory : command.source_path) {
        text += " --source-path " + directory;
    }
    return text;
}

} // namespace

int run_report(const ReportCommand& command) {
    const CommonOptions& options = command.common;
    require_page();
    const Symbolizer symbolizer(options.programs, SourcePath(command.source_path));
    OutputSet outputs(inputs_of(options, {command.truth, command.baseline, command.trace}));
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
    if (!command.trace.empty()) {
        report.traced = read_calls(command, symbolizer, outputs);
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
