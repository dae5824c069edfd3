// SPDX-License-Identifier: Apache-2.0
#include "examples/device/test_timer.h"

#include "examples/device/map.h"
#include "tests/unit/common/level_recorder.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;

struct Bench {
    explicit Bench(const TestTimerConfig& config = {}) : timer(config) { timer.connect(line); }

    AccessStatus write(Address offset, unsigned size, std::uint64_t value, Cycle at) {
        return timer.registers().write(offset, size, value, at);
    }
    std::uint64_t read(Address offset, unsigned size, Cycle at) {
        std::uint64_t value = 0;
        EXPECT_EQ(timer.registers().read(offset, size, value, at), AccessStatus::Ok);
        return value;
    }

    TestTimer timer;
    test::LevelRecorder line;
};

TEST(TestTimer, CountsTicksOfItsLength) {
    Bench bench({.cycles_per_tick = 10});
    EXPECT_EQ(bench.read(TEST_TIMER_COUNT, 8, 99), 9U);
    EXPECT_EQ(bench.read(TEST_TIMER_COUNT, 8, 100), 10U);
}

TEST(TestTimer, LineRisesInTheCycleInWhichCountReachesCompare) {
    Bench bench({.cycles_per_tick = 10});
    EXPECT_EQ(bench.write(TEST_TIMER_COMPARE, 8, 20, 5), AccessStatus::Ok);
    EXPECT_EQ(bench.timer.next_change(), kNever) << "the interrupt is not enabled";
    EXPECT_EQ(bench.write(TEST_TIMER_CONTROL, 4, 1, 6), AccessStatus::Ok);
    EXPECT_EQ(bench.timer.next_change(), 200U);
    bench.timer.advance(1000);
    EXPECT_EQ(bench.line.changes, (Changes{{0, true, 200}}));
    EXPECT_EQ(bench.timer.next_change(), kNever);
}

TEST(TestTimer, AWriteTakesEffectInTheNextCycle) {
    Bench bench;
    EXPECT_EQ(bench.write(TEST_TIMER_COMPARE, 8, 0, 50), AccessStatus::Ok);
    EXPECT_EQ(bench.write(TEST_TIMER_CONTROL, 4, 1, 60), AccessStatus::Ok);
    EXPECT_EQ(bench.write(TEST_TIMER_COMPARE, 8, 1000, 70), AccessStatus::Ok);
    EXPECT_EQ(bench.line.changes, (Changes{{0, true, 61}, {0, false, 71}}));
}

TEST(TestTimer, HalvesOf64BitRegistersAreAccessible) {
    Bench bench;
    EXPECT_EQ(bench.write(TEST_TIMER_COMPARE + 4, 4, 1, 5), AccessStatus::Ok);
    EXPECT_EQ(bench.read(TEST_TIMER_COMPARE, 8, 6), 0x1'FFFF'FFFFU);
    EXPECT_EQ(bench.read(TEST_TIMER_COUNT + 4, 4, 6), 0U);
}

TEST(TestTimer, RefusesWhatTheRegistersDoNotTake) {
    Bench bench;
    EXPECT_EQ(bench.write(TEST_TIMER_COUNT, 8, 0, 1), AccessStatus::RightsError);
    EXPECT_EQ(bench.write(TEST_TIMER_CONTROL, 1, 0, 1), AccessStatus::SizeError);
    EXPECT_EQ(bench.write(TEST_TIMER_CONTROL + 4, 4, 0, 1), AccessStatus::AddressError);
}

} // namespace
} // namespace pes
