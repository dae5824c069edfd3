// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/pmu_events_command.h"

#include "hw/core/arch/core_ids.h"
#include "platform/host/output_set.h"
#include "platform/host/profile_file.h"
#include "platform/host/user_error.h"
#include "platform/profile/pmu_event_files.h"

#include <filesystem>

namespace pes {

int pmu_events_command(const std::string& profile, const std::string& directory) {
    if (directory.empty()) {
        throw UserError("pmu-events: -o is missing, expected a directory for the files");
    }
    std::shared_ptr<const ProfileFile> keeper;
    const PmuProfile& pmu = open_profile(profile, keeper);
    if (pmu.registers != RegisterSet::Hpm) {
        throw UserError("--profile got '" + profile +
                        "', whose counters are in PCER and PCCR, expected a profile with the "
                        "counters mhpmcounterN, which perf can use");
    }
    const CoreIds core{.vendor = core_ids::kVendor,
                       .architecture = core_ids::kArchitecture,
                       .implementation = core_ids::kImplementation};
    const std::filesystem::path root = directory;
    OutputSet outputs(keeper ? std::vector{keeper->path().string()} : std::vector<std::string>());
    bool first = true;
    for (const PmuEventFile& file : pmu_event_files(pmu, core)) {
        const std::filesystem::path path = root / file.name;
        outputs.make_directory(path.parent_path());
        OutputFile* const output =
            first ? outputs.open(path.string()) : outputs.open_companion(path.string());
        output->write(file.text);
        first = false;
    }
    outputs.commit();
    return 0;
}

} // namespace pes
