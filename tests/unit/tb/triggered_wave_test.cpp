// SPDX-License-Identifier: Apache-2.0
#include "tb/triggered_wave.h"

#include "tb/vcd_reader.h"
#include "tests/unit/common/temporary_directory.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kClock = 50'000'000;
constexpr std::uint64_t kPeriod = 20'000; // ps
constexpr Cycle kSlack = 8;

class TriggeredWaveTest : public testing::Test {
  protected:
    void declare(TriggeredWave& wave) {
        line_ = wave.declare("g", "top", "line", 1, 0);
        word_ = wave.declare("g", "top", "word", 8, 7);
    }
    void pulse(TriggeredWave& wave, Cycle at) {
        wave.change(line_, at, 1);
        wave.change(line_, at + 1, 0);
    }
    VcdFile written(const TriggeredWave& wave, Cycle end) {
        OutputFile file(directory_ / "wave.vcd");
        wave.write(file, kClock, end);
        file.commit();
        return VcdFile::read(directory_ / "wave.vcd", kPeriod);
    }

    SignalId line_{}, word_{};
    TemporaryDirectory directory_;
};

TEST_F(TriggeredWaveTest, KeepsTheWindowAroundTheChosenRise) {
    TriggeredWave wave({.signal = "top.line", .occurrence = 2, .before = 10, .after = 20}, kSlack);
    declare(wave);
    pulse(wave, 100);
    EXPECT_FALSE(wave.window());
    for (Cycle at = 101; at < 300; ++at) {
        wave.change(word_, at, at & 0xFF);
    }
    pulse(wave, 300);
    wave.change(word_, 319, 1);
    wave.change(word_, 320, 2); // behind the window
    ASSERT_TRUE(wave.window());
    EXPECT_EQ(wave.window()->trigger, 300U);
    EXPECT_EQ(wave.window_to(), 320U);

    const VcdFile vcd = written(wave, 1000);
    EXPECT_EQ(vcd.from(), 290U);
    EXPECT_EQ(vcd.to(), 320U);
    EXPECT_EQ(vcd.signal("top.word").at(290), 290U & 0xFF);
    EXPECT_EQ(vcd.signal("top.word").at(299), 299U & 0xFF);
    EXPECT_EQ(vcd.signal("top.word").at(319), 1U);
    EXPECT_EQ(vcd.signal("top.line").edge(0, 0, Edge::Rise), 300U);
}

TEST_F(TriggeredWaveTest, ShowsAnOldValueThatNothingChanged) {
    TriggeredWave wave({.signal = "top.line", .before = 5, .after = 5}, kSlack);
    declare(wave);
    wave.change(word_, 3, 9);
    for (Cycle at = 10; at < 1000; ++at) {
        wave.change(line_, at, 0); // makes what is older be forgotten
    }
    pulse(wave, 1000);
    EXPECT_EQ(written(wave, 2000).signal("top.word").at(995), 9U);
}

TEST_F(TriggeredWaveTest, WindowAtTheStartIsCutOff) {
    TriggeredWave wave({.signal = "top.line", .before = 10, .after = 5}, kSlack);
    declare(wave);
    pulse(wave, 3);
    ASSERT_TRUE(wave.window());
    EXPECT_EQ(wave.window()->from, 0U);
    EXPECT_EQ(written(wave, 2000).signal("top.word").at(0), 7U);
}

} // namespace
} // namespace pes::test
