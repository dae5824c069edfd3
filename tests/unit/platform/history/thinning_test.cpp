// SPDX-License-Identifier: Apache-2.0
// Which snapshots are left when a long run has made many.
#include "platform/history/thinning.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::history::test {
namespace {

constexpr std::size_t kMost = 24;
constexpr std::uint64_t kSpacing = 1'000'000;

std::vector<Candidate> after(std::uint64_t times) {
    std::vector<Candidate> kept;
    for (std::uint64_t time = 0; time < times; ++time) {
        const std::uint64_t now = time * kSpacing;
        if (kept.size() == kMost) {
            kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(least_useful(kept, now)));
        }
        kept.push_back({.total = now});
    }
    return kept;
}

TEST(Thinning, TheBeginningAndTheLastOneStay) {
    for (const std::uint64_t times : {3U, 24U, 25U, 26U, 1'000U}) {
        const std::vector<Candidate> kept = after(times);
        EXPECT_EQ(kept.front().total, 0U);
        EXPECT_EQ(kept.back().total, (times - 1) * kSpacing);
    }
}

/// The way to any place begins near it, compared with how far back it is.
TEST(Thinning, TheOlderTheSparser) {
    for (const std::uint64_t times : {100U, 1'000U, 10'000U, 100'000U}) {
        const std::vector<Candidate> kept = after(times);
        const std::uint64_t now = kept.back().total;
        for (std::size_t index = 1; index < kept.size(); ++index) {
            const std::uint64_t gap = kept[index].total - kept[index - 1].total;
            const std::uint64_t age = now - kept[index].total;
            EXPECT_LE(gap, 2 * age + 3 * kSpacing) << times << " at " << index;
        }
    }
}

TEST(Thinning, WhatTheClientHasWrittenStaysUntilNothingElseIsLeft) {
    std::vector<Candidate> kept{{.total = 0},
                                {.total = 10, .needed = true},
                                {.total = 20},
                                {.total = 30, .needed = true},
                                {.total = 40}};
    EXPECT_EQ(least_useful(kept, 50), 2U);
    kept.erase(kept.begin() + 2);
    EXPECT_EQ(least_useful(kept, 50), 0U); // history begins later
    EXPECT_EQ(least_useful(std::vector<Candidate>{{.total = 7}}, 7), 0U);
}

/// Behind a way back, snapshots of the future are as useful as those of the past.
TEST(Thinning, TheFutureCountsAsThePast) {
    const std::vector<Candidate> kept{{.total = 0},    {.total = 90},  {.total = 100},
                                      {.total = 110},  {.total = 500}, {.total = 510},
                                      {.total = 1'000}};
    EXPECT_EQ(least_useful(kept, 100), 4U);
}

} // namespace
} // namespace pes::history::test
