// SPDX-License-Identifier: Apache-2.0
#include "decoder/csv.h"
#include "decoder/event_names.h"
#include "decoder/report.h"

#include <algorithm>
#include <spdlog/fmt/fmt.h>

namespace pes {

void write_csv(std::ostream& out, const Report& report, RowLimit limit) {
    out << "event,by,rank,samples,share,estimated_events,function,file,line,address,offset,"
           "program\n";
    for (const ReportTable& table : report.tables) {
        const std::size_t rows =
            limit == 0 ? table.rows.size() : std::min(limit, table.rows.size());
        for (std::size_t i = 0; i < rows; ++i) {
            const HotSpot& row = table.rows[i];
            out << fmt::format("{},{},{},{},{:.6f},{},{},{},{},{:#x},{},{}\n",
                               event_name(*report.pmu, table.event), to_string(table.by), i + 1,
                               row.tally.samples, row.share, row.tally.events,
                               csv_field(row.function), csv_field(row.file),
                               row.line == 0 ? "" : std::to_string(row.line), row.address,
                               row.offset, csv_field(row.program));
        }
    }
}

} // namespace pes
