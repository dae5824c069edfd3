// SPDX-License-Identifier: Apache-2.0
// Crossings of counters, the samples that belong to them, and how far apart both are.
#include "decoder/skid/skid.h"

#include "platform/host/user_error.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kHeader =
    "hart,counter,kind,event,cycle,instret,privilege,satp,pc,trap_cycle,trap_instret,"
    "trap_privilege,trap_satp,trap_pc\n";

std::vector<CrossingRecord> crossings_of(const std::string& lines) {
    std::istringstream input(kHeader + lines);
    return read_crossings(input, "crossings.csv");
}

/// Of loads on counter 3: caused at 0x100, the interrupt taken at `pc`.
CrossingRecord taken_at(Cycle cycle, Address pc) {
    CrossingRecord crossing;
    crossing.counter = 3;
    crossing.event = 5;
    crossing.cycle = cycle - 20;
    crossing.instret = cycle - 5;
    crossing.pc = 0x100;
    crossing.interrupt = {.cycle = cycle, .instret = cycle, .pc = pc};
    return crossing;
}

TEST(Crossings, AreReadWithCauseAndInterrupt) {
    const auto crossings = crossings_of(
        "1,3,threshold,0x6000000000000005,1000,400,U,0x8000000000012345,0x10040,1020,409,U,"
        "0x8000000000012345,0x10062\n"
        "0,0,overflow,0x0,2000,,,,,,,,,\r\n");
    ASSERT_EQ(crossings.size(), 2u);
    EXPECT_EQ(crossings[0].hart, 1u);
    EXPECT_EQ(crossings[0].counter, 3u);
    EXPECT_EQ(crossings[0].kind, CrossingKind::Threshold);
    EXPECT_EQ(crossings[0].cycle, 1000u);
    EXPECT_EQ(crossings[0].instret, 400u);
    EXPECT_EQ(crossings[0].pc, 0x10040u);
    EXPECT_EQ(crossings[0].interrupt->cycle, 1020u);
    EXPECT_EQ(crossings[0].interrupt->instret, 409u);
    EXPECT_EQ(crossings[0].interrupt->pc, 0x10062u);
    EXPECT_EQ(event_of(crossings[0]), (EventId{CounterKind::Programmable, 5}));
    EXPECT_EQ(crossings[1].kind, CrossingKind::Overflow);
    EXPECT_FALSE(crossings[1].pc || crossings[1].instret || crossings[1].interrupt);
    EXPECT_EQ(event_of(crossings[1]), (EventId{CounterKind::Cycles, 0}));
}

TEST(Crossings, BadLineIsNamedByItsNumber) {
    const std::string good = "0,3,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62\n";
    for (const char* line : {"", "0,3,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0",
                             "x,3,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,1,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,32,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,3,both,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,3,threshold,5,1000,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,3,threshold,0x5,,400,U,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,3,threshold,0x5,1000,400,H,0x0,0x40,1020,409,U,0x0,0x62",
                             "0,3,threshold,0x5,1000,400,U,0x0,40,1020,409,U,0x0,0x62",
                             "0,3,threshold,0x5,1000,400,U,0x0,0x40,,409,U,0x0,0x62",
                             "0,3,threshold,0x5,1000,400,U,0x0,0x40,1020,409,U,0x0,"}) {
        try {
            crossings_of(good + line + "\n");
            ADD_FAILURE() << line;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr("'crossings.csv' line 3: ")) << line;
        }
    }
}

TEST(Crossings, AnotherFileIsRefused) {
    std::istringstream input("pc,count\n");
    EXPECT_THROW(read_crossings(input, "truth.csv"), UserError);
    EXPECT_TRUE(crossings_of("").empty());
}

SampleRecord record_of(Cycle cycle, Address pc) {
    SampleRecord record = test::event_at(pc, 3, 5);
    record.cycle = cycle;
    return record;
}

