// SPDX-License-Identifier: Apache-2.0
// The registers of filters and comparators in the Trace Control Interface 1.0, chapter "Trace
// Encoder Filter Registers": offsets, bits and legal values.
#include "tests/unit/trace/encoder_bench.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace pes::trace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Address kFilterControl = 0x000, kInstFilters = 0x00C;
constexpr std::uint32_t kFilterActive = 1;
constexpr std::uint32_t kHistory = 6 << 4;
constexpr std::uint32_t kFilterOn = 7 | kHistory; ///< active, enabled, tracing, history trace

constexpr Address filter(unsigned n) {
    return 0x400 + 0x20 * n;
}
constexpr Address comparator(unsigned n) {
    return 0x600 + 0x20 * n;
}

EncoderConfig with(unsigned filters, unsigned comparators) {
    return {.registers = RegisterSet::Standard,
            .timestamps = {TimestampDialect::NTrace, 40},
            .filters = filters,
            .comparators = comparators};
}

class StandardFilter : public testing::Test {
  protected:
    StandardFilter() { b.write(kFilterControl, kFilterActive); }
    std::uint32_t written(Address offset, std::uint32_t value) {
        b.write(offset, value);
        return b.read(offset);
    }
    Bench b{with(3, 2)};
};

TEST_F(StandardFilter, AsManyFiltersCanBeSelectedAsThereAre) {
    EXPECT_EQ(b.read(kInstFilters), 0U);
    EXPECT_EQ(written(kInstFilters, ~0U), 7U);
    EXPECT_EQ(written(kInstFilters, 2), 2U);
}

