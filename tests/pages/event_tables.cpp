// SPDX-License-Identifier: Apache-2.0
#include "tests/pages/event_tables.h"

#include "hw/interface/pmu/profile_cv32e40p.h"
#include "hw/interface/pmu/profile_cva6.h"
#include "hw/interface/pmu/profile_cva6_pdis.h"
#include "hw/interface/pmu/profile_u74.h"

#include <bit>
#include <fmt/format.h>

namespace pes::pages {
namespace {

/// "`load` | Load | commit | An integer or ... retired. | exact: retirement cycle |".
std::string columns(const EventRow& row) {
    return fmt::format("`{}` | {} | {} | {} | {} |\n", row.name, row.title, to_string(row.kind()),
                       row.meaning(), how_pulsed(row.source));
}

constexpr const char* kColumns = "name | title | class | exact meaning | how pulsed |\n";

} // namespace

std::string cva6_events() {
    std::string text = fmt::format("| id | {}| --- | --- | --- | --- | --- | --- |\n", kColumns);
    for (const EventRow& row : kCva6Profile) {
        text += fmt::format("| {} | {}", row.selector, columns(row));
    }
    return text;
}

std::string pdis_events() {
    std::string text = fmt::format("| id | {}| --- | --- | --- | --- | --- | --- |\n", kColumns);
    for (const EventRow& row : kPdisEvents) {
        text += fmt::format("| {} | {}", row.selector, columns(row));
    }
    return text;
}

std::string u74_events() {
    std::string text = fmt::format(
        "| selector | class, bit | {}| --- | --- | --- | --- | --- | --- | --- |\n", kColumns);
    for (const EventRow& row : kU74Profile) {
        text += fmt::format("| {:#x} | {}, {} | {}", row.selector, row.selector & kSelectorClass,
                            std::bit_width(row.selector) - 1, columns(row));
    }
    return text;
}

std::string cv32e40p_events() {
    std::string text = fmt::format("| bit | {}| --- | --- | --- | --- | --- | --- |\n", kColumns);
    for (const EventRow& row : kCv32e40pProfile) {
        text += fmt::format("| {} | {}", row.selector, columns(row));
    }
    return text;
}

std::string pulse_sources() {
    std::string text = "| source | class | exact meaning | pc of the cause | how pulsed |\n"
                       "| --- | --- | --- | --- | --- |\n";
    for (std::size_t index = 0; index < kSourceCount; ++index) {
        const auto event = static_cast<Event>(index);
        const PulseSource& source = source_row(event);
        const bool precise = source.attribution == Attribution::Precise;
        text += fmt::format("| `{}` | {} | {} | {} | {} |\n", source.name, to_string(source.kind),
                            source.meaning, precise ? "precise" : "-", how_pulsed(event));
    }
    return text;
}

} // namespace pes::pages
