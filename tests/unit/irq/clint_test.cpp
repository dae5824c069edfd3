// SPDX-License-Identifier: Apache-2.0
// Expectations: privileged specification, "Machine Timer Registers" (mtime >= mtimecmp), and the
// step of mtime every 4 cycles.
#include "hw/irq/clint.h"

#include "hw/interface/maps/clint.h"
#include "tests/unit/common/level_recorder.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace pes {
namespace {

using Changes = std::vector<test::LevelChange>;

class ClintDriver {
  public:
    explicit ClintDriver(const ClintConfig& config = {}) : clint(config) {
        clint.connect_timer(&timer);
        clint.connect_supervisor_timer(&supervisor);
        clint.connect_software(&software);
    }
    std::uint64_t read(Address offset, unsigned size, Cycle at) {
        std::uint64_t value = 0;
        EXPECT_EQ(clint.registers().read(offset, size, value, at), AccessStatus::Ok);
        return value;
    }
    void write(Address offset, unsigned size, std::uint64_t value, Cycle at) {
        EXPECT_EQ(clint.registers().write(offset, size, value, at), AccessStatus::Ok);
    }
    Changes take(test::LevelRecorder& recorder) { return std::exchange(recorder.changes, {}); }

    Clint clint;
    test::LevelRecorder timer, supervisor, software;
};

TEST(Clint, MtimeStepsEveryFourCycles) {
    ClintDriver d;
    EXPECT_EQ(d.clint.mtime(0), 0U);
    EXPECT_EQ(d.clint.mtime(3), 0U);
    EXPECT_EQ(d.clint.mtime(4), 1U);
    EXPECT_EQ(d.read(clint::kMtime, 8, 4003), 1000U);
    EXPECT_EQ(d.read(clint::kMtime, 8, 4004), 1001U);
}

TEST(Clint, TheStepOfMtimeIsConfigurable) {
    ClintDriver d({.cycles_per_tick = 50});
    EXPECT_EQ(d.clint.mtime(4999), 99U);
    EXPECT_EQ(d.clint.mtime(5000), 100U);
}

TEST(Clint, TimerLineRisesInTheCycleInWhichMtimeReachesMtimecmp) {
    ClintDriver d;
    d.write(clint::kMtimecmp, 8, 100, 10);
    EXPECT_EQ(d.clint.next_change(), 400U);
    d.clint.advance(399);
    EXPECT_EQ(d.take(d.timer), Changes{});
    d.clint.advance(1000);
    EXPECT_EQ(d.take(d.timer), (Changes{{0, true, 400}}));
    EXPECT_EQ(d.clint.next_change(), kNever) << "until mtime wraps in 2^64 ticks";
}

TEST(Clint, AMtimecmpThatIsAlreadyReachedRequestsFromTheNextCycle) {
    ClintDriver d;
    d.write(clint::kMtimecmp, 8, 5, 1000);
    EXPECT_EQ(d.take(d.timer), (Changes{{0, true, 1001}}));
    d.write(clint::kMtimecmp, 8, 1'000'000, 1010);
    EXPECT_EQ(d.take(d.timer), (Changes{{0, false, 1011}}));
}

TEST(Clint, NoTimerIsDueAfterReset) {
    ClintDriver d;
    EXPECT_EQ(d.read(clint::kMtimecmp, 8, 0), ~std::uint64_t{0});
    EXPECT_EQ(d.clint.next_change(), kNever);
}

TEST(Clint, MtimeCanBeWrittenAndMovesEveryDeadline) {
    ClintDriver d({.harts = 2});
    d.write(clint::kMtimecmp, 8, 1000, 0);
    d.write(clint::kMtimecmp + 8, 8, 2000, 1);
    d.write(clint::kMtime, 8, 1500, 101);
    EXPECT_EQ(d.take(d.timer), (Changes{{0, true, 102}}));
    EXPECT_EQ(d.clint.mtime(102), 1500U);
    EXPECT_EQ(d.clint.mtime(103), 1500U);
    EXPECT_EQ(d.clint.mtime(104), 1501U) << "steps stay on multiples of 4 cycles";
    d.clint.advance(5000);
    EXPECT_EQ(d.take(d.timer), (Changes{{1, true, 104 + 499 * 4}}));
    d.write(clint::kMtime, 8, 0, 5000);
    EXPECT_EQ(d.take(d.timer), (Changes{{0, false, 5001}, {1, false, 5001}}));
}

// "Supervisor Timer (stimecmp) Register": pending while time >= stimecmp, unsigned.

TEST(Clint, TheLineOfStimecmpIsItsComparisonWithMtime) {
    ClintDriver d({.harts = 2});
    EXPECT_EQ(d.clint.next_change(), kNever) << "nothing is due after reset";
    d.write(clint::kMtimecmp + 8, 8, 500, 9);
    d.clint.set_stimecmp(1, 100, 10);
    EXPECT_EQ(d.clint.next_change(), 400U);
    d.clint.advance(1000);
    EXPECT_EQ(d.take(d.supervisor), (Changes{{1, true, 400}}));
    EXPECT_EQ(d.take(d.timer), Changes{}) << "mtimecmp is another register";
    d.clint.set_stimecmp(1, ~std::uint64_t{0}, 1010);
    EXPECT_EQ(d.take(d.supervisor), (Changes{{1, false, 1011}}));
    d.clint.set_stimecmp(1, 0, 1020);
    d.clint.set_stimecmp(0, std::uint64_t{1} << 63, 1030);
    EXPECT_EQ(d.take(d.supervisor), (Changes{{1, true, 1021}})) << "2^63 is not negative";
    d.clint.advance(3000);
    EXPECT_EQ(d.take(d.timer), (Changes{{1, true, 2000}}));
    EXPECT_EQ(d.take(d.supervisor), Changes{});
}

TEST(Clint, AWriteOfMtimeMovesTheDeadlineOfStimecmp) {
    ClintDriver d;
    d.clint.set_stimecmp(0, 1000, 0);
    d.write(clint::kMtime, 8, 999, 101);
    d.clint.advance(200);
    EXPECT_EQ(d.take(d.supervisor), (Changes{{0, true, 104}}));
    d.write(clint::kMtime, 8, 0, 200);
    EXPECT_EQ(d.take(d.supervisor), (Changes{{0, false, 201}}));
}

TEST(Clint, AWriteToMtimeWinsOverAStepInTheSameCycle) {
    ClintDriver d;
    d.write(clint::kMtime, 8, 70, 7); // holds from cycle 8, in which mtime would have stepped
    EXPECT_EQ(d.clint.mtime(8), 70U);
    EXPECT_EQ(d.clint.mtime(11), 70U);
    EXPECT_EQ(d.clint.mtime(12), 71U);
}

TEST(Clint, TheLineFallsWhenMtimeWraps) {
    ClintDriver d;
    d.write(clint::kMtimecmp, 8, ~std::uint64_t{0} - 1, 0);
    d.write(clint::kMtime, 8, ~std::uint64_t{0} - 2, 3);
    d.clint.advance(100); // steps at 8 (reaches mtimecmp), 12 and 16 (wraps to 0)
    EXPECT_EQ(d.take(d.timer), (Changes{{0, true, 8}, {0, false, 16}}));
}

TEST(Clint, WideRegistersTakeBothHalves) {
    ClintDriver d;
    d.write(clint::kMtimecmp + 4, 4, 0x1, 0);
    EXPECT_EQ(d.read(clint::kMtimecmp, 8, 1), 0x1'FFFF'FFFFU);
    d.write(clint::kMtimecmp, 4, 0x20, 2);
    EXPECT_EQ(d.read(clint::kMtimecmp, 8, 3), 0x1'0000'0020U);
    d.write(clint::kMtime + 4, 4, 7, 39);
    EXPECT_EQ(d.read(clint::kMtime + 4, 4, 40), 7U);
    EXPECT_EQ(d.read(clint::kMtime, 4, 44), 10U);
}

TEST(Clint, SoftwareLineFollowsBitZeroOfMsip) {
    ClintDriver d({.harts = 2});
    d.write(clint::kMsip + 4, 4, 0xFFFF'FFFF, 20);
    EXPECT_EQ(d.take(d.software), (Changes{{1, true, 21}}));
    EXPECT_EQ(d.read(clint::kMsip + 4, 4, 21), 1U);
    EXPECT_EQ(d.read(clint::kMsip, 4, 21), 0U);
    d.write(clint::kMsip + 4, 4, 1, 25);
    EXPECT_EQ(d.take(d.software), Changes{}) << "no change, no edge";
    d.write(clint::kMsip + 4, 4, 2, 30);
    EXPECT_EQ(d.take(d.software), (Changes{{1, false, 31}}));
}

TEST(Clint, AnythingElseInTheWindowIsAnError) {
    ClintDriver d;
    RegisterBlock& registers = d.clint.registers();
    std::uint64_t value = 0;
    for (const Address hole : {0x4U, 0x3FFCU, 0x4008U, 0xBFF0U, 0xC000U}) {
        EXPECT_EQ(registers.read(hole, 4, value, 0), AccessStatus::AddressError) << hole;
    }
    EXPECT_EQ(registers.read(clint::kMsip, 8, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(registers.read(clint::kMtime, 2, value, 0), AccessStatus::SizeError);
}

TEST(Clint, RefusesAConfigurationThatCannotBe) {
    EXPECT_THROW(Clint({.harts = 0}), std::invalid_argument);
    EXPECT_THROW(Clint({.harts = 4096}), std::invalid_argument);
    EXPECT_THROW(Clint({.cycles_per_tick = 0}), std::invalid_argument);
    EXPECT_NO_THROW(Clint({.harts = 4095}));
}

} // namespace
} // namespace pes
