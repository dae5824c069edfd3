// SPDX-License-Identifier: Apache-2.0
// The CVA6 event table and the page that shows it to readers.
#include "hw/common/event.h"
#include "hw/hpm/counter_config.h"
#include "hw/interface/pmu/counter_csr.h"
#include "hw/interface/pmu/profile_cva6.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace pes {
namespace {

TEST(Cva6Profile, HasNoneThe22EventsOfTheCoreAndTwoForSampling) {
    EXPECT_EQ(kCva6Profile.event_count, 25U);
    EXPECT_EQ(kCva6Profile.selector_mask, 0x1FU);
    EXPECT_EQ(kCva6Profile.programmable, 6U);
    EXPECT_EQ(kCva6Profile.width, 64U);
}

TEST(Cva6Profile, SelectorsFollowTheUserManual) {
    const std::map<std::string, std::uint64_t> manual = {
        {"l1i-miss", 1},
        {"l1d-miss", 2},
        {"itlb-miss", 3},
        {"dtlb-miss", 4},
        {"load", 5},
        {"store", 6},
        {"exception", 7},
        {"exception-return", 8},
        {"branch", 9},
        {"branch-mispredict", 10},
        {"branch-exception", 11},
        {"call", 12},
        {"return", 13},
        {"scoreboard-full", 14},
        {"fetch-empty", 15},
        {"l1i-access", 16},
        {"l1d-access", 17},
        {"l1d-eviction", 18},
        {"tlb-flush", 19},
        {"integer", 20},
        {"floating-point", 21},
        {"pipeline-stall", 22},
    };
    for (const auto& [name, selector] : manual) {
        const EventRow* row = find_event(kCva6Profile, name.c_str());
        ASSERT_NE(row, nullptr) << name;
        EXPECT_EQ(row->selector, selector) << name;
        EXPECT_EQ(static_cast<std::uint64_t>(row->source), selector) << name;
        EXPECT_EQ(find_selector(kCva6Profile, selector), row) << name;
    }
}

TEST(Cva6Profile, LookupsOfUnknownNamesAndSelectorsFindNothing) {
    EXPECT_EQ(find_event(kCva6Profile, "load-miss"), nullptr);
    EXPECT_EQ(find_event(kCva6Profile, "loa"), nullptr);
    EXPECT_EQ(find_event(kCva6Profile, "loads"), nullptr);
    EXPECT_EQ(find_selector(kCva6Profile, 25), nullptr);
}

TEST(Cva6Profile, CyclesAndInstructionsAreExtensionsThatComeWithSscofpmf) {
    for (const EventRow& row : kCva6Profile) {
        const bool extension = row.selector >= 23;
        EXPECT_EQ(row.origin, extension ? EventOrigin::Sampling : EventOrigin::Core) << row.name;
        EXPECT_EQ(find_event_of({}, row.selector), &row);
        EXPECT_EQ(find_event_of({.sscofpmf = false}, row.selector), extension ? nullptr : &row);
    }
    EXPECT_EQ(find_selector(kCva6Profile, 23)->source, Event::Cycles);
    EXPECT_EQ(find_selector(kCva6Profile, 24)->source, Event::Instructions);
}

TEST(Cva6Profile, NamesAreIdentifiersAndMeaningsAreSentences) {
    for (const EventRow& row : kCva6Profile) {
        const std::string name = row.name, meaning = row.meaning();
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
                  std::string::npos)
            << name;
        EXPECT_EQ(meaning.back(), '.') << name;
        EXPECT_EQ(meaning.find('|'), std::string::npos) << name; // would break the table
    }
}

TEST(CounterCsr, NumbersAndIndicesAreInverse) {
    for (unsigned index = 0; index < kCounterLimit; ++index) {
        if (index == 1) {
            continue; // no such counter
        }
        const auto counter = decode_counter_csr(counter_csr(index));
        EXPECT_EQ(counter.kind, CounterRegister::Counter);
        EXPECT_EQ(counter.index, index);
        const auto threshold = decode_counter_csr(threshold_csr(index));
        EXPECT_EQ(threshold.kind, CounterRegister::Threshold);
        EXPECT_EQ(threshold.index, index);
        if (index >= kFirstProgrammable) {
            const auto event = decode_counter_csr(event_csr(index));
            EXPECT_EQ(event.kind, CounterRegister::Event);
            EXPECT_EQ(event.index, index);
        }
    }
    EXPECT_EQ(threshold_csr(kCycleIndex), 0xB21U);
    EXPECT_EQ(threshold_csr(kInstretIndex), 0xB22U);
    EXPECT_EQ(threshold_csr(3), 0xB23U);
}

TEST(CounterCsr, NeighboursAreNotCounters) {
    for (const unsigned csr :
         {0xB01U, 0xB20U, 0xB20U + 0x20U, 0xDA1U, 0xBBFU, 0xBC7U, 0x306U, 0xC00U, 0xC03U}) {
        EXPECT_EQ(decode_counter_csr(static_cast<std::uint16_t>(csr)).kind, CounterRegister::None)
            << std::hex << csr;
    }
}

} // namespace
} // namespace pes
