// SPDX-License-Identifier: Apache-2.0
// The formats of `pes-decode export`: one file for each writer, one table that names them.
#pragma once

#include "decoder/export/export_data.h"
#include "platform/host/output_file.h"

#include <span>
#include <string>
#include <string_view>

namespace pes {

struct ExportFormat {
    std::string_view name;
    bool one_event;  ///< has one weight, so samples of one event only
    bool with_truth; ///< can carry exact values
    bool with_clock; ///< has times in units of a second
    void (*write)(OutputFile& file, ExportData& data);
};

std::span<const ExportFormat> export_formats();
/// Throws UserError for a name that is none.
const ExportFormat& export_format(std::string_view name);

void export_folded(OutputFile& file, ExportData& data);
void export_callgrind(OutputFile& file, ExportData& data);
void export_speedscope(OutputFile& file, ExportData& data);
void export_perf_script(OutputFile& file, ExportData& data);
void export_perf_data(OutputFile& file, ExportData& data);
void export_perfetto(OutputFile& file, ExportData& data);
void export_pprof(OutputFile& file, ExportData& data);
void export_sqlite(OutputFile& file, ExportData& data);
void export_firefox(OutputFile& file, ExportData& data);
void export_autofdo(OutputFile& file, ExportData& data);

} // namespace pes
