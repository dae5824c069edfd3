// SPDX-License-Identifier: Apache-2.0
// Everything that `pes-decode samples` says, as data; the writers only lay it out.
#pragma once

#include "hw/interface/pmu/profile_cva6.h"
#include "platform/profile/comparison.h"
#include "platform/profile/hot_spots.h"
#include "platform/profile/record_reader.h"
#include "platform/profile/sample_profile.h"

#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace pes {

/// One ranked table: one event, one way of grouping.
struct ReportTable {
    EventId event;
    GroupBy by = GroupBy::Function;
    std::uint64_t samples = 0;
    std::vector<HotSpot> rows; ///< all of them; writers may print fewer
};

/// What the run was as a whole, where that is known.
struct RunFacts {
    std::uint64_t cycles = 0; ///< of all harts, as the next two
    std::uint64_t instructions = 0;
    /// The cycle stack: the reasons for these cycles (docs/truth.md), largest first.
    std::vector<std::pair<std::string, double>> reasons{};
    /// The cycles of `base` that instructions have beyond one for each of their retirements, summed
    /// by address: they have waited for the frontend.
    double frontend_waits = 0;
    /// What the run has counted of each event, over all harts; other events were not counted.
    std::vector<std::pair<Event, std::uint64_t>> events{};
};

struct Report {
    std::optional<RunFacts> run{};
    std::string input;
    std::vector<std::string> programs;
    const PmuProfile* pmu = &kCva6Profile; ///< names the events
    SampleProfile profile;
    ReadProblems problems;
    std::uint64_t outside_symbols = 0; ///< samples, over all events
    std::vector<ReportTable> tables;
    std::optional<RunComparison> comparison{}; ///< with a run before
    std::vector<GroupBy> compared_by{};        ///< Function, Line
};

struct ReportContents {
    std::vector<GroupBy> by;
    std::optional<EventId> event; ///< only tables of this event
};

/// Fills `outside_symbols`, `programs` and `tables` from the profile.
void build_tables(Report& report, const Symbolizer& symbolizer, const ReportContents& contents);

/// One sentence for each kind of damage in the input; empty if it was clean.
std::vector<std::string> describe(const ReadProblems& problems);

/// How many rows of a table to print; 0 prints all.
using RowLimit = std::size_t;

void write_csv(std::ostream& out, const Report& report, RowLimit limit);
void write_json(std::ostream& out, const Report& report, RowLimit limit);

/// What the terminal can show.
struct TextStyle {
    bool unicode = false; ///< eighth blocks for bars, otherwise '#'
    bool color = false;
};

void write_text(std::ostream& out, const Report& report, RowLimit limit, TextStyle style);

// A table alone, for samples that are no records.
void write_table(std::ostream& out, const std::string& title, const ReportTable& table,
                 RowLimit limit, TextStyle style);
enum class ProcessColumn : std::uint8_t { Hidden, Shown };
void write_csv_head(std::ostream& out, ProcessColumn processes);
void write_csv_rows(std::ostream& out, std::string_view event, const ReportTable& table,
                    RowLimit limit, ProcessColumn processes);

} // namespace pes
