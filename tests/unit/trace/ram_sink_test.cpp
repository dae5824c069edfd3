// SPDX-License-Identifier: Apache-2.0
// The RAM sink of the Trace Control Interface 1.0. Offsets, bits and rules are those of its
// chapters "Trace RAM Sink" and "Reset and Discovery".
#include "hw/trace/sinks/ram_sink.h"

#include "tests/unit/trace/sink_bench.h"

#include <gmock/gmock.h>

namespace pes::trace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Address kControl = 0x000, kImpl = 0x004;
constexpr Address kStart = 0x010, kStartHigh = 0x014, kLimit = 0x018, kLimitHigh = 0x01C;
constexpr Address kWp = 0x020, kWpHigh = 0x024, kRp = 0x028, kRpHigh = 0x02C, kData = 0x040;
constexpr Address kVendorStatus = 0xE00;

constexpr std::uint32_t kActive = 1U << 0, kEnable = 1U << 1, kEmpty = 1U << 3, kSmem = 1U << 4;
constexpr std::uint32_t kStopOnWrap = 1U << 8, kWrapped = 1;

constexpr std::uint32_t kBoth = 1U << trace_map::sink::kSram | 1U << trace_map::sink::kMemory;
constexpr std::uint32_t kSramBytes = 256;
constexpr Address kBuffer = 0x12'8000'0000;

SinkConfig config_of(std::uint32_t sinks, std::uint32_t word_bytes = 4) {
    return {.sinks = sinks,
            .word_bytes = word_bytes,
            .sram_bytes = kSramBytes,
            .burst_bytes = 32,
            .address_bits = 40};
}

struct RamBench : SinkWorld {
    explicit RamBench(const SinkConfig& config = config_of(kBoth))
        : unit("sink", config, clock, &memory, &probe), ram("ram", connected()) {}
    TraceSink& connected() {
        unit.connect(source, owner);
        return unit;
    }

