// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/papi_events_file.h"

#include "hw/interface/pmu/presets_cva6.h"
#include "hw/interface/pmu/presets_u74.h"
#include "hw/interface/pmu/profiles.h"
#include "platform/profile/pfm_names.h"

#include <set>
#include <span>
#include <spdlog/fmt/fmt.h>
#include <string_view>

namespace pes {
namespace {

struct PresetTable {
    const PmuProfile* profile; ///< whose events the terms are
    std::span<const PresetRow> rows;
};

constexpr PresetTable kTables[] = {{&kCva6Profile, kCva6Presets}, {&kU74Profile, kU74Presets}};

/// The event of `profile` that stands for an event of another one: the one with its source.
const EventRow* counterpart(const PmuProfile& profile, const EventRow& wanted) {
    if (wanted.source == Event::None) {
        return nullptr;
    }
    for (const EventRow& row : profile) {
        if (row.source == wanted.source) {
            return &row;
        }
    }
    return nullptr;
}

/// What PAPI calls a term of `table` on `profile`; empty if the profile has no such event.
std::string term_name(const PmuProfile& profile, const PresetTable& table, const char* term) {
    // Of the fixed counters, as the kernel's own events: every programmable one stays free.
    if (term == std::string_view(kCyclesTerm)) {
        return "perf::PERF_COUNT_HW_CPU_CYCLES";
    }
    if (term == std::string_view(kInstructionsTerm)) {
        return "perf::PERF_COUNT_HW_INSTRUCTIONS";
    }
    const EventRow* row = find_event(*table.profile, term);
    if (row != nullptr && table.profile != &profile) {
        row = counterpart(profile, *row);
    }
    return row == nullptr ? std::string() : pfm_event_name(*row);
}

/// The note in quotes. A comma would end it.
std::string note_of(std::string note) {
    std::ranges::replace(note, ',', ';');
    return note.empty() ? note : fmt::format(",NOTE,'{}'", note);
}

/// Empty if the profile lacks a term.
std::string line_of(const PmuProfile& profile, const PresetTable& table, const PresetRow& row) {
    std::string line = fmt::format("PRESET,PAPI_{},{}", row.name,
                                   kDerivedNames[static_cast<std::size_t>(row.derived)]);
    if (row.derived == Derived::Postfix) {
        line += fmt::format(",{}", row.postfix);
    }
    for (const char* const term : std::span(row.term).first(row.terms)) {
        const std::string name = term_name(profile, table, term);
        if (name.empty()) {
            return {};
        }
        line += ',' + name;
    }
    return line + note_of(row.note) + '\n';
}

bool has_own_table(const PmuProfile& profile) {
    return std::ranges::any_of(
        kTables, [&profile](const PresetTable& table) { return table.profile == &profile; });
}

} // namespace

std::string papi_events_csv(const PmuProfile& profile) {
    std::string text =
        fmt::format("#\n# PMU profile {}: written by pes-vp pmu-events --format papi\n#\nCPU,{}\n",
                    profile.name, pfm_pmu_name(profile));
    std::set<std::string_view> written;
    for (const PresetTable& table : kTables) {
        if (has_own_table(profile) && table.profile != &profile) {
            continue;
        }
        for (const PresetRow& row : table.rows) {
            const std::string line = line_of(profile, table, row);
            if (!line.empty() && written.insert(row.name).second) {
                text += line;
            }
        }
    }
    return text;
}

} // namespace pes
