// SPDX-License-Identifier: Apache-2.0
// A threshold T from 0 and a preset of -T take the same samples of the same program, whoever counts
// and on both paths of the hart; so do Sspesa and Ssplcofi.
#include "hw/hpm/lockstep_bank.h"
#include "tests/unit/core/sampled_program.h"
#include "tests/unit/core/sampling_ways.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

std::unique_ptr<CounterBank> make_bank(CounterModel kind, unsigned& differences) {
    const RtlFactory make = test_models().front().make; // CVA6's shape with both extensions
    switch (kind) {
    case CounterModel::Rtl:
        return std::make_unique<RtlCounterBank>(CounterConfig{}, make());
    case CounterModel::Lockstep:
        return std::make_unique<LockstepBank>(
            CounterConfig{}, make,
            LockstepBank::Hooks{.on_difference = [&differences](const std::string& report) {
                ++differences;
                ADD_FAILURE() << report;
            }});
    case CounterModel::Tlm:
        break;
    }
    return std::make_unique<TlmCounterBank>();
}

TEST(SamplingWays, TakeTheSameSamplesInModelRtlAndLockstepOnBothPaths) {
    constexpr std::uint64_t kLoads = 2000;
    constexpr std::uint64_t kPeriod = 61;
    std::vector<Address> expected;
    unsigned differences = 0;
    for (const CounterModel kind : {CounterModel::Tlm, CounterModel::Rtl, CounterModel::Lockstep}) {
        for (const ExecutionPath path : {ExecutionPath::Step, ExecutionPath::Fast}) {
            for (const SamplingWay way : {SamplingWay::Threshold, SamplingWay::Overflow}) {
                const std::vector<Address> samples =
                    take_samples({.loads = kLoads, .period = kPeriod, .way = way, .path = path},
                                 make_bank(kind, differences));
                EXPECT_EQ(samples.size(), kLoads / kPeriod);
                if (expected.empty()) {
                    expected = samples;
                }
                EXPECT_EQ(samples, expected);
            }
        }
    }
    EXPECT_EQ(differences, 0U);
}

TEST(SamplingWays, SspesaAndSsplcofiCaptureTheSameInModelRtlAndLockstep) {
    std::mt19937 random(6);
    std::size_t samples = 0;
    unsigned differences = 0;
    for (unsigned round = 0; round < 24; ++round) {
        const Plan plan{.extensions = round % 2 == 0 ? kSspesa : kSsplcofi,
                        .selector = 1 + random() % kInstructions,
                        .period = 5 + random() % 300,
                        .way = round % 3 == 2 ? Way::Threshold : Way::Overflow};
        const std::vector<Word> program = random_sampled_program(random);
        std::vector<std::vector<Sample>> found;
        std::vector<Life> lives;
        for (const CounterModel kind :
             {CounterModel::Tlm, CounterModel::Rtl, CounterModel::Lockstep}) {
            Sampled machine(plan, make_bank(kind, differences));
            prepare(machine);
            machine.stop_observing();
            machine.run_in_user_mode(program);
            found.push_back(machine.samples());
            lives.push_back(life_of(machine));
        }
        for (std::size_t other = 1; other < found.size(); ++other) {
            EXPECT_EQ(found[0], found[other]) << "round " << round;
            expect_equal(lives[0], lives[other]);
        }
        samples += found[0].size();
    }
    EXPECT_GT(samples, 500U);
    EXPECT_EQ(differences, 0U);
}

} // namespace
} // namespace pes::test