    std::uint32_t read(Address offset) { return read_register(ram.registers(), offset); }
    void write(Address offset, std::uint32_t value) {
        write_register(ram.registers(), offset, value);
    }
    void run_to(Cycle cycle) { serve(unit, cycle); }
    void send(std::size_t bytes, std::uint8_t first = 0) {
        for (std::size_t sent = 0; sent < bytes; sent += 4) {
            source.send(bytes_from(static_cast<std::uint8_t>(first + sent), 4), now);
        }
        run_to(now + 10'000);
    }
    /// As a tool does it: out of reset, mode, buffer, enable.
    void start_memory(Address base, std::uint64_t size, std::uint32_t more = 0) {
        write(kControl, kActive);
        write(kControl, kActive | kSmem);
        write(kStart, static_cast<std::uint32_t>(base));
        write(kStartHigh, static_cast<std::uint32_t>(base >> 32));
        write(kLimit, static_cast<std::uint32_t>(base + size - 4));
        write(kLimitHigh, static_cast<std::uint32_t>((base + size - 4) >> 32));
        write(kWp, static_cast<std::uint32_t>(base));
        write(kWpHigh, static_cast<std::uint32_t>(base >> 32));
        write(kControl, kActive | kEnable | kSmem | more);
    }
    void start_sram(std::uint32_t more = 0) {
        write(kControl, kActive);
        write(kWp, 0);
        write(kControl, kActive | kEnable | more);
    }

    FakeSource source;
    FakeOwner owner;
    TraceSink unit;
    RamSink ram;
};

// --- Page, trRamImpl -----------------------------------------------------------------------------

TEST(RamSink, ImplementationIsVersion1_0AndTellsTheModes) {
    EXPECT_EQ(RamBench(config_of(kBoth)).read(kImpl), 0x3901U);
    EXPECT_EQ(RamBench(config_of(1U << trace_map::sink::kSram)).read(kImpl), 0x1901U);
    EXPECT_EQ(RamBench(config_of(1U << trace_map::sink::kMemory)).read(kImpl), 0x2901U);
}

TEST(RamSink, UnusedWordsReadAsZeroAndIgnoreWrites) {
    RamBench b;
    b.write(kControl, kActive);
    for (const Address offset : {0x008U, 0x00CU, 0x030U, 0x03CU, 0x044U, 0xDFCU, 0xFFCU}) {
        b.write(offset, ~0U);
        EXPECT_EQ(b.read(offset), 0U) << std::hex << offset;
    }
}

TEST(RamSink, OtherSinksThanRamAreRefused) {
    EXPECT_THROW(RamBench(config_of(kBoth | 1U << trace_map::sink::kProbe)), std::invalid_argument);
    EXPECT_THROW(RamBench(config_of(1U << trace_map::sink::kFunnel)), std::invalid_argument);
}

// --- trRamControl --------------------------------------------------------------------------------

TEST(RamSink, ActiveAndEnableAreZeroAtResetAndItIsEmpty) {
    EXPECT_EQ(RamBench().read(kControl) & (kActive | kEnable | kEmpty), kEmpty);
}

TEST(RamSink, ResetDisablesIt) {
    RamBench b;
    b.start_sram();
    EXPECT_EQ(b.read(kControl) & (kActive | kEnable), kActive | kEnable);
    b.write(kControl, 0);
    EXPECT_EQ(b.read(kControl) & (kActive | kEnable), 0U);
}

TEST(RamSink, ReservedBitsFormatsAndAsyncAreZero) {
    RamBench b;
    b.write(kControl, ~0U & ~kEnable);
    EXPECT_EQ(b.read(kControl), kActive | kEmpty | kSmem | kStopOnWrap); // plain bytes, no Async
}

TEST(RamSink, ModeThatIsNotThereIsNotSet) {
    RamBench sram(config_of(1U << trace_map::sink::kSram));
    sram.write(kControl, kActive | kSmem);
    EXPECT_EQ(sram.read(kControl) & kSmem, 0U);
    RamBench memory(config_of(1U << trace_map::sink::kMemory));
    memory.write(kControl, kActive);
    EXPECT_EQ(memory.read(kControl) & kSmem, kSmem);
}

TEST(RamSink, ClearingEnableFlushesAndPadsAndThenItIsEmpty) {
    RamBench b;
    b.start_sram();
    b.source.send(bytes_from(1, 6), 0);
    b.write(kControl, kActive);
    EXPECT_EQ(b.read(kControl) & (kEnable | kEmpty), 0U); // the handshake: disabled, not yet empty
    b.run_to(1000);
    EXPECT_EQ(b.read(kControl) & (kEnable | kEmpty), kEmpty);
    EXPECT_EQ(b.read(kWp), 8U); // disabling may move the write pointer
    EXPECT_EQ(b.read(kData), 0x0403'0201U);
    EXPECT_EQ(b.read(kData), 0xFFFF'0605U); // idle bytes up to the word
}

TEST(RamSink, EnablingChangesNoPointer) {
    RamBench b;
    b.start_memory(kBuffer, 64);
    EXPECT_EQ(b.read(kStart), 0x8000'0000U);
    EXPECT_EQ(b.read(kLimit), 0x8000'003CU);
    EXPECT_EQ(b.read(kWp), 0x8000'0000U);
    EXPECT_EQ(b.read(kWpHigh), 0x12U);
}

TEST(RamSink, MessagesOfADisabledSinkAreDiscardedAndCounted) {
    RamBench b;
    b.send(8);
    b.start_sram();
    b.send(4, 0x10);
    b.write(kControl, kActive);
    b.run_to(b.now + 1000);
    b.send(12);
    EXPECT_EQ(b.read(kWp), 4U);
    EXPECT_EQ(b.unit.statistics().discarded, 20U);
    EXPECT_TRUE(b.source.empty()); // so that no hart waits
}

// --- Buffer registers ----------------------------------------------------------------------------

TEST(RamSink, AddressesHaveTheImplementedBits) {
    RamBench b(config_of(kBoth, 8));
    b.write(kControl, kActive | kSmem);
    for (const Address low : {kStart, kLimit, kWp}) {
        b.write(low, ~0U);
        b.write(low + 4, ~0U);
        // words of 8 bytes; the limit is that of the last 32 bits, whatever the width of the sink
        EXPECT_EQ(b.read(low), low == kLimit ? 0xFFFF'FFFCU : 0xFFFF'FFF8U);
        EXPECT_EQ(b.read(low + 4), 0xFFU); // 40 bits
        b.write(low, 0);
        b.write(low + 4, 0);
        EXPECT_EQ(b.read(low), 0U);
        EXPECT_EQ(b.read(low + 4), 0U);
    }
}

TEST(RamSink, WideSinkFillsTheBufferUpToALimitOf32Bits) {
    RamBench b(config_of(kBoth, 8));
    b.start_memory(kBuffer, 32); // limit = start + 28
    EXPECT_EQ(b.read(kLimit), 0x8000'001CU);
    b.send(32);
    EXPECT_EQ(b.memory.at(kBuffer, 32), bytes_from(0, 32));
    EXPECT_EQ(b.read(kWp), 0x8000'0000U | kWrapped);
}

TEST(RamSink, HighHalvesOfStartLimitAndPointerAreTheirOwn) {
    RamBench b;
    b.write(kControl, kActive | kSmem);
    b.write(kStartHigh, 1);
    b.write(kLimitHigh, 2);
    b.write(kWpHigh, 3);
    EXPECT_EQ(b.read(kStartHigh), 1U);
    EXPECT_EQ(b.read(kLimitHigh), 2U);
    EXPECT_EQ(b.read(kWpHigh), 3U);
}

TEST(RamSink, SramHasStart0AndItsSizeAsLimitWith4ByteAlignment) {
    RamBench b(config_of(kBoth, 8));
    b.write(kControl, kActive);
    for (const std::uint32_t value : {0U, ~0U}) {
        b.write(kStart, value);
        b.write(kStartHigh, value);
        b.write(kLimit, value);
        b.write(kLimitHigh, value);
        EXPECT_EQ(b.read(kStart), 0U);
        EXPECT_EQ(b.read(kStartHigh), 0U);
        EXPECT_EQ(b.read(kLimit), kSramBytes - 4); // "For SRAM mode A must be 4"
        EXPECT_EQ(b.read(kLimitHigh), 0U);
    }
}

TEST(RamSink, ReadPointerIsSettableInSramModeOnlySoToolsKnowHowToReadTheTrace) {
    RamBench b;
    b.write(kControl, kActive);
    b.write(kRp, b.read(kLimit));
    EXPECT_EQ(b.read(kRp), kSramBytes - 4);
    b.write(kControl, kActive | kSmem);
    b.write(kRp, ~0U);
    b.write(kRpHigh, ~0U);
    EXPECT_EQ(b.read(kRp), 0U);
    EXPECT_EQ(b.read(kRpHigh), 0U);
    EXPECT_EQ(b.read(kData), 0U);
}

TEST(RamSink, ReadPointerMovesOnAndFromTheLimitToTheStart) {
    RamBench b;
    b.start_sram();
    b.write(kRp, 0);
    b.write(kData, 0x1111);
    b.write(kData, 0x2222);
    EXPECT_EQ(b.read(kRp), 8U);
    b.write(kRp, kSramBytes - 4);
    b.read(kData);
    EXPECT_EQ(b.read(kRp), 0U);
    EXPECT_EQ(b.read(kData), 0x1111U);
    EXPECT_EQ(b.read(kData), 0x2222U);
}

// "the trace tool should NOT write": what happens then is the implementation's.
TEST(RamSink, BufferThatIsChangedWhileEnabledIsTheNewOne) {
    RamBench b;
    b.start_memory(kBuffer, 64);
    b.send(32);
    b.write(kWp, 0x8000'0030);
    EXPECT_EQ(b.read(kWp), 0x8000'0030U);
    b.send(32, 0x40);
    EXPECT_EQ(b.memory.at(kBuffer + 0x30, 16), bytes_from(0x40, 16));
    EXPECT_EQ(b.memory.at(kBuffer, 16), bytes_from(0x50, 16));
}

TEST(RamSink, RegistersIgnoreWritesWhileActiveIsZero) {
    RamBench b;
    for (const Address offset : {kStart, kLimit, kWp, kRp}) {
        b.write(offset, 0x40);
    }
    b.write(kControl, kActive | kSmem);
    for (const Address offset : {kStart, kLimit, kWp, kRp}) {
        EXPECT_EQ(b.read(offset), 0U) << std::hex << offset;
    }
}

TEST(RamSink, RegistersTakeWholeWordsOnly) {
    RamBench b;
    EXPECT_EQ(b.ram.registers().write(kControl, 8, 1, 0), AccessStatus::SizeError);
    EXPECT_EQ(b.ram.registers().write(kControl, 1, 1, 0), AccessStatus::SizeError);
    EXPECT_EQ(b.ram.registers().write(kWp + 2, 2, 1, 0), AccessStatus::AddressError);
}

// --- Trace ---------------------------------------------------------------------------------------

TEST(RamSink, BytesGoToMemoryWithTheFirstOneLowest) {
    RamBench b;
    b.start_memory(kBuffer, 64);
    b.send(32);
    EXPECT_EQ(b.memory.at(kBuffer, 32), bytes_from(0, 32));
    EXPECT_EQ(b.read(kWp), 0x8000'0020U);
}

TEST(RamSink, BufferMayCrossA4GiBLine) {
    RamBench b;
    b.start_memory(0x1'FFFF'FFF0, 32);
    b.send(32);
    EXPECT_EQ(b.memory.at(0x1'FFFF'FFF0, 32), bytes_from(0, 32));
    EXPECT_EQ(b.read(kWp), 0xFFFF'FFF0U | kWrapped);
    EXPECT_EQ(b.read(kWpHigh), 1U);
}

TEST(RamSink, WordAtTheLimitIsTheLastAndThePointerReturnsToTheStart) {
    RamBench b;
    b.start_memory(kBuffer, 16);
    b.send(16);
    EXPECT_EQ(b.read(kWp), 0x8000'0000U | kWrapped);
    b.send(4, 0x40);
    EXPECT_EQ(b.read(kWp), 0x8000'0004U | kWrapped);
    EXPECT_EQ(b.memory.at(kBuffer, 4), bytes_from(0x40, 4));
}

TEST(RamSink, WrapFlagIsClearedByWritingWpLowAlone) {
    RamBench b;
    b.start_memory(kBuffer, 16);
    b.send(16);
    b.write(kControl, kActive | kSmem);
    b.run_to(b.now + 1000);
    b.write(kWpHigh, 0x12);
    b.write(kLimit, 0x8000'000C);
    EXPECT_EQ(b.read(kWp) & kWrapped, kWrapped);
    b.write(kWp, 0x8000'0000 | kWrapped);
    EXPECT_EQ(b.read(kWp), 0x8000'0000U);
}

TEST(RamSink, StopOnWrapClearsEnableWhenTheBufferIsFull) {
    RamBench b;
    b.start_sram(kStopOnWrap);
    b.send(kSramBytes - 4);
    EXPECT_EQ(b.read(kControl) & kEnable, kEnable);
    b.send(8);
    EXPECT_EQ(b.read(kControl) & (kEnable | kEmpty), kEmpty);
    EXPECT_EQ(b.read(kWp), kWrapped);
    b.send(100); // stops accepting
    EXPECT_EQ(b.read(kWp), kWrapped);
    EXPECT_EQ(b.unit.statistics().discarded, 104U);
    EXPECT_THAT(b.owner.stops, IsEmpty()); // the encoder goes on
}

TEST(RamSink, StopOnWrapStopsAgainWhenItIsEnabledAgain) {
    RamBench b;
    b.start_sram(kStopOnWrap);
    b.send(kSramBytes);
    b.write(kControl, kActive | kEnable | kStopOnWrap); // the wrap flag is still set
    b.send(kSramBytes - 4);
    EXPECT_EQ(b.read(kControl) & kEnable, kEnable);
    b.send(4);
    EXPECT_EQ(b.read(kControl) & kEnable, 0U);
}

TEST(RamSink, WithoutStopOnWrapTheOldestIsOverwritten) {
    RamBench b;
    b.start_sram();
    b.send(kSramBytes);
    b.send(4, 0x77);
    EXPECT_EQ(b.read(kControl) & kEnable, kEnable);
    b.write(kRp, 0);
    EXPECT_EQ(b.read(kData), 0x7A79'7877U);
    EXPECT_EQ(b.unit.statistics().overwritten, 4U);
}

TEST(RamSink, ModesKeepTheirPlaces) {
    RamBench b;
    b.start_sram();
    b.send(32);
    b.write(kControl, kActive);
    b.run_to(b.now + 1000);
    b.start_memory(kBuffer, 64);
    b.send(32, 0x40);
    EXPECT_EQ(b.memory.at(kBuffer, 32), bytes_from(0x40, 32));
    b.write(kControl, kActive);
    b.run_to(b.now + 1000);
    b.write(kRp, 0);
    EXPECT_EQ(b.read(kData), 0x0302'0100U);
}

// --- What goes wrong -----------------------------------------------------------------------------

TEST(RamSink, RefusedBurstsAreLostCountedAndShownUntilCleared) {
    RamBench b;
    b.memory.accepts = false;
    b.start_memory(kBuffer, 64);
    b.send(32);
    EXPECT_EQ(b.read(kVendorStatus), 1U);
    EXPECT_EQ(b.unit.statistics().refused, 32U);
    b.write(kVendorStatus, 0);
    EXPECT_EQ(b.read(kVendorStatus), 1U); // RW1C
    b.write(kVendorStatus, 1);
    EXPECT_EQ(b.read(kVendorStatus), 0U);
}

TEST(RamSink, LimitBelowTheStartWritesWordsAtTheStart) {
    RamBench b;
    b.write(kControl, kActive | kSmem);
    b.write(kStart, 0x1000);
    b.write(kLimit, 0x100);
    b.write(kWp, 0x200);
    EXPECT_TRUE(b.unit.buffer().contains(0x1000)); // nothing is written outside of it
    EXPECT_TRUE(b.unit.buffer().contains(0x200));
    b.write(kControl, kActive | kEnable | kSmem);
    b.send(32);
    for (const auto& [address, size] : b.memory.bursts) {
        EXPECT_EQ(size, 4U);
        EXPECT_TRUE(address == 0x200 || address == 0x1000);
    }
}

TEST(RamSink, PointerBehindTheLimitWritesOneWordThere) {
    RamBench b;
    b.start_memory(kBuffer, 16);
    b.write(kControl, kActive | kSmem);
    b.run_to(b.now + 10);
    b.write(kWp, 0x8000'0100);
    b.write(kControl, kActive | kEnable | kSmem);
    b.send(32);
    EXPECT_EQ(b.memory.bursts.front(), (std::pair<Address, std::size_t>{kBuffer + 0x100, 4}));
    EXPECT_EQ(b.memory.bursts[1].first, kBuffer);
}

// --- The port ------------------------------------------------------------------------------------

TEST(RamSink, BytesWrittenToThePortLeaveTheChipAndNothingIsOverwritten) {
    SinkConfig config = config_of(kBoth);
    config.port = {.base = kBuffer, .size = 64};
    config.port_divider = 1;
    RamBench b(config);
    b.start_memory(kBuffer, 64);
    b.send(128);
    EXPECT_EQ(b.probe.sent, bytes_from(0, 128));
    EXPECT_THAT(b.memory.bursts, IsEmpty());
    EXPECT_EQ(b.unit.statistics().overwritten, 0U);
    EXPECT_EQ(b.unit.statistics().written, 128U);
}

TEST(RamSink, BurstBesideThePortGoesToMemory) {
    SinkConfig config = config_of(kBoth);
    config.port = {.base = kBuffer, .size = 64};
    RamBench b(config);
    b.start_memory(kBuffer + 64, 64);
    b.send(32);
    EXPECT_THAT(b.probe.sent, IsEmpty());
    EXPECT_EQ(b.memory.at(kBuffer + 64, 32), bytes_from(0, 32));
}

} // namespace
} // namespace pes::trace::test
