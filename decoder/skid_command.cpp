// SPDX-License-Identifier: Apache-2.0
#include "decoder/command_outputs.h"
#include "decoder/commands.h"
#include "decoder/sample_lines.h"
#include "decoder/skid/skid.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"

#include <iostream>
#include <optional>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

std::vector<CrossingRecord> read_chosen(const SkidCommand& command) {
    InputFile input(command.crossings);
    std::vector<CrossingRecord> crossings = read_crossings(input.stream(), command.crossings);
    if (const auto& event = command.common.event) {
        std::erase_if(crossings, [&event](const CrossingRecord& crossing) {
            return event_of(crossing) != *event;
        });
    }
    return crossings;
}

/// None if there are no samples to join.
std::optional<SampleJoin> join_samples(const CommonOptions& options,
                                       std::span<const CrossingRecord> crossings,
                                       ReadProblems& problems) {
    if (options.samples.empty()) {
        return std::nullopt;
    }
    InputFile input(options.samples);
    if (!begins_with_record(input.stream())) {
        std::vector<Address> addresses;
        for (const SampleLine& line : read_sample_lines(input.stream(), options.samples)) {
            addresses.push_back(line.pc);
        }
        return join_addresses(crossings, addresses);
    }
    RecordJoiner joiner;
    problems = read_records(input, options.samples, [&](const SampleRecord& record) {
        if (!options.event || event_of(record) == *options.event) {
            joiner.add(record);
        }
    });
    return joiner.join(crossings);
}

} // namespace

int run_skid(const SkidCommand& command) {
    const CommonOptions& options = command.common;
    if (command.crossings == "-" && options.samples == "-") {
        throw UserError("crossings and samples both come from the standard input, expected a file "
                        "for one");
    }
    const Symbolizer symbolizer(options.programs);
    const std::vector<CrossingRecord> crossings = read_chosen(command);
    ReadProblems problems;
    const std::optional<SampleJoin> join = join_samples(options, crossings, problems);

    SkidReport report;
    report.input = command.crossings;
    report.pmu = options.pmu;
    report.samples_input = options.samples;
    report.events = measure_skid(crossings, join ? &*join : nullptr, symbolizer);
    if (join) {
        report.samples = join->samples;
        report.without_crossing = join->without_crossing;
    }
    Outputs outputs(options, inputs_of(options, {command.crossings}));
    outputs.write(report);
    if (crossings.empty()) {
        std::cerr << fmt::format(
            "pes-decode: '{}': the file has no crossing{}\n", command.crossings,
            options.event ? " of " + event_name(*options.pmu, *options.event) : "");
    }
    return judge_damage(options, problems, false);
}

} // namespace pes
