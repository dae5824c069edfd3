// SPDX-License-Identifier: Apache-2.0
#include "platform/sampling/interval_recorder.h"

#include "hw/hpm/tlm_bank.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pes {
namespace {

/// A load every seven cycles and two instructions every other one, for `cycles`; what the recorder
/// has of them.
class IntervalRecorderTest : public testing::Test {
  protected:
    void run(Cycle cycles) {
        CounterBank& bank = recorder_.wrap(guest_, guest_);
        for (Cycle cycle = 1; cycle <= cycles; ++cycle) {
            const bool loads = cycle % 7 == 0;
            bank.tick({.events = loads ? event_bit(Event::Load) : EventMask(),
                       .retired = static_cast<std::uint8_t>(cycle % 2 == 0 ? 2 : 0)},
                      cycle);
        }
    }
    TlmCounterBank guest_;
    IntervalRecorder recorder_{{Event::Instructions, Event::Load}};
};

TEST_F(IntervalRecorderTest, HasTheCountsOfEachInterval) {
    run(10 * IntervalRecorder::kShortest);
    EXPECT_EQ(recorder_.interval(), IntervalRecorder::kShortest);
    ASSERT_GE(recorder_.counts()[0].size(), 9U);
    for (const std::uint64_t instructions : recorder_.counts()[0]) {
        EXPECT_EQ(instructions, IntervalRecorder::kShortest);
    }
    for (const std::uint64_t loads : recorder_.counts()[1]) {
        EXPECT_NEAR(static_cast<double>(loads), IntervalRecorder::kShortest / 7.0, 1.0);
    }
}

TEST_F(IntervalRecorderTest, JoinsPairsWhenThereAreTooMany) {
    constexpr Cycle kCycles = 3 * IntervalRecorder::kMost * IntervalRecorder::kShortest;
    run(kCycles);
    EXPECT_EQ(recorder_.interval(), 4 * IntervalRecorder::kShortest);
    const std::vector<std::uint64_t>& instructions = recorder_.counts()[0];
    EXPECT_GE(instructions.size(), IntervalRecorder::kMost / 2);
    EXPECT_LE(instructions.size(), IntervalRecorder::kMost);
    EXPECT_EQ(std::accumulate(instructions.begin(), instructions.end(), std::uint64_t{0}),
              instructions.size() * recorder_.interval());
}

} // namespace
} // namespace pes
