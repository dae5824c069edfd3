// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/metric_tables.h"

#include "hw/interface/pmu/standard_events.h"
#include "platform/profile/metrics.h"

#include <fmt/format.h>

namespace pes::pages {
namespace {

std::string formulas(bool top_down) {
    std::string text = "| metric | formula | meaning | the specification's, if it differs |\n"
                       "| --- | --- | --- | --- |\n";
    for (const Metric& metric : metrics()) {
        if ((metric.part != nullptr) == top_down) {
            text += fmt::format("| `{}` | `{}` | {} | {} |\n", metric.name, metric.formula,
                                metric.meaning, metric.difference);
        }
    }
    return text;
}

} // namespace

std::string metric_formulas() {
    return formulas(false);
}

std::string top_down_formulas() {
    return formulas(true);
}

std::string standard_events() {
    std::string text = "| source | standard event | difference |\n| --- | --- | --- |\n";
    for (const StandardEvent& row : kStandardEvents) {
        text +=
            fmt::format("| `{}` | `{}` | {} |\n", to_string(row.source), row.name, row.difference);
    }
    return text;
}

} // namespace pes::pages
