// SPDX-License-Identifier: Apache-2.0
// What the sinks of a bank's interrupt lines are told (hw/common/counter_bank.h).
#include "hw/hpm/tlm_bank.h"
#include "tests/unit/common/level_recorder.h"
#include "tests/unit/hpm/bank_bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::test {
namespace {

class BankLineSinks : public testing::Test {
  protected:
    BankLineSinks() { bank.connect(BankLine::Threshold, threshold); }

    TlmCounterBank bank;
    BankBench bench{bank};
    LevelRecorder threshold;
    LevelRecorder overflow;
};

TEST_F(BankLineSinks, AnEdgeIsToldOnceToEachSinkWithItsFirstCycle) {
    constexpr auto kLine = static_cast<unsigned>(BankLine::Threshold);
    LevelRecorder second;
    bank.connect(BankLine::Threshold, second);
    bench.write(kEvent3, kSelectLoad);
    bench.write(threshold_csr(3), 2);
    bench.cycle({Event::Load});
    EXPECT_TRUE(threshold.changes.empty());
    bench.cycle({Event::Load});
    const Cycle rise = bench.now() + 1;
    bench.cycle();
    bench.cycle({Event::Load});
    bench.write(kCounter3, 0);
    const Cycle fall = bank.interrupt(BankLine::Threshold).since;
    bench.cycle();
    EXPECT_EQ(threshold.changes,
              (std::vector<LevelChange>{{kLine, true, rise}, {kLine, false, fall}}));
    EXPECT_EQ(second.changes, threshold.changes);
}

TEST_F(BankLineSinks, EachCycleWithAnOverflowRequestIsTold) {
    constexpr auto kLine = static_cast<unsigned>(BankLine::Overflow);
    bank.connect(BankLine::Overflow, overflow);
    bench.write(kEvent3, kSelectLoad);
    bench.write(kEvent4, kSelectStore);
    bench.write(kCounter3, kAllOnes);
    bench.write(kCounter4, kAllOnes);
    bench.cycle({Event::Load});
    const Cycle first = bench.now() + 1;
    bench.cycle({Event::Store}); // the request stays high for a second cycle
    bench.cycle();
    EXPECT_EQ(overflow.changes,
              (std::vector<LevelChange>{{kLine, true, first}, {kLine, true, first + 1}}));
    EXPECT_TRUE(threshold.changes.empty()) << "each line has its own sink";
}

} // namespace
} // namespace pes::test
