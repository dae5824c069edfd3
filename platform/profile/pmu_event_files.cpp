// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/pmu_event_files.h"

#include "hw/interface/pmu/standard_events.h"
#include "platform/profile/metrics.h"
#include "platform/profile/pfm_names.h"
#include "platform/profile/place_json.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace pes {
namespace {

/// The specification's groups; a file for each, named as in its repository. A prefix that stands
/// before another one is tried first.
constexpr std::array<std::pair<std::string_view, const char*>, 3> kFiles{
    {{"CACHE.", "cache"}, {"INST.", "inst"}, {"TLB.", "tlb"}}};

/// Of events with other names: CYCLES.HART, and what only this platform has.
constexpr const char* kOtherFile = "general";

std::string file_of(const std::string& event) {
    for (const auto& [prefix, file] : kFiles) {
        if (event.starts_with(prefix)) {
            return file;
        }
    }
    return kOtherFile;
}

Json event_object(const EventRow& row) {
    std::string meaning = row.meaning();
    const StandardEvent* const standard = standard_event(row.source);
    if (standard != nullptr && *standard->difference != '\0') {
        meaning +=
            fmt::format(" Differs from the specification's event: {}.", standard->difference);
    }
    return {{"EventName", perf_event_name(row)},
            {"EventCode", fmt::format("{:#x}", row.selector)},
            {"BriefDescription", row.title},
            {"PublicDescription", meaning}};
}

/// What perf calls an event of a formula: the profile's event or, of the fixed counters, perf's
/// own. Empty if there is neither.
std::string perf_name(const std::set<std::string>& events, const std::string& name) {
    static const std::map<std::string, std::string> kFixed{{"CYCLES.HART", "cycles"},
                                                           {"INST.RET", "instructions"}};
    if (events.contains(name)) {
        return name;
    }
    const auto fixed = kFixed.find(name);
    return fixed == kFixed.end() ? std::string() : fixed->second;
}

Json metric_list(const std::set<std::string>& events) {
    Json list = Json::array();
    for (const Metric& metric : metrics()) {
        const bool countable =
            std::ranges::none_of(events_in(metric.formula), [&events](const std::string& name) {
                return perf_name(events, name).empty();
            });
        if (!countable) {
            continue;
        }
        Json object{{"MetricName", metric.name},
                    {"MetricExpr", with_events(metric.formula,
                                               [&events](std::string_view name) {
                                                   return perf_name(events, std::string(name));
                                               })},
                    {"MetricGroup", metric.group},
                    {"BriefDescription", metric.meaning}};
        if (metric.unit != MetricUnit::Ratio) {
            object["ScaleUnit"] = scale_of(metric.unit);
        }
        list.push_back(std::move(object));
    }
    return list;
}

/// The ids as /proc/cpuinfo has them, as a regular expression.
std::string map_file(const CoreIds& core, const std::string& folder) {
    return fmt::format("#MVENDORID-MARCHID-MIMPID,Version,Filename,EventType\n"
                       "{:#x}-{:#x}-{:#x},v1,{},core\n",
                       core.vendor, core.architecture, core.implementation, folder);
}

} // namespace

std::string perf_event_name(const EventRow& row) {
    const StandardEvent* const standard = standard_event(row.source);
    if (standard != nullptr && !pfm_event_name(row).empty()) {
        return standard->name;
    }
    return pfm_event_name(row);
}

std::vector<PmuEventFile> pmu_event_files(const PmuProfile& profile, const CoreIds& core) {
    const std::string folder = fmt::format("pes/{}", profile.name);
    std::map<std::string, Json> lists;
    std::set<std::string> events;
    for (const EventRow& row : profile) {
        const std::string name = perf_event_name(row);
        if (!name.empty()) {
            Json& list = lists[file_of(name)];
            list.push_back(event_object(row));
            events.insert(name);
        }
    }
    if (Json list = metric_list(events); !list.empty()) {
        lists["metrics"] = std::move(list);
    }
    std::vector<PmuEventFile> files{{.name = "mapfile.csv", .text = map_file(core, folder)}};
    for (const auto& [name, list] : lists) {
        files.push_back({.name = fmt::format("{}/{}.json", folder, name),
                         .text = list.dump(4, ' ', false, Json::error_handler_t::replace) + '\n'});
    }
    return files;
}

} // namespace pes
