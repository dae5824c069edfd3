// SPDX-License-Identifier: Apache-2.0
// The files for perf beside the tables of the profiles that they are made from.
#include "platform/profile/pmu_event_files.h"

#include "hw/interface/pmu/profiles.h"
#include "hw/interface/pmu/standard_events.h"
#include "platform/profile/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pes {
namespace {

using nlohmann::json;
using testing::UnorderedElementsAre;

constexpr const PmuProfile* kWithCounters[] = {&kCva6Profile, &kU74Profile, &kCva6PdisProfile};

/// The objects of all JSON files that have `key`, by its value; no value stands twice.
std::map<std::string, json> objects(const PmuProfile& profile, const char* key) {
    std::map<std::string, json> found;
    for (const PmuEventFile& file : pmu_event_files(profile, {})) {
        for (const json& object : file.name.ends_with(".json") ? json::parse(file.text) : json()) {
            if (object.contains(key)) {
                EXPECT_TRUE(found.emplace(object[key], object).second) << object;
            }
        }
    }
    return found;
}

TEST(PmuEventFiles, HaveEachEventOnceWithItsSelector) {
    for (const PmuProfile* profile : kWithCounters) {
        const auto events = objects(*profile, "EventName");
        std::size_t rows = 0;
        for (const EventRow& row : *profile) {
            if (row.selector == 0) {
                EXPECT_EQ(perf_event_name(row), "");
                continue;
            }
            ++rows;
            const auto found = events.find(perf_event_name(row));
            ASSERT_NE(found, events.end()) << row.name;
            const std::string code = found->second["EventCode"];
            EXPECT_EQ(std::stoull(code, nullptr, 16), row.selector) << row.name;
            EXPECT_EQ(found->second["BriefDescription"], row.title);
            const std::string meaning = found->second["PublicDescription"];
            EXPECT_TRUE(meaning.starts_with(row.meaning())) << row.name;
        }
        EXPECT_EQ(events.size(), rows) << profile->name;
    }
}

TEST(PmuEventFiles, HaveTheNamesOfTheSpecification) {
    // CVA6's user manual, CSR_Performance_Counters: 2 is the L1 data cache's miss, 10 a mispredict.
    const auto events = objects(kCva6Profile, "EventName");
    EXPECT_EQ(events.at("CACHE.L1D.RD.DATA.MISS")["EventCode"], "0x2");
    EXPECT_EQ(events.at("INST.MISPRED.SPEC")["EventCode"], "0xa");
    EXPECT_EQ(events.at("INST.RET")["EventCode"], "0x18");
    EXPECT_EQ(events.at("SCOREBOARD_FULL")["EventCode"], "0xe"); // not in the specification
}

TEST(PmuEventFiles, HaveMetricsOfTheirOwnEventsOnly) {
    for (const PmuProfile* profile : kWithCounters) {
        const auto events = objects(*profile, "EventName");
        for (const auto& [name, metric] : objects(*profile, "MetricName")) {
            for (const std::string& event : events_in(std::string(metric["MetricExpr"]))) {
                // Those two are perf's own, for counters that no selector reaches.
                const bool fixed = event == "cycles" || event == "instructions";
                EXPECT_TRUE(events.contains(event) || fixed) << profile->name << ": " << event;
            }
        }
    }
}

TEST(PmuEventFiles, HaveTheFormulasByWhichRunsAreMeasured) {
    const auto found = objects(kCva6Profile, "MetricName");
    EXPECT_EQ(found.at("IPC")["MetricExpr"], "INST.RET / CYCLES.HART");
    EXPECT_FALSE(found.at("IPC").contains("ScaleUnit"));
    EXPECT_EQ(found.at("TLB.L1D.LDST.MPKI")["MetricExpr"], "TLB.L1D.LDST.MISS * 1000 / INST.RET");
    EXPECT_EQ(found.at("TLB.L1D.LDST.MPKI")["ScaleUnit"], "1PKI");
    EXPECT_EQ(found.at("INST.MISPRED.RATE")["ScaleUnit"], "100%");
    for (const auto& [name, metric] : found) {
        const auto row = std::ranges::find_if(
            metrics(), [&wanted = name](const Metric& one) { return wanted == one.name; });
        EXPECT_EQ(metric["MetricExpr"], row->formula) << name;
    }
    // No profile counts slots, and the U74 has no selector of cycles and instructions.
    EXPECT_FALSE(found.contains("TOPDOWN.RETIRING.RATE"));
    EXPECT_EQ(objects(kU74Profile, "MetricName").at("IPC")["MetricExpr"], "instructions / cycles");
}

TEST(PmuEventFiles, AreFoundByTheIdsOfTheCore) {
    const auto files =
        pmu_event_files(kCva6Profile, {.vendor = 0x602, .architecture = 3, .implementation = 0});
    std::set<std::string> names;
    for (const PmuEventFile& file : files) {
        names.insert(file.name);
    }
    EXPECT_THAT(names, UnorderedElementsAre("mapfile.csv", "pes/cva6/cache.json",
                                            "pes/cva6/general.json", "pes/cva6/inst.json",
                                            "pes/cva6/metrics.json", "pes/cva6/tlb.json"));
    EXPECT_EQ(files.front().text, "#MVENDORID-MARCHID-MIMPID,Version,Filename,EventType\n"
                                  "0x602-0x3-0x0,v1,pes/cva6,core\n");
}

TEST(StandardEvents, HaveEachSourceAndNameOnce) {
    std::set<Event> sources;
    std::set<std::string> names;
    for (const StandardEvent& row : kStandardEvents) {
        EXPECT_TRUE(sources.insert(row.source).second) << row.name;
        EXPECT_TRUE(names.insert(row.name).second) << row.name;
    }
}

} // namespace
} // namespace pes
