// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/libpfm4_files.h"

#include "platform/profile/libpfm4_sources.h"
#include "platform/profile/pfm_names.h"

#include <spdlog/fmt/fmt.h>
#include <utility>

namespace pes {
namespace {

/// What stands for a `@word@` of the sources.
using Words = std::vector<std::pair<std::string_view, std::string>>;

std::string fill(std::string_view source, const Words& words) {
    std::string text;
    for (std::size_t at = 0; at < source.size();) {
        bool found = false;
        for (const auto& [word, value] : words) {
            if (source.substr(at).starts_with(word)) {
                text += value;
                at += word.size();
                found = true;
                break;
            }
        }
        if (!found) {
            text += source[at++];
        }
    }
    return text;
}

std::string in_c_quotes(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        if (letter == '"' || letter == '\\') {
            quoted += '\\';
        }
        quoted += letter;
    }
    return quoted + '"';
}

std::string entries(const PmuProfile& profile) {
    std::string text;
    for (const EventRow& row : profile) {
        const std::string name = pfm_event_name(row);
        if (!name.empty()) {
            text +=
                fmt::format("\t{{ .name = \"{}\",\n\t  .desc = {},\n\t  .code = {:#x},\n\t}},\n",
                            name, in_c_quotes(row.meaning()), row.selector);
        }
    }
    return text;
}

} // namespace

std::vector<PmuEventFile> libpfm4_files(const PmuProfile& profile, std::string_view core) {
    const std::string pmu = pfm_pmu_name(profile);
    const Words words{{"@profile@", profile.name},
                      {"@pmu@", pmu},
                      {"@PMU@", in_capitals(pmu)},
                      {"@core@", in_c_quotes(core)},
                      {"@counters@", std::to_string(profile.programmable)},
                      {"@entries@", entries(profile)}};
    return {
        {.name = fmt::format("lib/events/{}_events.h", pmu), .text = fill(libpfm4::kEvents, words)},
        {.name = fmt::format("lib/pfmlib_{}.c", pmu), .text = fill(libpfm4::kPmu, words)},
        {.name = "register.sh", .text = fill(libpfm4::kRegister, words)}};
}

} // namespace pes
