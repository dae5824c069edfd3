// SPDX-License-Identifier: Apache-2.0
// Expectations: trace control interface version 0, "Timestamp Unit"; read-backs of SiFive's P550.
#include "hw/trace/encoder/timestamp_unit.h"

#include "hw/interface/maps/trace.h"

#include <gtest/gtest.h>

#include <stdexcept>

namespace pes::trace {
namespace {

namespace ts = trace_map::timestamp;

class Unit {
  public:
    explicit Unit(const TimestampConfig& config, const TimestampUnit* master = nullptr)
        : unit(config, master), block_("timestamps", trace_map::kBlockBytes, unit.registers()) {}

    void control(std::uint32_t value, Cycle at) {
        EXPECT_EQ(block_.write(trace_map::kTimestampControl, 4, value, at), AccessStatus::Ok);
    }
    std::uint32_t read(Address offset, Cycle at) {
        std::uint64_t value = 0;
        EXPECT_EQ(block_.read(offset, 4, value, at), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    }
    std::uint32_t control(Cycle at = 0) { return read(trace_map::kTimestampControl, at); }

    TimestampUnit unit;

  private:
    RegisterBlock block_;
};

constexpr TimestampConfig kCore{};
constexpr TimestampConfig kFunnel{.type = TimestampType::InternalBus,
                                  .messages = MessageTimestamps::Absent};

TEST(TimestampUnit, ResetsToItsTypeAndWidthAndNothingElse) {
    Unit unit(kCore);
    EXPECT_EQ(unit.control(), 0x28000030U); // 40 bits, internal core clock
}

TEST(TimestampUnit, ReadsBackLikeTheFunnelOfAP550WhileCounting) {
    Unit unit(kFunnel);
    unit.control(~0U & ~ts::kDebug & ~(3U << ts::kPrescaleShift), 0);
    EXPECT_EQ(unit.control(), 0x28000023U);
}

TEST(TimestampUnit, ReadsBackLikeTheEncoderOfAP550AsASlave) {
    Unit master(kFunnel);
    Unit slave({.type = TimestampType::Slave}, &master.unit);
    slave.control(~0U, 0);
    EXPECT_EQ(slave.control(), 0x280F8041U);
}

TEST(TimestampUnit, TellsWhetherTimestampsAreDifferences) {
    const auto bit_20 = [](const TimestampConfig& config) {
        Unit unit(config);
        unit.control(~0U, 0);
        return unit.control() >> 20 & 1U;
    };
    EXPECT_EQ(bit_20({}), 0U);
    EXPECT_EQ(bit_20({.dialect = TimestampDialect::NTrace}), 1U);
    EXPECT_EQ(bit_20({.messages = MessageTimestamps::Absent, .dialect = TimestampDialect::NTrace}),
              0U);
}

TEST(TimestampUnit, CountsCyclesSinceTheWriteThatStartedIt) {
    Unit unit(kCore);
    unit.control(ts::kActive | ts::kCount, 1000);
    EXPECT_EQ(unit.unit.time(1000), 0U);
    EXPECT_EQ(unit.unit.time(1001), 1U);
    EXPECT_EQ(unit.unit.time(1849), 849U);
}

TEST(TimestampUnit, HoldsItsValueWhileTsCountIsZero) {
    Unit unit(kCore);
    unit.control(ts::kActive | ts::kCount, 0);
    unit.control(ts::kActive, 100);
    EXPECT_EQ(unit.unit.time(500), 100U);
    unit.control(ts::kActive | ts::kCount, 1000);
    EXPECT_EQ(unit.unit.time(1007), 107U);
}

TEST(TimestampUnit, PrescalesByPowersOfFour) {
    for (const auto& [prescale, divider] : {std::pair{0U, Cycle{1}}, std::pair{1U, Cycle{4}},
                                            std::pair{2U, Cycle{16}}, std::pair{3U, Cycle{64}}}) {
        Unit unit(kCore);
        unit.control(ts::kActive | ts::kCount | prescale << ts::kPrescaleShift, 0);
        EXPECT_EQ(unit.unit.time(10 * divider - 1), 9U) << prescale;
        EXPECT_EQ(unit.unit.time(10 * divider), 10U) << prescale;
    }
}

TEST(TimestampUnit, KeepsThePhaseOfThePrescalerOverUnrelatedWrites) {
    Unit unit(kCore);
    constexpr std::uint32_t kRunning = ts::kActive | ts::kCount | 3U << ts::kPrescaleShift;
    unit.control(kRunning, 0);
    unit.control(kRunning | ts::kEnable, 63);
    EXPECT_EQ(unit.unit.time(64), 1U);
}

TEST(TimestampUnit, TsResetClearsTheCounterAndReadsZero) {
    Unit unit(kCore);
    unit.control(ts::kActive | ts::kCount, 0);
    unit.control(ts::kActive | ts::kCount | ts::kReset, 50);
    EXPECT_EQ(unit.control(50) & ts::kReset, 0U);
    EXPECT_EQ(unit.unit.time(60), 10U);
}

TEST(TimestampUnit, ClearingTsActiveResetsEveryFieldAndTheCounter) {
    Unit unit(kCore);
    unit.control(~0U & ~ts::kReset, 0);
    unit.control(~ts::kActive & ~ts::kReset, 50);
    EXPECT_EQ(unit.control(), 0x28000030U);
    EXPECT_EQ(unit.unit.time(60), 0U);
}

TEST(TimestampUnit, KeepsTsTypeOverFirmwareThatWritesPrescaleAndActiveOnly) {
    Unit unit(kFunnel);
    unit.control(2U << ts::kPrescaleShift | 1U, 0);
    EXPECT_EQ((unit.control() >> ts::kTypeShift) & ts::kTypeMask, ts::kInternalBus);
    unit.control(unit.control() | ts::kCount, 0);
    EXPECT_EQ(unit.unit.time(160), 10U);
}

TEST(TimestampUnit, TsBranchTwoIsReservedAndLeavesTheField) {
    Unit unit(kCore);
    unit.control(ts::kActive | 1U << ts::kBranchShift, 0);
    unit.control(ts::kActive | 2U << ts::kBranchShift, 0);
    EXPECT_EQ((unit.control() >> ts::kBranchShift) & ts::kBranchMask, 1U);
}

TEST(TimestampUnit, WrapsAtItsWidth) {
    Unit unit({.bits = 8});
    unit.control(ts::kActive | ts::kCount, 0);
    EXPECT_EQ(unit.unit.time(255), 255U);
    EXPECT_EQ(unit.unit.time(256), 0U);
    EXPECT_EQ(unit.control() >> ts::kWidthShift, 8U);
}

TEST(TimestampUnit, TheUpperRegisterHasTheBitsAbove32) {
    Unit unit(kCore);
    unit.control(ts::kActive | ts::kCount, 0);
    constexpr Cycle kAt = 0x12'3456'789A;
    EXPECT_EQ(unit.read(trace_map::kTimestampLower, kAt), 0x3456'789AU);
    EXPECT_EQ(unit.read(trace_map::kTimestampUpper, kAt), 0x12U);
}

TEST(TimestampUnit, ASlaveShowsTheTimeOfItsMasterWhileItIsActive) {
    Unit master(kFunnel);
    Unit slave({.type = TimestampType::Slave}, &master.unit);
    master.control(ts::kActive | ts::kCount | 1U << ts::kPrescaleShift, 0);
    EXPECT_EQ(slave.unit.time(400), 0U);
    slave.control(ts::kActive, 0);
    EXPECT_EQ(slave.unit.time(400), 100U);
    EXPECT_EQ(slave.read(trace_map::kTimestampLower, 400), 100U);
}

TEST(TimestampUnit, AnExternalTimeRunsWithoutTsCount) {
    Unit unit({.type = TimestampType::External});
    unit.control(ts::kActive | ts::kCount | ts::kReset, 100);
    EXPECT_EQ(unit.control() & (ts::kCount | ts::kReset), 0U);
    EXPECT_EQ(unit.unit.time(300), 300U);
}

TEST(TimestampUnit, MessageFieldsCountOnlyTogetherWithTsEnable) {
    Unit unit(kCore);
    unit.control(ts::kActive | 3U << ts::kBranchShift | ts::kInstrumentation | ts::kOwnership, 0);
    EXPECT_FALSE(unit.unit.on_all_branches());
    EXPECT_FALSE(unit.unit.on_indirect_branches());
    EXPECT_FALSE(unit.unit.on_instrumentation());
    EXPECT_FALSE(unit.unit.on_ownership());
    unit.control(unit.control() | ts::kEnable, 0);
    EXPECT_TRUE(unit.unit.on_all_branches());
    EXPECT_TRUE(unit.unit.on_indirect_branches());
    EXPECT_TRUE(unit.unit.on_instrumentation());
    EXPECT_TRUE(unit.unit.on_ownership());
    unit.control(ts::kActive | ts::kEnable | 1U << ts::kBranchShift, 0);
    EXPECT_FALSE(unit.unit.on_all_branches());
    EXPECT_TRUE(unit.unit.on_indirect_branches());
}

TEST(TimestampUnit, RefusesAWidthOutsideItsRangeAndASlaveWithoutMaster) {
    EXPECT_THROW(TimestampUnit({.bits = 0}), std::invalid_argument);
    EXPECT_THROW(TimestampUnit({.bits = 65}), std::invalid_argument);
    EXPECT_THROW(TimestampUnit({.type = TimestampType::Slave}), std::invalid_argument);
    const TimestampUnit master(kCore);
    EXPECT_THROW(TimestampUnit(kCore, &master), std::invalid_argument);
}

} // namespace
} // namespace pes::trace