TEST(RecordJoiner, SkipsLostAndForeignRecordsWhateverTheirCycles) {
    const std::vector<CrossingRecord> crossings = {taken_at(100, 0x18), taken_at(200, 0x10),
                                                   taken_at(300, 0x14), taken_at(400, 0x10)};
    RecordJoiner joiner;
    joiner.add(record_of(30, 0x10)); // mcycle stood still before
    joiner.add(record_of(130, 0x14));
    joiner.add(record_of(230, 0x1C)); // nobody was interrupted there
    const SampleJoin join = joiner.join(crossings);
    EXPECT_EQ(join.samples, 3u);
    EXPECT_EQ(join.without_crossing, 1u);
    EXPECT_THAT(join.sampled,
                ElementsAre(std::nullopt, Address{0x10}, Address{0x14}, std::nullopt));
}

TEST(RecordJoiner, KeepsHartsAndCountersApart) {
    CrossingRecord other_hart = taken_at(100, 0x10);
    other_hart.hart = 1;
    CrossingRecord other_counter = taken_at(100, 0x10);
    other_counter.counter = 4;
    const std::vector<CrossingRecord> crossings = {other_hart, other_counter};
    RecordJoiner joiner;
    joiner.add(record_of(130, 0x10)); // hart 0, counter 3
    EXPECT_EQ(joiner.join(crossings).without_crossing, 1u);
    SampleRecord record = record_of(130, 0x10);
    record.hart = 1;
    joiner.add(record);
    EXPECT_THAT(joiner.join(crossings).sampled, ElementsAre(Address{0x10}, std::nullopt));
}

TEST(RecordJoiner, ARecordIsOfNoCrossingWithoutAnInterrupt) {
    CrossingRecord not_delivered = taken_at(100, 0x10);
    not_delivered.interrupt.reset();
    RecordJoiner joiner;
    joiner.add(record_of(150, 0x10));
    EXPECT_EQ(joiner.join(std::vector{not_delivered}).without_crossing, 1u);
}

std::vector<CrossingRecord> taken_at_each(std::initializer_list<Address> addresses) {
    std::vector<CrossingRecord> crossings;
    for (const Address pc : addresses) {
        crossings.push_back(taken_at(100 * (crossings.size() + 1), pc));
    }
    return crossings;
}

TEST(JoinAddresses, SkipsCrossingsWithoutASampleAndSamplesWithoutACrossing) {
    const auto crossings = taken_at_each({0x10, 0x14, 0x18, 0x10, 0x1C});
    const std::vector<Address> samples = {0x10, 0x18, 0x99, 0x10, 0x1C};
    const SampleJoin join = join_addresses(crossings, samples);
    EXPECT_EQ(join.samples, 5u);
    EXPECT_EQ(join.without_crossing, 1u);
    EXPECT_THAT(join.sampled, ElementsAre(Address{0x10}, std::nullopt, Address{0x18}, Address{0x10},
                                          Address{0x1C}));
}

TEST(JoinAddresses, IsInTheOrderOfTheInterruptsWhateverTheOrderOfTheFile) {
    const std::vector<CrossingRecord> crossings = {taken_at(300, 0x18), taken_at(100, 0x10)};
    const std::vector<Address> samples = {0x10, 0x18};
    EXPECT_EQ(join_addresses(crossings, samples).without_crossing, 0u);
}

TEST(JoinAddresses, FindsItsWayBackAfterAGapInAnyOfManySamples) {
    std::vector<CrossingRecord> crossings;
    std::vector<Address> samples;
    std::uint64_t state = 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < 20'000; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const Address pc = 0x1000 + 2 * (state >> 58); // 64 addresses
        crossings.push_back(taken_at(100 * (i + 1), pc));
        const bool in_gap = i % 5000 < 300;
        if (!in_gap && i % 10 != 0) {
            samples.push_back(pc);
            ++kept;
        }
    }
    const SampleJoin join = join_addresses(crossings, samples);
    EXPECT_LT(join.without_crossing, kept / 50);
    std::size_t right = 0;
    for (std::size_t i = 0; i < crossings.size(); ++i) {
        const bool was_kept = i % 5000 >= 300 && i % 10 != 0;
        right += was_kept && join.sampled[i].has_value() ? 1 : 0;
    }
    EXPECT_GT(right, kept * 95 / 100);
}

