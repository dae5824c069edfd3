// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/pmu_events_command.h"

#include "hw/core/arch/core_ids.h"
#include "platform/host/output_set.h"
#include "platform/host/profile_file.h"
#include "platform/host/user_error.h"
#include "platform/profile/libpfm4_files.h"
#include "platform/profile/papi_events_file.h"
#include "platform/profile/pmu_event_files.h"

#include <algorithm>
#include <filesystem>

namespace pes {
namespace {

std::vector<PmuEventFile> perf_files(const PmuProfile& profile) {
    return pmu_event_files(profile, {.vendor = core_ids::kVendor,
                                     .architecture = core_ids::kArchitecture,
                                     .implementation = core_ids::kImplementation});
}

std::vector<PmuEventFile> libpfm_files(const PmuProfile& profile) {
    return libpfm4_files(profile, profile.cpu != nullptr ? profile.cpu : core_ids::kCompatible);
}

std::vector<PmuEventFile> papi_files(const PmuProfile& profile) {
    return {{.name = "papi_events.csv", .text = papi_events_csv(profile)}};
}

struct EventFormat {
    const char* name;
    std::vector<PmuEventFile> (*files)(const PmuProfile& profile);
};

constexpr EventFormat kEventFormats[] = {
    {"perf", perf_files}, {"libpfm4", libpfm_files}, {"papi", papi_files}};

/// `name` is one of them: the parser of options has seen to it.
std::vector<PmuEventFile> files_of(const PmuProfile& profile, const std::string& name) {
    return std::ranges::find(kEventFormats, name, &EventFormat::name)->files(profile);
}

} // namespace

const std::vector<std::string>& pmu_event_formats() {
    static const std::vector<std::string> kNames = [] {
        std::vector<std::string> names;
        for (const EventFormat& format : kEventFormats) {
            names.emplace_back(format.name);
        }
        return names;
    }();
    return kNames;
}

int pmu_events_command(const std::string& profile, const std::string& format,
                       const std::string& directory) {
    if (directory.empty()) {
        throw UserError("pmu-events: -o is missing, expected a directory for the files");
    }
    std::shared_ptr<const ProfileFile> keeper;
    const PmuProfile& pmu = open_profile(profile, keeper);
    if (pmu.registers != RegisterSet::Hpm) {
        throw UserError("--profile got '" + profile +
                        "', whose counters are in PCER and PCCR, expected a profile with the "
                        "counters mhpmcounterN, which Linux can use");
    }
    const std::filesystem::path root = directory;
    OutputSet outputs(keeper ? std::vector{keeper->path().string()} : std::vector<std::string>());
    bool first = true;
    for (const PmuEventFile& file : files_of(pmu, format)) {
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
