// SPDX-License-Identifier: Apache-2.0
// Sets of pulse sources, in one word and in several.
#include "hw/interface/pmu/pulse_sources.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace pes {
namespace {

template <typename Set>
class SourceSetTest : public testing::Test {};
using Sets = testing::Types<SourceSet<20>, SourceSet<64>, SourceSet<65>, SourceSet<200>>;
TYPED_TEST_SUITE(SourceSetTest, Sets);

template <std::size_t Count>
std::vector<unsigned> members(const SourceSet<Count>& set) {
    std::vector<unsigned> list;
    set.for_each([&list](Event source) { list.push_back(static_cast<unsigned>(source)); });
    return list;
}

template <std::size_t Count>
constexpr std::size_t last_of(const SourceSet<Count>&) {
    return Count - 1;
}

TYPED_TEST(SourceSetTest, HoldsTheFirstAndTheLastSource) {
    TypeParam set;
    const auto last = static_cast<Event>(last_of(set));
    EXPECT_FALSE(set.any());
    EXPECT_EQ(set.first(), Event::None);
    set |= TypeParam(Event::L1IMiss) | TypeParam(last);
    EXPECT_TRUE(set.has(Event::L1IMiss));
    EXPECT_TRUE(set.has(last));
    EXPECT_FALSE(set.has(Event::L1DMiss));
    EXPECT_EQ(set.count(), 2U);
    EXPECT_EQ(members(set), (std::vector<unsigned>{1, static_cast<unsigned>(last)}));
    set.remove(Event::L1IMiss);
    EXPECT_EQ(set.first(), last);
    EXPECT_EQ(set, TypeParam(last));
}

TYPED_TEST(SourceSetTest, IntersectsAndSubtracts) {
    TypeParam odd;
    TypeParam small;
    for (std::size_t source = 0; source <= last_of(odd); ++source) {
        const TypeParam one(static_cast<Event>(source));
        odd |= source % 2 == 1 ? one : TypeParam();
        small |= source < 10 ? one : TypeParam();
    }
    EXPECT_EQ(members(odd & small), (std::vector<unsigned>{1, 3, 5, 7, 9}));
    EXPECT_EQ(members(small - odd), (std::vector<unsigned>{0, 2, 4, 6, 8}));
    EXPECT_EQ((odd - small) | (odd & small), odd);
}

TYPED_TEST(SourceSetTest, AsksUntilOneIsNot) {
    const TypeParam set =
        TypeParam(Event::L1IMiss) | TypeParam(Event::Load) | TypeParam(Event::Store);
    unsigned asked = 0;
    EXPECT_FALSE(set.all_of([&asked](Event source) {
        ++asked;
        return source != Event::Load;
    }));
    EXPECT_EQ(asked, 2U);
}

TEST(PulseSources, HaveNamesOfTheirOwnAndSentences) {
    std::set<std::string> names;
    for (std::size_t index = 0; index < kSourceCount; ++index) {
        const auto event = static_cast<Event>(index);
        const std::string name = to_string(event);
        const std::string meaning = source_row(event).meaning;
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(meaning.back(), '.') << name;
        EXPECT_EQ((meaning + how_pulsed(event)).find('|'), std::string::npos)
            << name; // would break the tables of docs/
    }
}

TEST(PulseSources, FirstAreTheEventsOfCva6) {
    EXPECT_EQ(kBaseEventCount, 23U);
    EXPECT_EQ(static_cast<unsigned>(Event::PipelineStall), 22U);
    EXPECT_EQ(static_cast<unsigned>(Event::Load), 5U);
    EXPECT_EQ(kBaseEvents.count(), 22U);
    EXPECT_EQ(kAllEvents.count() + 1, kEventCount);
    EXPECT_EQ((kAllEvents & (event_bit(Event::Instructions) | event_bit(Event::Cycles))).count(),
              0U);
}

} // namespace
} // namespace pes
