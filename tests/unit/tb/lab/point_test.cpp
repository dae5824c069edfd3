// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/point.h"

#include "tb/lab/content_hash.h"
#include "tb/lab/delivery.h"
#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

#include <set>

namespace pes::lab {
namespace {

using test::TemporaryDirectory;

PointSpec point(const char* method, Rate rate) {
    return {.run = 0,
            .method = find_method(method),
            .event = {"load", {CounterKind::Programmable, 5}},
            .rate = rate,
            .seed = 1,
            .spread = 0};
}

RunResult run() {
    return {.key = "r",
            .program = "p",
            .settings = "s",
            .cycles = 50'000,
            .instructions = 30'000,
            .half_words = 40'000,
            .host_seconds = 0,
            .events = {{"load", 10'000}}};
}

constexpr Rate kHundred{Rate::Kind::Samples, 100};

TEST(LabPoint, ThePeriodFollowsFromTheTriggersOfTheRun) {
    EXPECT_EQ(period_of(point("threshold", kHundred), run(), 1), 100U); // of loads
    EXPECT_EQ(period_of(point("ideal", kHundred), run(), 1), 100U);
    EXPECT_EQ(period_of(point("timer", kHundred), run(), 1), 500U);    // of cycles
    EXPECT_EQ(period_of(point("pc-trace", kHundred), run(), 1), 400U); // of half-words
    EXPECT_EQ(period_of(point("pdis", kHundred), run(), 1), 100U);     // of decoded loads
    EXPECT_EQ(period_of(point("exact", {Rate::Kind::Samples, 20'000}), run(), 1), 1U);
    EXPECT_EQ(period_of(point("exact", {Rate::Kind::Period, 77}), run(), 1), 77U);
}

TEST(LabPoint, ARunWithTooFewEventsHasNoPoint) {
    EXPECT_EQ(period_of(point("exact", kHundred), run(), 10'001), std::nullopt);
    EXPECT_EQ(period_of(point("exact", {Rate::Kind::Period, 10'001}), run(), 1), std::nullopt);
}

TEST(LabPoint, WhateverDecidesAResultIsInItsKey) {
    const PointSpec base = point("exact", kHundred);
    std::set<std::string> keys{point_key(base, "r", 100), point_key(base, "q", 100),
                               point_key(base, "r", 101)};
    PointSpec other = base;
    other.seed = 2;
    keys.insert(point_key(other, "r", 100));
    other = base;
    other.spread = 20;
    keys.insert(point_key(other, "r", 100));
    other = base;
    other.event.name = "store";
    keys.insert(point_key(other, "r", 100));
    keys.insert(point_key(point("lcofi", kHundred), "r", 100));
    EXPECT_EQ(keys.size(), 7U);
    EXPECT_EQ(point_key(base, "r", 100), point_key(point("exact", kHundred), "r", 100));
}

TEST(LabPoint, ARunIsKnownByWhatIsInItsFiles) {
    const TemporaryDirectory directory;
    const auto key = [&](const std::string& text, std::vector<std::string> set, const char* vp) {
        Matrix matrix;
        matrix.programs.push_back(
            {"p",
             {.program = directory.write("p.elf", text).string(), .firmware = "", .kernel = ""}});
        matrix.settings.push_back({.name = "s", .assignments = std::move(set), .pmu = nullptr});
        PointGroup group;
        group.programs = {0};
        group.settings = {0};
        matrix.groups.push_back(std::move(group));
        return make_plan(matrix, vp).runs.at(0).key;
    };
    const std::string base = key("code", {}, "1");
    EXPECT_EQ(base, key("code", {}, "1"));
    EXPECT_NE(base, key("mode", {}, "1"));
    EXPECT_NE(base, key("code", {"a=1"}, "1"));
    EXPECT_NE(base, key("code", {}, "2"));
}

TEST(LabPoint, SharesAreAllPointsOnce) {
    Plan plan;
    plan.runs = {{0, 0, "a"}, {1, 0, "b"}};
    for (std::uint64_t seed = 0; seed < 10; ++seed) {
        PointSpec spec = point("exact", kHundred);
        spec.run = seed < 4 ? 0 : 1;
        spec.seed = seed;
        plan.points.push_back(spec);
    }
    std::vector<std::uint64_t> seeds;
    for (std::size_t index = 0; index < 3; ++index) {
        const Plan share = share_of(plan, index, 3);
        for (const PointSpec& spec : share.points) {
            EXPECT_EQ(share.runs.at(spec.run).key, spec.seed < 4 ? "a" : "b");
            seeds.push_back(spec.seed);
        }
    }
    EXPECT_EQ(seeds, (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(share_of(plan, 0, 3).runs.size(), 1U); // what has no point is dropped
}

TEST(LabPoint, EveryMethodHasADelivery) {
    for (const SamplingMethod& method : sampling_methods()) {
        EXPECT_NO_THROW(delivery_of(method)) << method.name;
    }
    EXPECT_EQ(delivery_of(*find_method("threshold")), "threshold");
    EXPECT_EQ(delivery_of(*find_method("pc-trace")), "");
}

TEST(LabPoint, FieldsOfAHashHaveLengths) {
    EXPECT_NE(ContentHash().add("ab").add("c").text(), ContentHash().add("a").add("bc").text());
    EXPECT_EQ(ContentHash().text(), "cbf29ce484222325"); // FNV-1a's offset basis
}

} // namespace
} // namespace pes::lab
