// SPDX-License-Identifier: Apache-2.0
#include "decoder/command_outputs.h"

#include "decoder/commands.h"
#include "platform/host/user_error.h"
#include "platform/profile/report.h"

#include <iostream>

namespace pes {

ReadProblems read_records(InputFile& input, const std::string& path,
                          const std::function<void(const SampleRecord&)>& take) {
    return read_records(
        input, path, [&take](const SampleRecord& record, const RecordDetails*) { take(record); });
}

ReadProblems
read_records(InputFile& input, const std::string& path,
             const std::function<void(const SampleRecord&, const RecordDetails*)>& take) {
    RecordReader reader(input.stream());
    SampleRecord record;
    bool any = false;
    while (reader.next(record)) {
        take(record, reader.details());
        any = true;
    }
    input.require_read();
    const ReadProblems& problems = reader.problems();
    // Damage is reported beside what can be saved; a file of something else is a mistake.
    if (!any && problems.skipped_bytes != 0 && problems.unsupported_versions.empty()) {
        throw UserError("'" + path +
                        "' holds no sample record, expected what pes-vp --samples "
                        "writes");
    }
    return problems;
}

std::vector<std::string> inputs_of(const CommonOptions& options, std::vector<std::string> inputs) {
    const std::vector<std::string> programs = paths_of(options.programs);
    inputs.insert(inputs.end(), programs.begin(), programs.end());
    inputs.push_back(options.samples);
    if (options.pmu_file != nullptr) {
        inputs.push_back(options.pmu_file->path().string());
    }
    return inputs;
}

void say(const CommonOptions& options, const std::string& sentence) {
    std::cerr << "pes-decode: '" << options.samples << "': " << sentence << '\n';
}

int judge_damage(const CommonOptions& options, const ReadProblems& problems, bool already_said) {
    if (!already_said || options.strict) {
        for (const std::string& sentence : describe(problems)) {
            say(options, sentence);
        }
    }
    return options.strict && problems.any() ? kExitNotMet : kExitOk;
}

} // namespace pes
