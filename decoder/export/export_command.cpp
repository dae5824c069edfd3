// SPDX-License-Identifier: Apache-2.0
// pes-decode export: samples in the formats of other tools.
#include "decoder/command_outputs.h"
#include "decoder/commands.h"
#include "decoder/export/formats.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"

#include <iterator>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

void require_one_event(const ExportCommand& command, const ExportData& data) {
    if (!command.format->one_event || data.events().size() < 2) {
        return;
    }
    std::string names;
    for (const ExportedEvent& event : data.events()) {
        names += (names.empty() ? "" : ", ") + event.name;
    }
    throw UserError(fmt::format("'{}' has samples of several events, and {} holds one, expected "
                                "--event with one of {}",
                                command.common.samples, command.format->name, names));
}

void read_truth(const ExportCommand& command, ExportData& data) {
    if (command.truth.empty()) {
        return;
    }
    if (command.common.samples == "-" && command.truth == "-") {
        throw UserError(
            "samples and truth both come from the standard input, expected a file for one");
    }
    InputFile input(command.truth);
    std::string text(std::istreambuf_iterator<char>(input.stream()), {});
    input.require_read();
    data.set_truth(std::move(text), command.truth);
}

} // namespace

int run_export(const ExportCommand& command) {
    const CommonOptions& options = command.common;
    const Symbolizer symbolizer(options.programs);
    OutputSet outputs(inputs_of(options, {command.truth}));
    OutputFile& file = *outputs.open(command.output);

    ExportData data(symbolizer, *options.pmu);
    bool any = false;
    InputFile input(options.samples);
    const ReadProblems problems = read_records(
        input, options.samples, [&](const SampleRecord& record, const RecordDetails* details) {
            any = true;
            if (!options.event || *options.event == event_of(record)) {
                data.add(record, details);
            }
        });
    data.finish();
    require_one_event(command, data);
    read_truth(command, data);
    data.set_clock_hz(command.clock_hz);
    command.format->write(file, data);
    outputs.commit();

    if (data.samples().empty()) {
        say(options, any ? fmt::format("the file has samples, but none of {}",
                                       event_name(*options.pmu, *options.event))
                         : "the file has no sample");
    }
    return judge_damage(options, problems, false);
}

} // namespace pes
