// SPDX-License-Identifier: Apache-2.0
// The U74's event table against the U74-MC manual, chapter Hardware Performance Monitor, and its
// device-tree rows against OpenSBI's example for this core.
#include "hw/common/event.h"
#include "hw/hpm/counter_config.h"
#include "hw/interface/pmu/profile_u74.h"

#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace pes {
namespace {

TEST(U74Profile, HasTheEventsOfTheManual) {
    // By class, from mask bit 8 on.
    const std::vector<std::vector<std::string>> manual = {
        {"exception-taken", "integer-load", "integer-store", "atomic", "system",
         "integer-arithmetic", "conditional-branch", "jal", "jalr", "integer-multiply",
         "integer-divide", "fp-load", "fp-store", "fp-add", "fp-multiply", "fp-fused-multiply-add",
         "fp-divide-sqrt", "fp-other"},
        {"address-interlock", "long-latency-interlock", "csr-interlock", "icache-busy",
         "dcache-busy", "direction-mispredict", "target-mispredict", "csr-flush", "other-flush",
         "multiply-interlock", "fp-interlock"},
        {"icache-miss", "dcache-miss", "dcache-writeback", "itlb-miss", "dtlb-miss", "utlb-miss"},
    };
    std::size_t events = 0;
    for (std::uint64_t event_class = 0; event_class < manual.size(); ++event_class) {
        for (std::size_t i = 0; i < manual[event_class].size(); ++i, ++events) {
            const EventRow* row = find_event(kU74Profile, manual[event_class][i].c_str());
            ASSERT_NE(row, nullptr) << manual[event_class][i];
            EXPECT_EQ(row->selector, event_class | 0x100ULL << i) << row->name;
            EXPECT_EQ(find_selector(kU74Profile, row->selector), row);
        }
    }
    EXPECT_EQ(kU74Profile.event_count, events);
}

TEST(U74Profile, ListsAsConstantZeroWhatTheHartHasNoNotionOf) {
    for (const EventRow& row : kU74Profile) {
        const std::string name = row.name;
        const bool none = name == "dcache-writeback" || name == "utlb-miss";
        EXPECT_EQ(row.source == Event::None, none) << name;
        EXPECT_EQ(row.kind() == EventClass::None, none) << name;
        EXPECT_EQ(std::string(row.meaning()).rfind("Never counts: ", 0) == 0, none) << name;
    }
}

TEST(U74Profile, GivesTheCountersOfTheCore) {
    const CounterConfig config = counters_of(kU74Profile);
    EXPECT_EQ(config.programmable, 2U);
    EXPECT_EQ(config.width, 40U);
    EXPECT_TRUE(config.sscofpmf);
    EXPECT_FALSE(config.smcntrpmf);
    EXPECT_FALSE(config.write_freezes);
    EXPECT_EQ(config.profile, &kU74Profile);
}

TEST(U74Profile, SbiEventsAreTheRowsOfOpenSbisExample) {
    const std::map<std::uint32_t, std::uint64_t> example = {
        {0x3, 0x1801},     {0x4, 0x0302},     {0x5, 0x4000},     {0x6, 0x6001},
        {0x10001, 0x0202}, {0x10002, 0x0402}, {0x10009, 0x0102}, {0x10011, 0x2002},
        {0x10019, 0x1002}, {0x10021, 0x0802},
    };
    std::map<std::uint32_t, std::uint64_t> rows;
    for (std::size_t i = 0; i < kU74Profile.sbi_event_count; ++i) {
        rows[kU74Profile.sbi_events[i].event] = kU74Profile.sbi_events[i].selector;
    }
    EXPECT_EQ(rows, example);
    std::vector<std::pair<std::uint64_t, std::uint64_t>> raw;
    for (std::size_t i = 0; i < kU74Profile.raw_event_count; ++i) {
        raw.emplace_back(kU74Profile.raw_events[i].select, kU74Profile.raw_events[i].mask);
    }
    EXPECT_EQ(raw,
              (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                  {0, 0xFFFFFFFF'FC0000FF}, {1, 0xFFFFFFFF'FFF800FF}, {2, 0xFFFFFFFF'FFFFE0FF}}));
}

TEST(U74Profile, SelectorChoosesSeveralEventsOfOneClass) {
    const CounterConfig config = counters_of(kU74Profile);
    EXPECT_EQ(sources_of(config, 0x4200), // the manual's example
              event_bit(Event::IntegerLoad) | event_bit(Event::ConditionalBranch));
    EXPECT_EQ(sources_of(config, 0x4201), // the same bits of another class
              event_bit(Event::DivideStall) | event_bit(Event::TargetMispredict));
    EXPECT_EQ(sources_of(config, 0x0302),
              event_bit(Event::L1IMiss) | event_bit(Event::DataMissOrIo));
    EXPECT_EQ(find_event_of(config, 0x4200), nullptr) << "no single event";
}

TEST(U74Profile, ReservedClassesAndMaskBitsChooseNothing) {
    const CounterConfig config = counters_of(kU74Profile);
    for (const std::uint64_t selector :
         {0x0ULL, 0x1ULL, 0x00FFFFFF'FC000000ULL, 0x00FFFFFF'FFF80001ULL, 0x00FFFFFF'FFFFC002ULL,
          0x00FFFFFF'FFFFFF03ULL, 0x00FFFFFF'FFFFFFFFULL, 0x2402ULL}) {
        EXPECT_EQ(sources_of(config, selector), EventMask()) << std::hex << selector;
    }
    EXPECT_EQ(sources_of(config, 0xFF000000'00000100ULL), event_bit(Event::Exception))
        << "OF, filters and bits that are not stored are no part of the selector";
}

TEST(U74Profile, CountsOnlyPulsesOfTheHart) {
    EXPECT_EQ(profile_sources(kU74Profile) - kAllEvents, EventMask());
    EXPECT_TRUE(profile_sources(kU74Profile).has(Event::FloatOther));
    EXPECT_FALSE(profile_sources(kU74Profile).has(Event::TakenBranch));
}

} // namespace
} // namespace pes
