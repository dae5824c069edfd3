// SPDX-License-Identifier: Apache-2.0
// The funnel behind the registers of the Trace Control Interface 1.0, chapter "Trace Funnel".
#include "tests/unit/trace/funnel_bench.h"

#include <gtest/gtest.h>

namespace pes::trace::test {
namespace {

constexpr Address kFunnelControl = 0x000, kFunnelImpl = 0x004, kFunnelDisInput = 0x008;
constexpr std::uint32_t kFunnelActive = 1U << 0, kFunnelEnable = 1U << 1, kFunnelEmpty = 1U << 3;

struct StandardFunnel : testing::Test, FunnelBench {
    StandardFunnel()
        : FunnelBench(
              {.sinks = sinks({trace_map::sink::kSram}), .word_bytes = 4, .sram_bytes = 256}, 3,
              RegisterSet::Standard) {}
};

TEST_F(StandardFunnel, ImplementationIsVersion1_0OfAFunnel) {
    EXPECT_EQ(read(kFunnelImpl), 0x801U);
}

TEST_F(StandardFunnel, ControlHasActiveEnableAndEmpty) {
    EXPECT_EQ(read(kFunnelControl), kFunnelEmpty);
    write(kFunnelControl, ~0U);
    EXPECT_EQ(read(kFunnelControl), kFunnelActive | kFunnelEnable | kFunnelEmpty);
    write(kFunnelControl, 0);
    EXPECT_EQ(read(kFunnelControl), kFunnelEmpty);
}

TEST_F(StandardFunnel, EnableIsNotSetWhileActiveIsZero) {
    write(kFunnelControl, kFunnelEnable);
    EXPECT_EQ(read(kFunnelControl) & kFunnelEnable, 0U);
}

TEST_F(StandardFunnel, UnusedWordsReadAsZeroAndIgnoreWrites) {
    write(kFunnelControl, kFunnelActive);
    for (const Address offset : {0x00CU, 0x010U, 0x03CU, 0x044U, 0x050U, 0xDFCU, 0xE00U, 0xFFCU}) {
        write(offset, ~0U);
        EXPECT_EQ(read(offset), 0U) << std::hex << offset;
    }
}

TEST_F(StandardFunnel, InputsTakeTurnsMessageByMessage) {
    write(kFunnelControl, kFunnelActive | kFunnelEnable);
    for (std::uint8_t i = 0; i < 2; ++i) {
        sources[0].send({i}, 0);
        sources[1].send({static_cast<std::uint8_t>(0x10 + i)}, 0);
        sources[2].send({static_cast<std::uint8_t>(0x20 + i)}, 0);
    }
    sources[0].flush(0);
    run_to(1000);
    EXPECT_EQ(stored(8), (Bytes{0x00, 0x10, 0x20, 0x01, 0x11, 0x21, 0xFF, 0xFF}));
}

TEST_F(StandardFunnel, DisInputTellsWhichInputsThereAre) {
    write(kFunnelControl, kFunnelActive);
    write(kFunnelDisInput, 0xFFFF);
    EXPECT_EQ(read(kFunnelDisInput), 7U);
    write(kFunnelDisInput, 0);
    EXPECT_EQ(read(kFunnelDisInput), 0U);
}

TEST_F(StandardFunnel, MessagesOfADisabledInputAreReadAndDiscarded) {
    write(kFunnelControl, kFunnelActive);
    write(kFunnelDisInput, 2);
    write(kFunnelControl, kFunnelActive | kFunnelEnable);
    now = 10;
    sources[0].send({0x01, 0x02}, 10);
    sources[1].send({0x11, 0x12}, 10);
    sources[2].send({0x21, 0x22}, 10);
    sources[0].flush(10);
    run_to(1000);
    EXPECT_EQ(stored(4), (Bytes{0x01, 0x02, 0x21, 0x22}));
    EXPECT_TRUE(sources[1].empty());
    EXPECT_EQ(funnel.dropped(), 1U);
}

TEST_F(StandardFunnel, InputSendsAgainOnceItIsEnabled) {
    write(kFunnelControl, kFunnelActive | kFunnelEnable);
    write(kFunnelDisInput, 1);
    now = 10;
    sources[0].send({0x01}, 10);
    run_to(1000);
    write(kFunnelDisInput, 0);
    sources[0].send({0x02, 0x03, 0x04, 0x05}, 1001);
    run_to(3000);
    EXPECT_EQ(stored(4), (Bytes{0x02, 0x03, 0x04, 0x05}));
    EXPECT_EQ(funnel.dropped(), 1U);
}

TEST_F(StandardFunnel, MessagesFromBeforeAnInputWasDisabledPass) {
    write(kFunnelControl, kFunnelActive | kFunnelEnable);
    sources[0].send({0x01, 0x02, 0x03, 0x04}, 5);
    now = 10;
    write(kFunnelDisInput, 1);
    sources[0].send({0x0A, 0x0B, 0x0C, 0x0D}, 11);
    run_to(1000);
    EXPECT_EQ(stored(4), (Bytes{0x01, 0x02, 0x03, 0x04}));
    EXPECT_EQ(funnel.dropped(), 1U);
}

TEST_F(StandardFunnel, ClearingEnableFlushesWhatIsQueuedAndDropsTheRest) {
    write(kFunnelControl, kFunnelActive | kFunnelEnable);
    sources[0].send({0x01, 0x02}, 0);
    write(kFunnelControl, kFunnelActive);
    EXPECT_EQ(read(kFunnelControl) & kFunnelEmpty, 0U);
    run_to(100);
    EXPECT_EQ(read(kFunnelControl) & kFunnelEmpty, kFunnelEmpty);
    EXPECT_EQ(stored(4), (Bytes{0x01, 0x02, 0xFF, 0xFF}));
    sources[0].send({0x03}, 200);
    run_to(1000);
    EXPECT_EQ(funnel.dropped(), 1U);
}

TEST_F(StandardFunnel, ResetEnablesAllInputs) {
    write(kFunnelControl, kFunnelActive);
    write(kFunnelDisInput, 5);
    write(kFunnelControl, 0);
    EXPECT_EQ(read(kFunnelDisInput), 0U);
}

TEST_F(StandardFunnel, DisInputIgnoresWritesWhileActiveIsZero) {
    write(kFunnelDisInput, 5);
    EXPECT_EQ(read(kFunnelDisInput), 0U);
}

TEST_F(StandardFunnel, HasATimestampUnitThatOthersShare) {
    write(0x040, 3); // active, count
    EXPECT_EQ(read(0x040) & 3, 3U);
    now = 25;
    EXPECT_EQ(read(0x048), 25U);
    EXPECT_EQ(read(0x04C), 0U);
}

} // namespace
} // namespace pes::trace::test
