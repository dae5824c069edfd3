// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/events_command.h"

#include "platform/host/numbers.h"
#include "platform/host/output_file.h"
#include "platform/host/profile_file.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

/// Where a code is written to.
const char* place_of_code(const PmuProfile& profile) {
    if (profile.registers != RegisterSet::Hpm) {
        return "bit of PCER";
    }
    return profile.selector_kind == SelectorKind::ClassMask
               ? "value of mhpmeventN; events of one class may be ORed"
               : "value of mhpmeventN";
}

std::string code_of(const PmuProfile& profile, const EventRow& row) {
    return profile.registers == RegisterSet::Hpm ? hex(row.selector) : std::to_string(row.selector);
}

} // namespace

std::string event_table(const PmuProfile& profile) {
    std::size_t codes = std::string_view("code").size();
    std::size_t names = std::string_view("event").size();
    for (const EventRow& row : profile) {
        codes = std::max(codes, code_of(profile, row).size());
        names = std::max(names, std::string_view(row.name).size());
    }
    std::string text =
        fmt::format("profile {}: {} programmable counters of {} bits; code: {}\n\n", profile.name,
                    profile.programmable, profile.width, place_of_code(profile));
    text += fmt::format("{:<{}}  {:<{}}  meaning\n", "code", codes, "event", names);
    for (const EventRow& row : profile) {
        text += fmt::format("{:<{}}  {:<{}}  {}\n", code_of(profile, row), codes, row.name, names,
                            row.meaning());
    }
    return text;
}

int events_command(const std::string& profile) {
    std::shared_ptr<const ProfileFile> keeper;
    print(event_table(open_profile(profile, keeper)));
    return 0;
}

} // namespace pes
