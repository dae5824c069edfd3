// SPDX-License-Identifier: Apache-2.0
#include "tests/differential/program.h"
#include "tests/differential/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/fmt/fmt.h>

namespace pes::differential {
namespace {

// First outputs of splitmix64 for the seed 1234567, as published with the algorithm.
TEST(Random, FollowsThePublishedSequence) {
    Random random(1234567);
    EXPECT_EQ(random.bits(), 6457827717110365317U);
    EXPECT_EQ(random.bits(), 3203168211198807973U);
    EXPECT_EQ(random.bits(), 9817491932198370423U);
    EXPECT_EQ(random.bits(), 4593380528125082431U);
    EXPECT_EQ(random.bits(), 16408922859458223821U);
}

TEST(Random, BetweenReachesBothLimitsAndNothingElse) {
    Random random(1);
    bool low = false;
    bool high = false;
    for (int n = 0; n < 1000; ++n) {
        const std::int64_t value = random.between(-3, 3);
        ASSERT_GE(value, -3);
        ASSERT_LE(value, 3);
        low |= value == -3;
        high |= value == 3;
    }
    EXPECT_TRUE(low);
    EXPECT_TRUE(high);
}

class RandomProgram : public testing::TestWithParam<MixName> {};

TEST_P(RandomProgram, IsTheSameForTheSameSeed) {
    const ProgramRequest request{.seed = 17, .blocks = 8, .mix = GetParam().mix, .dump_block = {}};
    EXPECT_EQ(random_program(request), random_program(request));
}

TEST_P(RandomProgram, DiffersBetweenSeeds) {
    ProgramRequest request{.seed = 17, .blocks = 8, .mix = GetParam().mix, .dump_block = {}};
    const std::string first = random_program(request);
    request.seed = 18;
    EXPECT_NE(random_program(request), first);
}

// Otherwise the registers shown would belong to another program.
TEST_P(RandomProgram, KeepsItsCodeWhenRegistersAreDumped) {
    ProgramRequest request{.seed = 17, .blocks = 8, .mix = GetParam().mix, .dump_block = {}};
    const auto code = [](const std::string& text) { return text.substr(text.find("\t.text\n")); };
    const std::string plain = code(random_program(request));
    request.dump_block = 3;
    EXPECT_EQ(code(random_program(request)), plain);
}

TEST_P(RandomProgram, FoldsEveryBlockIntoTheTrail) {
    const ProgramRequest request{.seed = 17, .blocks = 8, .mix = GetParam().mix, .dump_block = {}};
    const std::string text = random_program(request);
    std::size_t folds = 0;
    for (std::size_t at = 0; (at = text.find("fold_block", at)) != std::string::npos; ++at) {
        ++folds;
    }
    EXPECT_EQ(folds, request.blocks);
}

TEST_P(RandomProgram, RunsItsBlocksAgainOnlyIfAskedTo) {
    ProgramRequest request{.seed = 17, .blocks = 8, .mix = GetParam().mix};
    EXPECT_THAT(random_program(request), testing::Not(testing::HasSubstr("j block_0\n")));
    request.passes = 5;
    EXPECT_THAT(random_program(request), testing::HasSubstr("addi x1, x1, -5\n"));
    EXPECT_THAT(random_program(request), testing::HasSubstr("j block_0\n"));
}

// Units that use mepc or MPP hold interrupts off: as often as they let them in again, set-up apart.
TEST_P(RandomProgram, LetsInterruptsInOnlyIfAskedTo) {
    const auto count = [](const std::string& text, std::string_view what) {
        std::size_t found = 0;
        for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; ++at) {
            ++found;
        }
        return found;
    };
    ProgramRequest request{.seed = 17, .blocks = 48, .mix = GetParam().mix};
    EXPECT_EQ(count(random_program(request), "csrsi mstatus, 8"), 0U);
    EXPECT_EQ(count(random_program(request), "begin_interrupts"), 0U);
    request.surroundings = Surroundings::Interrupted;
    const std::string text = random_program(request);
    EXPECT_EQ(count(text, "begin_interrupts"), 1U);
    EXPECT_EQ(count(text, "csrsi mstatus, 8"), count(text, "csrci mstatus, 8") + 1);
    EXPECT_GT(count(text, "fence.i"), 0U);
}

// sp, gp and tp carry the program; only the forms below may write them.
TEST_P(RandomProgram, NeverLoadsAReservedRegister) {
    const ProgramRequest request{.seed = 17, .blocks = 48, .mix = GetParam().mix, .dump_block = {}};
    const std::string text = random_program(request);
    for (const char* reg : {"x2", "x3", "x4"}) {
        for (const char* instruction : {"li ", "ld ", "lw ", "add ", "c.li ", "c.mv ", "lla "}) {
            EXPECT_THAT(text,
                        testing::Not(testing::HasSubstr(fmt::format("\t{}{},", instruction, reg))));
        }
    }
}

TEST(Mix, NamesAreUnderstoodBothWays) {
    for (const MixName& mix : kMixNames) {
        EXPECT_EQ(mix_of(mix.name), mix.mix);
        EXPECT_EQ(name_of(mix.mix), mix.name);
    }
    EXPECT_FALSE(mix_of("everything").has_value());
}

INSTANTIATE_TEST_SUITE_P(Mixes, RandomProgram, testing::ValuesIn(kMixNames),
                         [](const auto& info) { return std::string(info.param.name); });

} // namespace
} // namespace pes::differential
