// SPDX-License-Identifier: Apache-2.0
// A threshold T from 0 and a preset of -T take the same samples of the same program, whoever counts
// and on both paths of the hart.
#include "hw/hpm/lockstep_bank.h"
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

} // namespace
} // namespace pes::test
