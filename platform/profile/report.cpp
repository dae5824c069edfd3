// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/report.h"

#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

std::uint64_t samples_outside_symbols(const AddressTallies& addresses,
                                      const Symbolizer& symbolizer) {
    std::uint64_t samples = 0;
    for (const auto& [pc, tally] : addresses) {
        if (symbolizer.find(pc).function == nullptr) {
            samples += tally.samples;
        }
    }
    return samples;
}

} // namespace

void build_tables(Report& report, const Symbolizer& symbolizer, const ReportContents& contents) {
    for (const ElfProgram& program : symbolizer.programs()) {
        report.programs.push_back(program.path());
    }
    for (const auto& [event, profile] : report.profile.events()) {
        report.outside_symbols += samples_outside_symbols(profile.addresses, symbolizer);
        if (contents.event && *contents.event != event) {
            continue;
        }
        for (const GroupBy by : contents.by) {
            report.tables.push_back(
                {event, by, profile.total.samples, hot_spots(profile.addresses, symbolizer, by)});
        }
    }
}

std::vector<std::string> describe(const ReadProblems& problems) {
    std::vector<std::string> sentences;
    if (problems.skipped_bytes != 0) {
        sentences.push_back(fmt::format("skipped {} bytes that are not a record, in {} place(s)",
                                        problems.skipped_bytes, problems.skipped_runs));
    }
    if (problems.truncated_bytes != 0) {
        sentences.push_back(
            fmt::format("the last record is cut off after {} bytes", problems.truncated_bytes));
    }
    for (const auto& [version, records] : problems.unsupported_versions) {
        sentences.push_back(
            fmt::format("passed over {} record(s) of version {}, expected version 1 or {}", records,
                        version, kDetailedVersion));
    }
    return sentences;
}

} // namespace pes
