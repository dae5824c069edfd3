// SPDX-License-Identifier: Apache-2.0
// The end of a turn among several harts: behind the first end of a block that decodes in the turn's
// last cycle or later, at the horizon at the latest, on both paths alike (Hart::set_horizon()).
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

namespace pes::test {
namespace {

constexpr Cycle kFar = 1'000; ///< from the end of a turn to the horizon

/// Where a turn has stopped.
using Stop = std::tuple<Cycle, Address, std::uint64_t>;

Stop stop_of(BareMachine& machine) {
    return {machine.hart().now(), machine.hart().state().pc, machine.hart().instret()};
}

/// Three additions and a jump back to them.
void begin_loop(BareMachine& machine) {
    machine.place(kCode, {addi(a0, a0, 1), addi(a0, a0, 1), addi(a0, a0, 1), j(-12)});
    machine.hart().set_pc(kCode);
}

TEST(HartTurn, EndsBehindTheJumpThatDecodesInItsLastCycleOrLater) {
    BareMachine machine;
    begin_loop(machine);
    for (Cycle end = 100; end < 140; ++end) {
        machine.hart().set_horizon(end, end + kFar);
        ASSERT_EQ(machine.hart().run(), HartStop::Horizon);
        EXPECT_EQ(machine.hart().state().pc, kCode);
        EXPECT_TRUE(machine.hart().has_ended(end));
        EXPECT_GT(machine.hart().now(), end);
    }
}

TEST(HartTurn, GoesOnInsideABlockUpToTheHorizon) {
    for (Cycle horizon = 101; horizon < 140; ++horizon) {
        BareMachine machine;
        machine.place(kCode, std::vector<Word>(200, addi(a0, a0, 1)));
        machine.hart().set_pc(kCode);
        machine.hart().set_horizon(100, horizon);
        ASSERT_EQ(machine.hart().run(), HartStop::Horizon);
        EXPECT_GE(machine.hart().now(), horizon);
        EXPECT_LT(machine.hart().now(), horizon + 5) << "a line of code comes in between at most";
        EXPECT_FALSE(machine.hart().has_ended(100));
    }
}

TEST(HartTurn, EndsBehindATrap) {
    BareMachine machine;
    machine.stop_at_traps();
    std::vector<Word> words(120, addi(a0, a0, 1));
    words.push_back(kEcall);
    machine.place(kCode, words);
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(100, 100 + kFar);
    ASSERT_EQ(machine.hart().run(), HartStop::Horizon);
    EXPECT_EQ(machine.hart().state().pc, BareMachine::kHandler);
    EXPECT_EQ(machine.hart().traps(), 1U);
}

TEST(HartTurn, EndsInItsLastCycleForAHartThatSleeps) {
    BareMachine machine;
    machine.place(kCode, {kWfi, kNop});
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(500, 500 + kFar);
    ASSERT_EQ(machine.hart().run(), HartStop::WaitForInterrupt);
    EXPECT_EQ(machine.hart().now(), 500U);
    EXPECT_TRUE(machine.hart().has_ended(500));
}

/// Nothing is stepped up to the end of a turn: a turn begins with one instruction in decode.
TEST(HartTurn, IsTakenInBlocks) {
    BareMachine machine(counting_everything(ExecutionPath::Fast));
    begin_loop(machine);
    machine.stop_observing();
    unsigned turns = 0;
    for (Cycle end = 5'000; end < kLifetime; end += 200) {
        machine.hart().set_horizon(end, end + 200);
        machine.hart().run();
        ++turns;
    }
    const PathStatistics& path = machine.hart().path_statistics();
    EXPECT_LT(machine.hart().instret() - path.in_blocks, 2 * turns + 5'000);
}

/// Where the turns of a life stop. Their lengths, and how far behind them the horizon is, are
/// random: with `seed` as in any other life.
std::vector<Stop> stops_of(ExecutionPath path, std::uint64_t jit_after,
                           const std::vector<Word>& words, unsigned seed, BareMachine* neighbour) {
    HartConfig config = counting_everything(path);
    config.jit_after = jit_after;
    const auto machine = neighbour == nullptr ? std::make_unique<BareMachine>(config)
                                              : std::make_unique<BareMachine>(*neighbour, config);
    machine->set(sp, BareMachine::kData);
    machine->place(kCode, words);
    machine->stop_observing();
    machine->hart().set_pc(kCode);
    std::mt19937 random(seed);
    std::vector<Stop> stops;
    for (Cycle end = 1; machine->hart().now() < kLifetime;) {
        machine->hart().set_horizon(end, end + random() % (random() % 2 == 0 ? 8 : 300));
        machine->hart().run();
        stops.push_back(stop_of(*machine));
        end = machine->hart().now() + 1 + random() % (random() % 2 == 0 ? 8 : 700);
    }
    return stops;
}

class HartTurnSeeds : public testing::TestWithParam<unsigned> {};

TEST_P(HartTurnSeeds, EndsAtTheSamePlacesOnBothPaths) {
    for (unsigned seed = GetParam(); seed < GetParam() + 25; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const std::vector<Word> words = random_loop(random, random_plain_instruction);
        const std::vector<Stop> stepped =
            stops_of(ExecutionPath::Step, kNever, words, seed, nullptr);
        for (const std::uint64_t jit_after : {kNever, std::uint64_t{1}}) {
            EXPECT_EQ(stops_of(ExecutionPath::Fast, jit_after, words, seed, nullptr), stepped);
            BareMachine neighbour(counting_everything(ExecutionPath::Step));
            EXPECT_EQ(stops_of(ExecutionPath::Fast, jit_after, words, seed, &neighbour), stepped);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Each, HartTurnSeeds, testing::Values(0U, 100U, 200U, 300U));

} // namespace
} // namespace pes::test
