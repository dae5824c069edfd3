// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/tables/cache.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr Address kWay = 4096; ///< bytes of the instruction cache

unsigned misses_over(Cache& cache, Address base, unsigned bytes, unsigned step) {
    unsigned misses = 0;
    for (Address address = base; address < base + bytes; address += step) {
        misses += cache.access(address) != Lookup::Hit ? 1 : 0;
    }
    return misses;
}

TEST(Cache, ThreePassesOver64KbMissAsThePublishedReplacementRule) {
    Cache cache(TimingConfig{}.l1d);
    EXPECT_EQ(misses_over(cache, 0x8000'0000, 0x1'0000, 16), 4096u);
    EXPECT_EQ(misses_over(cache, 0x8000'0000, 0x1'0000, 16), 3187u);
    EXPECT_EQ(misses_over(cache, 0x8000'0000, 0x1'0000, 16), 3299u);
}

TEST(Cache, HoldsExactlyItsSizeWithoutEviction) {
    const CacheGeometry geometry = TimingConfig{}.l1i;
    Cache cache(geometry);
    EXPECT_EQ(misses_over(cache, 0x8000'0000, geometry.bytes, 16), 1024u);
    EXPECT_EQ(misses_over(cache, 0x8000'0000, geometry.bytes, 4), 0u);
}

TEST(Cache, FillsInvalidWaysFirstAndThenReportsAFullSet) {
    const CacheGeometry geometry = TimingConfig{}.l1i; // 4 ways, 4 KB a way
    Cache cache(geometry);
    for (Address way = 0; way < 4; ++way) {
        EXPECT_EQ(cache.access(way * kWay), Lookup::MissIntoFreeWay);
    }
    EXPECT_EQ(cache.access(4 * kWay), Lookup::MissIntoFullSet);
    // Reset value 0xFF has low bits 3: the last way went.
    EXPECT_FALSE(cache.contains(3 * kWay));
    EXPECT_TRUE(cache.contains(0));
    EXPECT_TRUE(cache.contains(4 * kWay));
}

TEST(Cache, ReplacementStepsOnFillsIntoFullSetsOnly) {
    Cache cache(TimingConfig{}.l1i);
    for (Address way = 0; way < 5; ++way) {
        cache.access(way * kWay); // the fifth uses 0xFF and steps to 0x7F ^ 0xFA = 0x85
    }
    for (Address line = 0; line < 100; ++line) {
        cache.access(0x10 + line % 4 * kWay); // another set: four free ways, then hits
    }
    EXPECT_EQ(cache.access(5 * kWay), Lookup::MissIntoFullSet);
    EXPECT_FALSE(cache.contains(1 * kWay)); // 0x85 has low bits 1
}

TEST(Cache, AddressesOfOneLineHitTogether) {
    Cache cache(TimingConfig{}.l1d);
    EXPECT_NE(cache.access(0x8000'0008), Lookup::Hit);
    EXPECT_EQ(cache.access(0x8000'0000), Lookup::Hit);
    EXPECT_EQ(cache.access(0x8000'000F), Lookup::Hit);
    EXPECT_NE(cache.access(0x8000'0010), Lookup::Hit);
}

TEST(Cache, InvalidateAllForgetsEveryLineButNotTheReplacementState) {
    Cache cache(TimingConfig{}.l1i);
    for (Address way = 0; way < 5; ++way) {
        cache.access(way * kWay);
    }
    cache.invalidate_all();
    EXPECT_EQ(cache.access(4 * kWay), Lookup::MissIntoFreeWay); // also through the last-line filter
    for (Address way = 0; way < 3; ++way) {
        EXPECT_EQ(cache.access(way * kWay), Lookup::MissIntoFreeWay);
    }
    EXPECT_EQ(cache.access(7 * kWay), Lookup::MissIntoFullSet);
    EXPECT_FALSE(cache.contains(0)); // way 1 again (0x85), which holds line 0 now
}

TEST(Cache, AFullCacheThatWasInvalidatedFillsFreeWaysAgain) {
    const CacheGeometry geometry = TimingConfig{}.l1i;
    Cache cache(geometry);
    const auto fill = [&](Address base) {
        unsigned into_free_ways = 0;
        for (Address address = base; address < base + geometry.bytes; address += 16) {
            into_free_ways += cache.access(address) == Lookup::MissIntoFreeWay ? 1 : 0;
        }
        return into_free_ways;
    };
    EXPECT_EQ(fill(0x8000'0000), 1024u);
    cache.invalidate_all();
    EXPECT_EQ(fill(0x8010'0000), 1024u);
    EXPECT_EQ(cache.access(0x8020'0000), Lookup::MissIntoFullSet);
}

} // namespace
} // namespace pes
