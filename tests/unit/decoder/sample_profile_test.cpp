// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/sample_profile.h"

#include "hw/interface/pmu/profiles.h"
#include "platform/profile/event_names.h"
#include "tests/unit/decoder/sample_bytes.h"

#include <gtest/gtest.h>
#include <limits>

namespace pes {
namespace {

using test::event_at;
using test::record_at;

constexpr EventId kCycle{CounterKind::Cycles, 0};
constexpr EventId kInstret{CounterKind::Instret, 0};

EventId programmable(std::uint64_t selector) {
    return {CounterKind::Programmable, selector};
}

TEST(SampleProfile, EventFollowsFromCounterAndSelector) {
    EXPECT_EQ(event_of(event_at(0, 0, 0)), kCycle);
    EXPECT_EQ(event_of(event_at(0, 2, 0)), kInstret);
    EXPECT_EQ(event_of(event_at(0, 3, 21)), programmable(21));
    EXPECT_EQ(event_of(event_at(0, 31, 5)), programmable(5));
}

TEST(SampleProfile, CountsSamplesPerEventAndAddress) {
    SampleProfile profile;
    profile.add(event_at(0x100, 3, 21));
    profile.add(event_at(0x100, 3, 21));
    profile.add(event_at(0x104, 3, 21));
    profile.add(record_at(0x100));
    EXPECT_EQ(profile.samples(), 4u);
    const EventProfile& floating = profile.events().at(programmable(21));
    EXPECT_EQ(floating.total.samples, 3u);
    EXPECT_EQ(floating.addresses.at(0x100).samples, 2u);
    EXPECT_EQ(floating.addresses.at(0x104).samples, 1u);
    EXPECT_EQ(profile.events().at(kInstret).addresses.at(0x100).samples, 1u);
}

TEST(SampleProfile, CountersWithOneEventAreOneEventAndStayApartInTheCounterList) {
    SampleProfile profile;
    SampleRecord fine = event_at(0x100, 3, 5);
    fine.threshold = 10;
    SampleRecord coarse = event_at(0x100, 4, 5);
    coarse.threshold = 1000;
    profile.add(fine);
    profile.add(coarse);
    const EventProfile& loads = profile.events().at(programmable(5));
    EXPECT_EQ(loads.total.samples, 2u);
    EXPECT_EQ(loads.total.events, 1010u);
    EXPECT_EQ(loads.counters.at(3).tally.events, 10u);
    EXPECT_EQ(loads.counters.at(4).tally.events, 1000u);
}

TEST(SampleProfile, EstimatedEventsAreSamplesTimesThreshold) {
    SampleProfile profile;
    for (int i = 0; i < 5; ++i) {
        profile.add(record_at(0x100)); // threshold 100
    }
    EXPECT_EQ(profile.events().at(kInstret).total.events, 500u);
}

TEST(SampleProfile, RemembersTheRangeOfThresholds) {
    SampleProfile profile;
    for (const std::uint64_t threshold : {300u, 100u, 200u}) {
        SampleRecord record = record_at(0);
        record.threshold = threshold;
        profile.add(record);
    }
    const CounterTally& counter = profile.events().at(kInstret).counters.at(2);
    EXPECT_EQ(counter.lowest_threshold, 100u);
    EXPECT_EQ(counter.highest_threshold, 300u);
}

TEST(SampleProfile, EstimatedEventsSaturateOnAbsurdThresholds) {
    SampleProfile profile;
    SampleRecord record = record_at(0);
    record.threshold = std::numeric_limits<std::uint64_t>::max() - 1;
    profile.add(record);
    profile.add(record);
    EXPECT_EQ(profile.events().at(kInstret).total.events,
              std::numeric_limits<std::uint64_t>::max());
}

TEST(SampleProfile, CountsThePrivilegeOfTheInterruptedCode) {
    SampleProfile profile;
    for (const std::uint8_t privilege : {0, 0, 0, 1, 1, 3, 2}) {
        SampleRecord record = record_at(0);
        record.privilege = privilege;
        profile.add(record);
    }
    EXPECT_EQ(profile.privileges().user, 3u);
    EXPECT_EQ(profile.privileges().supervisor, 2u);
    EXPECT_EQ(profile.privileges().machine, 1u);
    EXPECT_EQ(profile.privileges().other, 1u); // encoding 2 is no mode
}

TEST(SampleProfile, SpansFromTheEarliestToTheLatestCycle) {
    SampleProfile profile;
    for (const std::uint64_t cycle : {500u, 200u, 900u}) {
        SampleRecord record = record_at(0);
        record.cycle = cycle;
        profile.add(record);
    }
    EXPECT_EQ(profile.first_cycle(), 200u);
    EXPECT_EQ(profile.last_cycle(), 900u);
}

TEST(SampleProfile, LostRecordsAreTheLatestCountOfEachHart) {
    SampleProfile profile;
    const auto add = [&](std::uint32_t hart, std::uint64_t lost) {
        SampleRecord record = record_at(0);
        record.hart = hart;
        record.lost = lost;
        profile.add(record);
    };
    add(0, 0);
    add(0, 3);
    add(1, 10);
    add(0, 5);
    add(1, 10);
    EXPECT_EQ(profile.lost(), 15u);
}

TEST(SampleProfile, LossBeforeSamplingBeganAnewIsKept) {
    SampleProfile profile;
    for (const std::uint64_t lost : {0u, 4u, 0u, 2u}) {
        SampleRecord record = record_at(0);
        record.lost = lost;
        profile.add(record);
    }
    EXPECT_EQ(profile.lost(), 6u);
}

TEST(EventNames, ComeFromTheEventTable) {
    EXPECT_EQ(event_name(kCva6Profile, kCycle), "cycle");
    EXPECT_EQ(event_name(kCva6Profile, kInstret), "instret");
    EXPECT_EQ(event_name(kCva6Profile, programmable(21)), "floating-point");
    EXPECT_EQ(event_name(kCva6Profile, programmable(5)), "load");
}

TEST(EventNames, SelectorWithoutARowIsNamedByItsNumber) {
    EXPECT_EQ(event_name(kCva6Profile, programmable(31)), "event-0x1f");
}

TEST(EventNames, EveryNameParsesBackToItsEvent) {
    EXPECT_EQ(parse_event(kCva6Profile, "cycle"), kCycle);
    EXPECT_EQ(parse_event(kCva6Profile, "instret"), kInstret);
    for (std::uint64_t selector = 0; selector < 32; ++selector) {
        EXPECT_EQ(parse_event(kCva6Profile, event_name(kCva6Profile, programmable(selector))),
                  programmable(selector));
    }
}

TEST(EventNames, SelectorsAreTakenInDecimalAndHexadecimal) {
    EXPECT_EQ(parse_event(kCva6Profile, "21"), programmable(21));
    EXPECT_EQ(parse_event(kCva6Profile, "0x15"), programmable(21));
}

TEST(EventNames, AnythingElseIsRefused) {
    for (const char* text : {"", "floating", "0x", "21x", "-1", "99999999999999999999999"}) {
        EXPECT_EQ(parse_event(kCva6Profile, text), std::nullopt) << text;
    }
}

TEST(EventNames, SeveralEventsOfOneSelectorAreJoined) {
    const auto name = [](std::uint64_t selector) {
        return event_name(kU74Profile, programmable(selector));
    };
    EXPECT_EQ(name(0x4000), "conditional-branch");
    EXPECT_EQ(name(0x4200), "integer-load+conditional-branch");
    EXPECT_EQ(name(0x6001), "direction-mispredict+target-mispredict");
    EXPECT_EQ(name(0x2402), "dcache-writeback+utlb-miss");
    EXPECT_EQ(name(0x8'0001), "event-0x80001"); // class 1 has no bit 19
    EXPECT_EQ(name(0x8'0101), "event-0x80101"); // not all of it is known
    for (const std::uint64_t selector : {0x4000, 0x4200, 0x6001, 0x80101}) {
        EXPECT_EQ(parse_event(kU74Profile, name(selector)), programmable(selector));
    }
    EXPECT_EQ(event_title(kU74Profile, programmable(0x18000)), "JAL or JALR");
    for (const char* text : {"jal+", "+jal", "jal+icache-busy", "jal+nothing", "load"}) {
        EXPECT_EQ(parse_event(kU74Profile, text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_event(kCva6Profile, "load+store"), std::nullopt); // a selector is one number
}

} // namespace
} // namespace pes
