// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd_command.h"

#include "decoder/commands.h"
#include "decoder/trace/osd/osd_log.h"
#include "decoder/trace/osd/osd_products.h"
#include "platform/host/input_file.h"
#include "platform/host/user_error.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iostream>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using namespace trace;

std::vector<std::string> files_of(const TraceCommand& command) {
    std::vector<std::string> files{command.file};
    files.insert(files.end(), command.more_files.begin(), command.more_files.end());
    return files;
}

OsdOptions options_of(const TraceCommand& command) {
    const std::optional<double> clock_hz =
        command.options.clock_hz ? command.options.clock_hz : read_side_file(command.file).clock_hz;
    OsdOptions options;
    options.log = command.log;
    options.itc_print = command.itc_print;
    options.csv = command.perf.csv;
    options.json_lines = command.perf.json_lines;
    options.timeline = command.perf.timeline;
    options.ctf = command.perf.ctf;
    options.directory = command.perf.directory;
    options.text_id = command.itc_stimulus;
    options.clock_hz = static_cast<std::uint64_t>(
        std::llround(clock_hz.value_or(static_cast<double>(options.clock_hz))));
    return options;
}

bool takes_standard_output(const OsdOptions& options) {
    const auto& outputs = {options.log, options.itc_print, options.csv, options.json_lines,
                           options.timeline};
    return std::find(outputs.begin(), outputs.end(), "-") != outputs.end();
}

void say_all(const std::string& names, const std::vector<std::string>& sentences) {
    for (const std::string& sentence : sentences) {
        std::cerr << "pes-decode: '" << names << "': " << sentence << '\n';
    }
}

} // namespace

int run_packets(const TraceCommand& command) {
    const std::vector<std::string> names = files_of(command);
    const OsdOptions options = options_of(command);
    std::deque<InputFile> inputs;
    std::vector<std::istream*> streams;
    for (const std::string& name : names) {
        streams.push_back(&inputs.emplace_back(name).stream());
    }
    OutputSet files(names);
    OsdProducts products(options, names, files);
    OutputFile* summary = files.open(takes_standard_output(options) ? "" : "-");

    OsdMerge merge(streams, names);
    OsdSummary events;
    for (OsdItem item; merge.next(item);) {
        events.add(item);
        products.add(item);
    }
    for (const InputFile& input : inputs) {
        input.require_read();
    }
    const OsdCounts counts = merge.counts();
    const std::string all = fmt::format("{}", fmt::join(names, ", "));
    if (counts.bytes != 0 && counts.events + counts.overflows == 0) {
        throw UserError("'" + all +
                        "' holds no packet of a software trace module, expected Open SoC Debug "
                        "packets (--format nexus reads messages)");
    }
    products.finish();
    if (summary != nullptr) {
        summary->write(events.text(all, counts));
    }
    files.commit();
    const std::vector<std::string> flaws = describe_flaws(counts);
    if (summary == nullptr || command.strict) {
        say_all(all, flaws);
    }
    say_all(all, products.notes());
    return command.strict && !flaws.empty() ? kExitNotMet : kExitOk;
}

} // namespace pes