TEST(StandardFilterCount, SixteenFiltersAndEightComparatorsFitTheirRegisters) {
    Bench most(with(16, 8));
    most.write(kFilterControl, kFilterActive);
    most.write(kInstFilters, ~0U);
    EXPECT_EQ(most.read(kInstFilters), 0xFFFFU);
    most.write(filter(15) + 8, 0x1234'5678);
    EXPECT_EQ(most.read(0x5E8), 0x1234'5678U);
    most.write(comparator(7) + 0x1C, 0x9ABC'DEF0);
    EXPECT_EQ(most.read(0x6FC), 0x9ABC'DEF0U);
    EXPECT_THROW(Bench(with(17, 0)), std::invalid_argument);
    EXPECT_THROW(Bench(with(0, 9)), std::invalid_argument);
}

TEST(StandardFilterCount, WithoutFiltersAllTheirRegistersReadAsZero) {
    Bench none(with(0, 0));
    none.write(kFilterControl, kFilterActive);
    for (Address offset = 0x400; offset < 0x800; offset += 4) {
        none.write(offset, ~0U);
        ASSERT_EQ(none.read(offset), 0U) << std::hex << offset;
    }
    none.write(kInstFilters, ~0U);
    EXPECT_EQ(none.read(kInstFilters), 0U);
}

TEST_F(StandardFilter, WhatIsBeyondTheLastFilterAndComparatorReadsAsZero) {
    for (const Address offset : {filter(3), filter(15), Address{0x5FC}, comparator(2),
                                 comparator(2) + 0x10, Address{0x7FC}}) {
        EXPECT_EQ(written(offset, ~0U), 0U) << std::hex << offset;
    }
}

TEST_F(StandardFilter, ControlHasEnablePrivilegeCauseInterruptAndThreeComparators) {
    // impdef (16), data type (24) and data size (25) are absent; the rest is reserved
    EXPECT_EQ(written(filter(1), ~0U), 0x333FU) << "comparator 1 is the last of two";
    EXPECT_EQ(written(filter(1), 0x2201), 0x2201U);
    EXPECT_EQ(b.read(filter(0)), 0U);
    EXPECT_EQ(b.read(filter(2)), 0U);
}

TEST_F(StandardFilter, AComparatorThatIsNotThereBecomesTheLastOne) {
    EXPECT_EQ(written(filter(0), 5U << 5 | 1U << 4), 1U << 5 | 1U << 4);
    EXPECT_EQ(written(filter(0), 7U << 9), 1U << 9);
    EXPECT_EQ(written(filter(0), 0U << 13 | 1U << 12), 1U << 12);
}

TEST(StandardFilterCount, WithoutComparatorsAFilterAsksNone) {
    Bench none(with(1, 0));
    none.write(kFilterControl, kFilterActive);
    none.write(filter(0), ~0U);
    EXPECT_EQ(none.read(filter(0)), 0xFU);
}

TEST_F(StandardFilter, PrivilegesThatTheHartHasCanBeChosen) {
    EXPECT_EQ(written(filter(0) + 4, ~0U), 0x10BU) << "U, S and M, and the kind of trap";
    EXPECT_EQ(written(filter(0) + 4, 0x008), 0x008U);
}

TEST_F(StandardFilter, CausesHave64Bits) {
    EXPECT_EQ(written(filter(2) + 8, 0xFFFF'FFFF), 0xFFFF'FFFFU);
    EXPECT_EQ(written(filter(2) + 12, 0x8000'0001), 0x8000'0001U);
    EXPECT_EQ(b.read(filter(2) + 8), 0xFFFF'FFFFU);
}

TEST_F(StandardFilter, ImpdefAndDataMatchesAreAbsent) {
    for (const Address offset : {0x10U, 0x14U, 0x18U, 0x1CU}) {
        EXPECT_EQ(written(filter(0) + offset, ~0U), 0U) << std::hex << offset;
    }
    for (const Address offset : {0x4U, 0x8U, 0xCU}) {
        EXPECT_EQ(written(comparator(0) + offset, ~0U), 0U) << std::hex << offset;
    }
}

TEST_F(StandardFilter, ComparatorsHaveAddressAndTrapValueAsInputs) {
    EXPECT_EQ(written(comparator(0), 0x0), 0x0U);
    EXPECT_EQ(written(comparator(0), 0x2), 0x2U);
    EXPECT_EQ(written(comparator(0), 0x8), 0x8U);
    EXPECT_EQ(written(comparator(0), 0x1 | 0x3 << 2), 0x0U) << "context and data address";
}

TEST_F(StandardFilter, ComparatorControlKeepsFunctionsModeAndNotify) {
    EXPECT_EQ(written(comparator(1), ~0U & ~0xFU), 0xF770U); // 7, 11 and 31:16 are reserved
    EXPECT_EQ(written(comparator(1), 0x4000 | 3U << 12 | 5U << 8 | 2U << 4), 0x7520U);
    EXPECT_EQ(b.read(comparator(0)), 0U);
}

TEST_F(StandardFilter, MatchValuesHave64Bits) {
    for (const Address offset : {0x10U, 0x14U, 0x18U, 0x1CU}) {
        b.write(comparator(1) + offset, static_cast<std::uint32_t>(0xC0DE'0000 + offset));
    }
    for (const Address offset : {0x10U, 0x14U, 0x18U, 0x1CU}) {
        EXPECT_EQ(b.read(comparator(1) + offset), 0xC0DE'0000 + offset);
        EXPECT_EQ(b.read(comparator(0) + offset), 0U);
    }
}

TEST_F(StandardFilter, WritesWhileActiveIs0AreIgnoredAndResetClearsAll) {
    b.write(kInstFilters, 1);
    b.write(filter(0), 1);
    b.write(comparator(0) + 0x10, 5);
    b.write(kFilterControl, 0);
    b.write(filter(1), 1);
    b.write(kFilterControl, kFilterActive);
    for (const Address offset : {kInstFilters, filter(0), filter(1), comparator(0) + 0x10}) {
        EXPECT_EQ(b.read(offset), 0U) << std::hex << offset;
    }
}

TEST_F(StandardFilter, TheTracerGetsWhatIsWritten) {
    b.write(kInstFilters, 4);
    b.write(filter(2), 1 | 1U << 1 | 1U << 2 | 1U << 3 | 1U << 4 | 1U << 5);
    b.write(filter(2) + 4, 0x102);
    b.write(filter(2) + 12, 3);
    b.write(comparator(1), 2U | 5U << 4 | 6U << 8 | 3U << 12 | 1U << 15);
    b.write(comparator(1) + 0x14, 7);
    b.write(comparator(1) + 0x18, 9);
    b.write(kFilterControl, kFilterOn, 10);
    const TraceFilters& got = b.tracer.filters;
    EXPECT_EQ(got.selected, 4U);
    FilterSettings wanted{.enable = true,
                          .by_privilege = true,
                          .by_cause = true,
                          .by_interrupt = true,
                          .privileges = 2,
                          .interrupts = true,
                          .causes = std::uint64_t{3} << 32};
    wanted.asks[0] = {.match = true, .comparator = 1};
    EXPECT_EQ(got.filters[2], wanted);
    const ComparatorSettings compare{
        .primary = {.input = CompareInput::TrapValue,
                    .function = CompareFunction::GreaterOrEqual,
                    .value = std::uint64_t{7} << 32},
        .secondary = {.function = CompareFunction::Special, .notify = true, .value = 9},
        .mode = MatchMode::Latch};
    EXPECT_EQ(got.comparators[1], compare);
}

TEST_F(StandardFilter, AChangeWhileTracingBeginsTheTraceAnew) {
    b.write(kFilterControl, kFilterOn, 10);
    EXPECT_THAT(b.tracer.take(), ElementsAre("start 5 @10"));
    b.write(filter(0), 1, 20);
    EXPECT_THAT(b.tracer.take(), ElementsAre("stop 4 @20", "start 5 @20"));
    b.write(filter(0), 1, 30);
    EXPECT_THAT(b.tracer.take(), IsEmpty()) << "nothing has changed";
    EXPECT_TRUE(b.tracer.filters.filters[0].enable);
}

} // namespace
} // namespace pes::trace::test
