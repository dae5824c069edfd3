// SPDX-License-Identifier: Apache-2.0
#include "platform/host/csv.h"
#include "platform/profile/event_names.h"
#include "platform/profile/report.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {

void write_csv_head(std::ostream& out, ProcessColumn processes) {
    out << "event,by,rank,samples,share,estimated_events,function,file,line,address,offset,"
           "program,lengthened"
        << (processes == ProcessColumn::Shown ? ",process\n" : "\n");
}

void write_csv_rows(std::ostream& out, std::string_view event, const ReportTable& table,
                    RowLimit limit, ProcessColumn processes) {
    const std::size_t rows = limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
    for (std::size_t i = 0; i < rows; ++i) {
        const HotSpot& row = table.rows[i];
        out << fmt::format("{},{},{},{},{:.6f},{},{},{},{},{:#x},{},{},{}", event,
                           to_string(table.by), i + 1, row.tally.samples, row.share,
                           row.tally.events, csv_field(row.function), csv_field(row.file),
                           row.line == 0 ? "" : std::to_string(row.line), row.address, row.offset,
                           csv_field(row.program), row.tally.lengthened);
        if (processes == ProcessColumn::Shown) {
            out << ',' << (row.process ? std::to_string(*row.process) : "");
        }
        out << '\n';
    }
}

/// A table of its own below the others.
static void write_comparison(std::ostream& out, const Report& report, RowLimit limit) {
    out << "\nby,rank,name,file,before,now,change\n";
    for (const GroupBy by : report.compared_by) {
        const std::vector<ComparedRow>& rows = report.comparison->rows(by == GroupBy::Line);
        const std::size_t count = limit == 0 ? rows.size() : std::min(limit, rows.size());
        for (std::size_t i = 0; i < count; ++i) {
            const ComparedRow& row = rows[i];
            out << fmt::format("{},{},{},{},{},{},{}\n", to_string(by), i + 1, csv_field(row.name),
                               csv_field(row.file), row.before, row.now, row.change());
        }
    }
}

void write_csv(std::ostream& out, const Report& report, RowLimit limit) {
    write_csv_head(out, ProcessColumn::Hidden);
    for (const ReportTable& table : report.tables) {
        write_csv_rows(out, event_name(*report.pmu, table.event), table, limit,
                       ProcessColumn::Hidden);
    }
    if (report.comparison) {
        write_comparison(out, report, limit);
    }
}

} // namespace pes
