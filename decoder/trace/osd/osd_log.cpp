// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/osd/osd_log.h"

#include "decoder/trace/count_of.h"

#include <spdlog/fmt/fmt.h>

namespace pes::trace {

namespace {

const char* meaning_of(std::uint16_t id) {
    switch (id) {
    case osd::kThreadSwitchId:
        return " (THREAD_SWITCH)";
    case osd::kThreadNameId:
        return " (THREAD_NAME)";
    case osd::kPrintId:
        return " (print)";
    default:
        break;
    }
    switch (osd::group_of(id)) {
    case osd::IdGroup::NotUsed:
        return " (not used by the specification)";
    case osd::IdGroup::Reserved:
        return " (reserved)";
    default:
        return "";
    }
}

} // namespace

std::string osd_log_line(const OsdItem& item) {
    return item.missed ? fmt::format("Overflow, missed {} events\n", *item.missed)
                       : fmt::format("{:08x} {:04x} {:016x}\n", item.event.timestamp, item.event.id,
                                     item.event.value);
}

void OsdSummary::add(const OsdItem& item) {
    if (!item.missed) {
        ++by_id_[item.event.id];
    }
}

std::vector<std::string> describe_flaws(const OsdCounts& counts) {
    std::vector<std::string> flaws;
    if (counts.overflows != 0) {
        flaws.push_back(fmt::format("{}: {} missed", count_of(counts.overflows, "overflow packet"),
                                    count_of(counts.missed, "event")));
    }
    if (counts.unknown_packets != 0) {
        flaws.push_back(count_of(counts.unknown_packets, "packet") +
                        " that a trace module does not send");
    }
    if (counts.torn_events != 0) {
        flaws.push_back(count_of(counts.torn_events, "event") + " with a part missing");
    }
    if (counts.truncated_bytes != 0) {
        flaws.push_back("the file ends " + count_of(counts.truncated_bytes, "byte") +
                        " into a packet");
    }
    return flaws;
}

std::string OsdSummary::text(const std::string& file, const OsdCounts& counts) const {
    std::string text = fmt::format("{}: {} in {}\n", file, count_of(counts.events, "event"),
                                   count_of(counts.bytes, "byte"));
    for (const auto& [id, count] : by_id_) {
        text += fmt::format("  {:>10}  id {:#06x}{}\n", count, id, meaning_of(id));
    }
    for (const std::string& flaw : describe_flaws(counts)) {
        text += "  damage           " + flaw + "\n";
    }
    return text;
}

} // namespace pes::trace