TEST(Histogram, HasMeanMedianAndPercentiles) {
    Histogram histogram;
    EXPECT_TRUE(histogram.empty());
    for (const std::int64_t value : {-2, 1, 1, 4, 11}) {
        histogram.add(value);
    }
    EXPECT_DOUBLE_EQ(histogram.mean(), 3);
    EXPECT_EQ(histogram.percentile(0.5), 1);
    EXPECT_EQ(histogram.percentile(0.2), -2);
    EXPECT_EQ(histogram.percentile(0.95), 11);
    EXPECT_EQ(histogram.highest(), 11);
}

TEST(Skid, CountsWhatWasDeliveredSampledAndLost) {
    std::vector<CrossingRecord> crossings = {taken_at(100, 0x10), taken_at(200, 0x100),
                                             taken_at(300, 0x14)};
    crossings.push_back(taken_at(400, 0x10));
    crossings.back().interrupt.reset();
    crossings.push_back(taken_at(500, 0x10));
    crossings.back().pc.reset();
    crossings.back().instret.reset();
    crossings.back().kind = CrossingKind::Overflow;
    const Symbolizer no_programs{{}};

    const auto all = measure_skid(crossings, nullptr, no_programs);
    ASSERT_EQ(all.size(), 1u);
    EXPECT_EQ(all[0].thresholds, 4u);
    EXPECT_EQ(all[0].overflows, 1u);
    EXPECT_EQ(all[0].delivered, 4u);
    EXPECT_EQ(all[0].measured, 4u);
    EXPECT_EQ(all[0].cause_unknown, 1u);
    EXPECT_EQ(all[0].cycles.count(), 4u);
    EXPECT_EQ(all[0].cycles.percentile(0.5), 20);
    EXPECT_EQ(all[0].instructions.count(), 3u);
    EXPECT_EQ(all[0].instructions.highest(), 5);
    EXPECT_EQ(all[0].located, 3u);
    EXPECT_EQ(all[0].at_cause, 1u);

    RecordJoiner joiner;
    joiner.add(record_of(320, 0x14));
    const SampleJoin join = joiner.join(crossings);
    const auto joined = measure_skid(crossings, &join, no_programs);
    EXPECT_EQ(joined[0].delivered, 4u);
    EXPECT_EQ(joined[0].sampled, 1u);
    EXPECT_EQ(joined[0].measured, 1u);
    EXPECT_EQ(joined[0].at_cause, 0u);
}

SkidReport small_skid_report() {
    SkidReport report;
    report.input = "crossings.csv";
    const std::vector<CrossingRecord> crossings = {taken_at(100, 0x10), taken_at(200, 0x100)};
    report.events = measure_skid(crossings, nullptr, Symbolizer{{}});
    return report;
}

TEST(SkidReport, TextShowsNumbersPlacesAndHistogram) {
    std::ostringstream out;
    write_text(out, small_skid_report(), 0, {});
    EXPECT_THAT(out.str(), HasSubstr("crossings.csv: 2 crossings\n"));
    EXPECT_THAT(out.str(), HasSubstr("load (Load): 2 crossings, 2 delivered, 0 not delivered\n"));
    EXPECT_THAT(out.str(), HasSubstr("in the causal instruction 50.0 %, "));
    EXPECT_THAT(out.str(), HasSubstr("skid in instructions:\n"
                                     "                 5          2  100.0 %  "
                                     "########################\n"));
}

TEST(SkidReport, CsvHasALineForEachEvent) {
    std::ostringstream out;
    write_csv(out, small_skid_report(), 0);
    EXPECT_THAT(out.str(), HasSubstr("\nload,2,2,0,2,,0,5.000000,5,5,5,20.000000,20,20,20,2,1,"));
}

TEST(SkidReport, JsonHasTheHistograms) {
    std::ostringstream out;
    SkidReport report = small_skid_report();
    write_json(out, report, 0);
    const auto json = nlohmann::json::parse(out.str());
    EXPECT_TRUE(json["samples"].is_null());
    EXPECT_EQ(json["events"][0]["event"], "load");
    EXPECT_EQ(json["events"][0]["cycles"]["histogram"][0]["skid"], 20);
    EXPECT_EQ(json["events"][0]["cycles"]["histogram"][0]["crossings"], 2);
    EXPECT_TRUE(json["events"][0]["lost"].is_null());
}

} // namespace
} // namespace pes
