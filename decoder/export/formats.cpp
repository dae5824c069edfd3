// SPDX-License-Identifier: Apache-2.0
#include "decoder/export/formats.h"

#include "platform/host/user_error.h"

#include <algorithm>
#include <array>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr std::array kFormats = {
    ExportFormat{"folded", true, false, false, export_folded},
    ExportFormat{"callgrind", false, true, false, export_callgrind},
    ExportFormat{"speedscope", false, false, false, export_speedscope},
    ExportFormat{"perf-script", false, false, true, export_perf_script},
    ExportFormat{"perf-data", false, false, true, export_perf_data},
    ExportFormat{"perfetto", false, false, true, export_perfetto},
    ExportFormat{"pprof", false, true, false, export_pprof},
    ExportFormat{"sqlite", false, true, false, export_sqlite},
    ExportFormat{"firefox", false, false, true, export_firefox},
    ExportFormat{"autofdo", true, false, false, export_autofdo},
};

} // namespace

std::span<const ExportFormat> export_formats() {
    return kFormats;
}

const ExportFormat& export_format(std::string_view name) {
    const auto* const format =
        std::find_if(kFormats.begin(), kFormats.end(),
                     [name](const ExportFormat& row) { return row.name == name; });
    if (format == kFormats.end()) {
        std::string names;
        for (const ExportFormat& row : kFormats) {
            names += fmt::format("{}{}", names.empty() ? "" : ", ", row.name);
        }
        throw UserError(fmt::format("FORMAT got '{}', expected one of {}", name, names));
    }
    return *format;
}

} // namespace pes
