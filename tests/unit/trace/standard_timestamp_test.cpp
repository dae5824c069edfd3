// SPDX-License-Identifier: Apache-2.0
// trTsControl, trTsCounterLow and trTsCounterHigh: Trace Control Interface 1.0, "Timestamp
// StandardUnit".
#include "hw/trace/encoder/timestamp_unit.h"

#include <gtest/gtest.h>

namespace pes::trace {
namespace {

constexpr Address kControl = 0x40, kLow = 0x48, kHigh = 0x4C;
constexpr std::uint32_t kActive = 1, kCount = 2, kReset = 4, kRunInDebug = 8;
constexpr std::uint32_t kEnable = 1U << 15;

class StandardUnit {
  public:
    explicit StandardUnit(const TimestampConfig& config, const TimestampUnit* master = nullptr)
        : unit(config, master),
          block_("timestamps", 0x1000, unit.registers(RegisterSet::Standard)) {}
    void control(std::uint32_t value, Cycle at = 0) {
        EXPECT_EQ(block_.write(kControl, 4, value, at), AccessStatus::Ok);
    }
    std::uint32_t read(Address offset, Cycle at = 0) {
        std::uint64_t value = 0;
        EXPECT_EQ(block_.read(offset, 4, value, at), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    }
    TimestampUnit unit;

  private:
    RegisterBlock block_;
};

constexpr TimestampConfig kStandardCore{};
constexpr TimestampConfig kSystem{.type = TimestampType::InternalBus,
                                  .messages = MessageTimestamps::Absent};

TEST(StandardTimestamp, ResetShowsModeAndWidthAlone) {
    EXPECT_EQ(StandardUnit(kStandardCore).read(kControl), 40U << 24 | 3U << 4); // Internal Core
    EXPECT_EQ(StandardUnit(kSystem).read(kControl), 40U << 24 | 2U << 4);       // Internal System
}

TEST(StandardTimestamp, WidthHasSixBitsAndReservedBitsAreZero) {
    StandardUnit unit({.bits = 63});
    unit.control(~0U);
    EXPECT_EQ(unit.read(kControl) >> 24, 63U);
    EXPECT_EQ(unit.read(kControl) & (1U << 7 | 31U << 10), 0U);
}

TEST(StandardTimestamp, ModeIsFixed) {
    StandardUnit unit(kStandardCore);
    for (std::uint32_t mode = 0; mode < 8; ++mode) {
        unit.control(kActive | mode << 4);
        EXPECT_EQ(unit.read(kControl) >> 4 & 7, 3U);
    }
}

TEST(StandardTimestamp, CountsWhileCountIsOneAndHasTwoHalves) {
    StandardUnit unit(kStandardCore);
    unit.control(kActive | kCount, 100);
    EXPECT_EQ(unit.read(kLow, 150), 50U);
    const Cycle late = 100 + (Cycle{7} << 32) + 3;
    EXPECT_EQ(unit.read(kLow, late), 3U);
    EXPECT_EQ(unit.read(kHigh, late), 7U);
    unit.control(kActive, 200);
    EXPECT_EQ(unit.read(kLow, 300), 100U);
}

TEST(StandardTimestamp, PrescaleDividesBy1_4_16And64) {
    for (std::uint32_t prescale = 0; prescale < 4; ++prescale) {
        StandardUnit unit(kStandardCore);
        unit.control(kActive | kCount | prescale << 8);
        EXPECT_EQ(unit.read(kLow, 6400), 6400U >> (2 * prescale));
    }
}

TEST(StandardTimestamp, ResetBitStartsTheCounterAgainAndReadsAsZero) {
    StandardUnit unit(kStandardCore);
    unit.control(kActive | kCount);
    unit.control(kActive | kCount | kReset, 1000);
    EXPECT_EQ(unit.read(kLow, 1010), 10U);
    EXPECT_EQ(unit.read(kControl) & kReset, 0U);
}

TEST(StandardTimestamp, ActiveZeroHoldsTheUnitInReset) {
    StandardUnit unit(kStandardCore);
    unit.control(kActive | kCount | kEnable);
    unit.control(kCount | kEnable, 50);
    EXPECT_EQ(unit.read(kControl), 40U << 24 | 3U << 4);
    EXPECT_EQ(unit.read(kLow, 100), 0U);
}

TEST(StandardTimestamp, RunInDebugIsForTheInternalCoreOnly) {
    StandardUnit core(kStandardCore);
    core.control(kActive | kRunInDebug);
    EXPECT_NE(core.read(kControl) & kRunInDebug, 0U);
    StandardUnit system(kSystem);
    system.control(kActive | kRunInDebug);
    EXPECT_EQ(system.read(kControl) & kRunInDebug, 0U);
}

TEST(StandardTimestamp, SharedUnitShowsTheOthersTimeAndCannotCount) {
    StandardUnit master(kSystem);
    StandardUnit shared({.type = TimestampType::Slave}, &master.unit);
    master.control(kActive | kCount);
    shared.control(kActive | kCount | 3U << 8);
    EXPECT_EQ(shared.read(kControl) & (kCount | 3U << 8), 0U);
    EXPECT_EQ(shared.read(kControl) >> 4 & 7, 4U);
    EXPECT_EQ(shared.read(kLow, 70), 70U);
}

TEST(StandardTimestamp, EnableAloneGivesEveryMessageATimestamp) {
    StandardUnit unit(kStandardCore);
    unit.control(kActive | kCount | kEnable);
    EXPECT_TRUE(unit.unit.on_indirect_branches());
    EXPECT_TRUE(unit.unit.on_all_branches());
    EXPECT_TRUE(unit.unit.on_instrumentation());
    EXPECT_TRUE(unit.unit.on_ownership());
    unit.control(kActive | kCount);
    EXPECT_FALSE(unit.unit.on_indirect_branches());
    EXPECT_FALSE(unit.unit.on_instrumentation());
}

TEST(StandardTimestamp, VendorsBitsTakeThemAwayByKind) {
    StandardUnit unit(kStandardCore);
    unit.control(kActive | kEnable | 1U << 16);
    EXPECT_TRUE(unit.unit.on_indirect_branches());
    EXPECT_FALSE(unit.unit.on_all_branches());
    unit.control(kActive | kEnable | 1U << 17 | 1U << 18 | 1U << 19);
    EXPECT_FALSE(unit.unit.on_indirect_branches());
    EXPECT_FALSE(unit.unit.on_instrumentation());
    EXPECT_FALSE(unit.unit.on_ownership());
    EXPECT_EQ(unit.read(kControl) >> 16 & 0xFF, 0xEU);
}

TEST(StandardTimestamp, UnitOfAFunnelHasNoMessages) {
    StandardUnit unit(kSystem);
    unit.control(~0U & ~kReset);
    EXPECT_EQ(unit.read(kControl) & (kEnable | 0xFFU << 16), 0U);
}

} // namespace
} // namespace pes::trace
