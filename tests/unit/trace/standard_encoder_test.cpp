// SPDX-License-Identifier: Apache-2.0
// The encoder behind the registers of the RISC-V Trace Control Interface 1.0. Offsets, bits and
// rules are those of its chapters "Trace Encoder Control Interface" and "Reset and Discovery"; for
// N-Trace those of the table of control fields in the N-Trace 1.0 specification.
#include "tests/unit/trace/encoder_bench.h"

#include <gmock/gmock.h>

namespace pes::trace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Address kControl = 0x000, kImpl = 0x004, kFeatures = 0x008;
constexpr Address kTriggerIn = 0x054;
constexpr Address kVendorItc = 0xE00, kVendorItcEnable = 0xE04, kVendorEvents = 0xE08;
constexpr Address kVendorStimulus = 0xE80;

constexpr std::uint32_t kActive = 1U << 0, kEnable = 1U << 1, kTracing = 1U << 2, kEmpty = 1U << 3;
constexpr std::uint32_t kContext = 1U << 9, kTrigEnable = 1U << 11, kOverflow = 1U << 12;
constexpr std::uint32_t kStall = 1U << 13, kInhibitSrc = 1U << 15;
constexpr std::uint32_t kOn = kActive | kEnable | kTracing;

constexpr std::uint32_t mode(std::uint32_t code) {
    return code << 4;
}
constexpr std::uint32_t sync(std::uint32_t how, std::uint32_t max) {
    return how << 16 | max << 20;
}

EncoderConfig standard(unsigned source = 0, unsigned source_bits = 0) {
    return {.registers = RegisterSet::Standard,
            .source = source,
            .source_bits = source_bits,
            .timestamps = {TimestampDialect::NTrace, 40}};
}

class StandardEncoder : public testing::Test {
  protected:
    Bench b{standard()};
};

// --- Page ----------------------------------------------------------------------------------------

TEST_F(StandardEncoder, UnusedWordsOfThePageReadAsZeroAndIgnoreWrites) {
    b.write(kControl, kActive);
    // data trace, reserved, trigger outputs, vendor's
    for (const Address offset : {0x010U, 0x014U, 0x018U, 0x01CU, 0x020U, 0x03CU, 0x044U, 0x050U,
                                 0x058U, 0x060U, 0x7FCU, 0xDFCU, 0xFFCU}) {
        b.write(offset, ~0U);
        EXPECT_EQ(b.read(offset), 0U) << std::hex << offset;
    }
}

TEST_F(StandardEncoder, EveryWordOfThePageAnswers) {
    for (Address offset = 0; offset < 0x1000; offset += 4) {
        std::uint64_t value = 0;
        EXPECT_EQ(b.encoder.registers().read(offset, 4, value, 0), AccessStatus::Ok);
    }
}

TEST_F(StandardEncoder, ReadOnlyRegistersIgnoreWrites) {
    const std::uint32_t before = b.read(kImpl);
    b.write(kImpl, ~0U);
    EXPECT_EQ(b.read(kImpl), before);
}

TEST_F(StandardEncoder, RegistersTakeWholeWordsOnly) {
    EXPECT_EQ(b.try_write(kControl, 1, 1, 0), AccessStatus::SizeError);
    EXPECT_EQ(b.try_write(kControl, 8, 1, 0), AccessStatus::SizeError);
    EXPECT_EQ(b.try_write(kFeatures, 2, 1, 0), AccessStatus::SizeError);
    EXPECT_EQ(b.read(kControl) & kActive, 0U);
}

// --- trTeImpl ------------------------------------------------------------------------------------

TEST_F(StandardEncoder, ImplementationIsVersion1_0OfAnEncoderForNTrace1_0) {
    const std::uint32_t impl = b.read(kImpl);
    EXPECT_EQ(impl & 15, 1U);       // trTeVerMajor
    EXPECT_EQ(impl >> 4 & 15, 0U);  // trTeVerMinor
    EXPECT_EQ(impl >> 8 & 15, 1U);  // trTeCompType: TRCOMP_ENCODER
    EXPECT_EQ(impl >> 12 & 15, 0U); // reserved
    EXPECT_EQ(impl >> 16 & 15, 1U); // trTeProtocolMajor of N-Trace 1.0
    EXPECT_EQ(impl >> 20 & 15, 0U); // trTeProtocolMinor
}

// "trTeTrig...: hardcode to 0"
TEST(StandardEncoderFormat, ETraceHasNoTriggerInputs) {
    EncoderConfig config = standard();
    config.protocol = Protocol::ETrace;
    Bench b(config);
    b.write(kControl, kActive);
    b.write(kTriggerIn, 0x0000'0324);
    EXPECT_EQ(b.read(kTriggerIn), 0U);
}

TEST(StandardEncoderFormat, OtherDialectThanNTraceIsTheVendorsFormat) {
    EncoderConfig config = standard();
    config.timestamps.dialect = TimestampDialect::SiFive;
    Bench b(config);
    EXPECT_EQ(b.read(kControl) >> 24 & 7, 7U);
    EXPECT_EQ(b.read(kImpl) >> 16, 0U);
}

// --- trTeControl ---------------------------------------------------------------------------------

TEST_F(StandardEncoder, ActiveAndEnableAreZeroAtResetAndItIsEmpty) {
    EXPECT_EQ(b.read(kControl) & (kActive | kEnable | kEmpty), kEmpty);
}

TEST_F(StandardEncoder, ActiveReadsAsWritten) {
    b.write(kControl, kActive);
    EXPECT_EQ(b.read(kControl) & kActive, kActive);
    b.write(kControl, 0);
    EXPECT_EQ(b.read(kControl) & kActive, 0U);
}

TEST_F(StandardEncoder, ResetDisablesIt) {
    b.write(kControl, kOn | mode(6));
    b.write(kControl, 0);
    EXPECT_EQ(b.read(kControl) & (kEnable | kTracing), 0U);
    EXPECT_EQ(b.tracer.take().back(), "stop 4 @0"); // EVCODE 4: trace disabled
}

TEST_F(StandardEncoder, EnableIsNotSetWhileActiveIsZero) {
    b.write(kControl, kEnable | kTracing | mode(6));
    EXPECT_EQ(b.read(kControl) & kEnable, 0U);
    EXPECT_THAT(b.tracer.take(), IsEmpty());
}

TEST_F(StandardEncoder, ReservedBitsOfControlAreZero) {
    b.write(kControl, ~0U);
    EXPECT_EQ(b.read(kControl) & (3U << 7 | 1U << 10 | 1U << 14 | 3U << 18 | 31U << 27), 0U);
}

TEST_F(StandardEncoder, OtherRegistersIgnoreWritesWhileActiveIsZero) {
    b.write(kFeatures, 8);
    b.write(kTriggerIn, 0x2222'2222);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, ~0U);
    EXPECT_EQ(b.read(kFeatures) & 8, 0U);
    EXPECT_EQ(b.read(kTriggerIn), 0U);
    EXPECT_EQ(b.read(kVendorItc), 0U);
    EXPECT_EQ(b.read(kVendorItcEnable), 0U);
}

TEST_F(StandardEncoder, UnsupportedModeBecomesASupportedOneAndNeverZero) {
    const auto becomes = [this](std::uint32_t code) {
        b.write(kControl, kActive | mode(code));
        return b.read(kControl) >> 4 & 7;
    };
    EXPECT_EQ(becomes(0), 0U);
    EXPECT_EQ(becomes(3), 3U);                          // BTM
    EXPECT_EQ(becomes(6), 6U);                          // HTM
    EXPECT_EQ(becomes(7), 7U);                          // vendor
    for (const std::uint32_t code : {1U, 2U, 4U, 5U}) { // N-Trace: reserved
        EXPECT_NE(becomes(code), 0U) << code;
        EXPECT_TRUE(becomes(code) == 3 || becomes(code) == 6) << code;
    }
}

TEST_F(StandardEncoder, ModesAreBranchTraceHistoryTraceAndEvents) {
    const auto traced = [this](std::uint32_t code) {
        b.write(kControl, 0);
        b.write(kControl, kActive);
        b.write(kControl, kOn | mode(code));
        return b.tracer.settings.mode;
    };
    EXPECT_EQ(traced(3), InstructionMode::Branches);
    EXPECT_EQ(traced(6), InstructionMode::History);
    EXPECT_EQ(traced(7), InstructionMode::Events);
}

TEST_F(StandardEncoder, TraceRunsWithEnableAndTracing) {
    b.write(kControl, kActive | mode(6), 10);
    b.write(kControl, kActive | kEnable | mode(6), 11);
    EXPECT_THAT(b.tracer.take(), IsEmpty());
    b.write(kControl, kOn | mode(6), 12);
    EXPECT_THAT(b.tracer.take(), ElementsAre("start 5 @12")); // SYNC 5: trace enable
    b.write(kControl, kActive | kEnable | mode(6), 20);
    EXPECT_THAT(b.tracer.take(), ElementsAre("stop 4 @20"));
}

TEST_F(StandardEncoder, ClearingEnableFlushesWhatIsQueued) {
    b.write(kControl, kOn | mode(6));
    b.write(kControl, kActive | kTracing | mode(6), 30);
    EXPECT_THAT(b.sink.flushes, ElementsAre(30U));
}

TEST_F(StandardEncoder, EmptyIsZeroUntilAllHasBeenTaken) {
    b.write(kControl, kActive);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, ~0U);
    b.write(kControl, kOn);
    b.write(kVendorStimulus, 1, 5);
    b.write(kControl, kActive, 6);
    EXPECT_EQ(b.read(kControl) & kEmpty, 0U);
    EXPECT_FALSE(b.pull().empty());
    EXPECT_EQ(b.read(kControl) & kEmpty, kEmpty);
}

TEST_F(StandardEncoder, EmptyIsItsOwnAndNotTheSinks) {
    b.sink.is_empty = false; // trRamEmpty says that
    EXPECT_EQ(b.read(kControl) & kEmpty, kEmpty);
}

TEST_F(StandardEncoder, SyncModeCountsMessagesCyclesOrHalfWords) {
    const auto traced = [this](std::uint32_t how, std::uint32_t max) {
        b.write(kControl, kActive | sync(how, max));
        b.write(kControl, kOn | mode(6) | sync(how, max));
        const InstructionTraceSettings& settings = b.tracer.settings;
        return std::array{settings.sync_messages, settings.sync_cycles, settings.sync_units};
    };
    using Limits = std::array<std::uint64_t, 3>;
    EXPECT_EQ(traced(1, 0), (Limits{16, 0, 0})); // 2^(trTeInstSyncMax + 4)
    EXPECT_EQ(traced(1, 15), (Limits{1U << 19, 0, 0}));
    EXPECT_EQ(traced(2, 3), (Limits{0, 128, 0}));
    EXPECT_EQ(traced(3, 8), (Limits{0, 0, 4096}));
    EXPECT_EQ(traced(0, 8), (Limits{0, 0, 0}));
}

// "Reset and Discovery": 0x0, then 0x1, which sets all WARL fields to their defaults.
TEST_F(StandardEncoder, ReleaseFromResetSetsTheDefaults) {
    constexpr std::uint32_t kMessages = 1, kEvery256 = 4; // of the register's table
    const auto synchronises = [this] { return b.read(kControl) & sync(3, 15); };
    b.write(kControl, kActive | sync(3, 8));
    EXPECT_EQ(synchronises(), sync(3, 8));
    b.write(kControl, 0);
    b.write(kControl, kActive);
    EXPECT_EQ(synchronises(), sync(kMessages, kEvery256));
    b.write(kControl, kActive); // not a release
    EXPECT_EQ(synchronises(), 0U);
}

TEST_F(StandardEncoder, FormatIsNTraceWhateverIsWritten) {
    for (std::uint32_t code = 0; code < 8; ++code) {
        b.write(kControl, kActive | code << 24);
        EXPECT_EQ(b.read(kControl) >> 24 & 7, 1U);
    }
}

TEST_F(StandardEncoder, ContextAsksForOwnershipMessages) {
    b.write(kControl, kActive);
    b.write(kControl, kOn | mode(6) | kContext);
    EXPECT_EQ(b.read(kControl) & kContext, kContext);
    EXPECT_EQ(b.tracer.settings.events, 1U << 5);
    b.write(kControl, kActive | mode(6));
    EXPECT_EQ(b.read(kControl) & kContext, 0U);
}

TEST_F(StandardEncoder, InhibitSourceLeavesOutTheField) {
    Bench wide(standard(5, 3));
    wide.write(kControl, kActive);
    wide.write(kVendorItc, 1);
    wide.write(kVendorItcEnable, ~0U);
    wide.write(kControl, kOn);
    wide.write(kVendorStimulus, 1, 5);
    EXPECT_EQ(wide.messages(3).at(0).source, 5U);
    wide.write(kControl, kOn | kInhibitSrc);
    EXPECT_EQ(wide.read(kControl) & kInhibitSrc, kInhibitSrc);
    wide.write(kVendorStimulus, 2, 6);
    EXPECT_EQ(wide.messages(0).at(0).source, 0U);
}

// --- trTeInstStallOrOverflow: RW1C ---------------------------------------------------------------

class StandardOverflow : public StandardEncoder {
  protected:
    StandardOverflow() {
        b.sink.is_empty = true;
        b.write(kControl, kActive);
        b.write(kVendorItc, 1);
        b.write(kVendorItcEnable, ~0U);
        b.write(kControl, kOn);
        for (unsigned store = 0; store < 200; ++store) { // nobody pulls: the FIFO overflows
            b.write(kVendorStimulus, ~0U, store);
        }
    }
    bool overflow() { return (b.read(kControl) & kOverflow) != 0; }
};

TEST_F(StandardOverflow, IsSetByALostMessageAndStaysWhenZeroIsWritten) {
    EXPECT_TRUE(overflow());
    b.write(kControl, kOn);
    EXPECT_TRUE(overflow());
}

TEST_F(StandardOverflow, IsClearedByWritingOne) {
    b.write(kControl, kOn | kOverflow);
    EXPECT_FALSE(overflow());
}

TEST_F(StandardOverflow, IsClearedWhenTraceIsEnabled) {
    b.write(kControl, kActive);
    EXPECT_TRUE(overflow());
    b.write(kControl, kActive | kEnable);
    EXPECT_FALSE(overflow());
}

TEST_F(StandardOverflow, IsClearedByReset) {
    b.write(kControl, 0);
    EXPECT_FALSE(overflow());
}

TEST_F(StandardEncoder, StallEnableHoldsTheHartInsteadOfLosingMessages) {
    b.write(kControl, kActive);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, ~0U);
    b.write(kControl, kOn | kStall);
    for (unsigned store = 0; store < 200; ++store) {
        b.write(kVendorStimulus, ~0U, store);
    }
    EXPECT_FALSE(b.hart.waits.empty());
    EXPECT_EQ(b.encoder.counts().lost, 0U);
    EXPECT_EQ(b.read(kControl) & kOverflow, kOverflow);
}

TEST(StandardEncoderWarl, WithoutHartAndTracerThereIsNeitherStallNorInstructionTrace) {
    Bench b(standard(), {.hart = false, .tracer = false});
    b.write(kControl, kActive | kStall | kContext | mode(6));
    EXPECT_EQ(b.read(kControl) & (kStall | kContext | mode(7)), 0U);
    b.write(kFeatures, 8);
    EXPECT_EQ(b.read(kFeatures) & 8, 0U);
}

// --- trTeInstFeatures ----------------------------------------------------------------------------

TEST_F(StandardEncoder, FeaturesAreThreeOptimisationsOfNTrace) {
    b.write(kControl, kActive);
    b.write(kFeatures, ~0U & ~(0xFFFFU << 16));
    // N-Trace: NoAddrDiff, NoTrapAddr, BranchPrediction and JumpTargetCache are hard-coded 0.
    // Implicit returns over full addresses, repeated history, extended addresses.
    EXPECT_EQ(b.read(kFeatures) & 0xFFFF, 1U << 3 | 3U << 6 | 1U << 8 | 1U << 10);
    b.write(kFeatures, 0);
    EXPECT_EQ(b.read(kFeatures) & 0xFFFF, 0U);
}

TEST_F(StandardEncoder, EachIsEnabledForItself) {
    for (const auto& [bits, options] :
         {std::pair{1U << 3, FlowOptions{.implicit_returns = true}},
          std::pair{1U << 8, FlowOptions{.repeats = true}}, std::pair{1U << 10, FlowOptions{}}}) {
        for (const std::uint32_t code : {3U, 6U}) {
            b.write(kControl, kActive);
            b.write(kFeatures, bits);
            b.write(kControl, kOn | mode(code));
            EXPECT_EQ(b.tracer.settings.options, options);
            EXPECT_EQ(static_cast<std::uint32_t>(b.tracer.settings.mode), code);
        }
    }
}

/// F-ADDR 0xFFFF'FFFE'3FFF'FFFE is the second example of "Virtual Addresses Optimization".
TEST_F(StandardEncoder, ExtendedAddressesTakeFewerBytes) {
    const auto size_of_sync = [this](std::uint32_t features) {
        b.write(kControl, 0);
        b.write(kControl, kActive);
        b.write(kFeatures, features);
        b.write(kControl, kOn | mode(6));
        const std::uint64_t before = b.encoder.counts().bytes;
        b.encoder.port().send(make_message(MessageCode::ProgramTraceSync)
                                  .set(Field::SyncReason, SyncReason::TraceEnable)
                                  .set(Field::Address, 0x7FFF'FFFF'1FFF'FFFF),
                              0);
        return b.encoder.counts().bytes - before;
    };
    EXPECT_EQ(size_of_sync(0), 2U + 11U);
    EXPECT_FALSE(b.encoder.counts().extended_addresses);
    EXPECT_EQ(size_of_sync(1U << 10), 2U + 6U);
    EXPECT_TRUE(b.encoder.counts().extended_addresses);
}

TEST(StandardSource, IdHas12BitsAndItsWidthIsAtMost12) {
    Bench b(standard());
    b.write(kControl, kActive);
    b.write(kFeatures, 0xFFFFU << 16);
    EXPECT_EQ(b.read(kFeatures) >> 16 & 0xFFF, 0xFFFU); // trTeSrcID
    EXPECT_EQ(b.read(kFeatures) >> 28, 12U);            // trTeSrcBits: 0..12
}

TEST(StandardSource, MessagesHaveTheIdThatSoftwareGives) {
    Bench b(standard());
    b.write(kControl, kActive);
    b.write(kFeatures, 12U << 28 | 0xABCU << 16);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, ~0U);
    b.write(kControl, kOn);
    b.write(kVendorStimulus, 7, 5);
    const std::vector<TraceMessage> messages = b.messages(12);
    ASSERT_EQ(messages.size(), 1U);
    EXPECT_EQ(messages[0].source, 0xABCU);
}

TEST(StandardSource, IdThatIsWiderThanItsFieldIsSentByItsLowBits) {
    Bench b(standard());
    b.write(kControl, kActive);
    b.write(kFeatures, 4U << 28 | 0xABCU << 16);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, ~0U);
    b.write(kControl, kOn);
    b.write(kVendorStimulus, 7, 5);
    EXPECT_EQ(b.messages(4).at(0).source, 0xCU);
}

TEST(StandardSource, ResetGivesTheHartsOwnId) {
    Bench b(standard(3, 2));
    EXPECT_EQ(b.read(kFeatures) >> 16, 2U << 12 | 3U);
    b.write(kControl, kActive);
    b.write(kFeatures, 0);
    b.write(kControl, 0);
    EXPECT_EQ(b.read(kFeatures) >> 16, 2U << 12 | 3U);
}

TEST(StandardSource, ConfigurationTakes12Bits) {
    EXPECT_NO_THROW(Bench(standard(4095, 12)));
    EXPECT_THROW(Bench(standard(0, 13)), std::invalid_argument);
    EXPECT_THROW(Bench(standard(16, 4)), std::invalid_argument);
}

// --- Triggers ------------------------------------------------------------------------------------

class StandardTrigger : public StandardEncoder {
  protected:
    StandardTrigger() {
        b.write(kControl, kActive);
        b.write(kTriggerIn, 0x0000'0432); // input 0: on, 1: off, 2: notify
    }
    bool tracing() { return (b.read(kControl) & kTracing) != 0; }
};

TEST_F(StandardTrigger, TraceOnAndOffNeedInstTrigEnable) {
    b.write(kControl, kActive | kEnable | mode(6));
    b.encoder.trigger(0, 10);
    EXPECT_FALSE(tracing());
    b.write(kControl, kActive | kEnable | mode(6) | kTrigEnable);
    EXPECT_EQ(b.read(kControl) & kTrigEnable, kTrigEnable);
    b.encoder.trigger(0, 20);
    EXPECT_TRUE(tracing());
    b.encoder.trigger(1, 30);
    EXPECT_FALSE(tracing());
    EXPECT_THAT(b.tracer.take(), ElementsAre("start 0 @20", "stop 4 @30"));
}

TEST_F(StandardTrigger, NotifySendsThePresentPcWhileTracing) {
    b.write(kControl, kActive | kEnable | mode(6));
    b.encoder.trigger(2, 10);
    EXPECT_THAT(b.tracer.take(), IsEmpty());
    b.write(kControl, kOn | mode(6));
    b.tracer.take();
    b.encoder.trigger(2, 20);
    EXPECT_THAT(b.tracer.take(), ElementsAre("synchronise 0 @20"));
}

TEST_F(StandardTrigger, ReservedActionsAndInputsThatAreNotThereAreZero) {
    b.write(kTriggerIn, 0xFFFF'FF51);
    EXPECT_EQ(b.read(kTriggerIn), 0U);
    b.write(kTriggerIn, 0x4444'4444);
    std::uint32_t there = 0;
    for (unsigned input = 0; input < kTriggerInputs; ++input) {
        there |= 4U << 4 * input;
    }
    EXPECT_EQ(b.read(kTriggerIn), there);
}

// --- Vendor's registers --------------------------------------------------------------------------

TEST_F(StandardEncoder, StimuliOfTheVendorSpaceSendWithTheTagsOfSiFives) {
    b.write(kControl, kActive);
    b.write(kVendorItc, 1);
    b.write(kVendorItcEnable, 1U << 6);
    b.write(kControl, kOn);
    b.write(kVendorStimulus + 4 * 6, 0x1234'5678, 5);
    EXPECT_EQ(b.try_write(kVendorStimulus + 4 * 6 + 2, 2, 0xBEEF, 6), AccessStatus::Ok);
    EXPECT_EQ(b.try_write(kVendorStimulus + 4 * 6 + 3, 1, 0x42, 7), AccessStatus::Ok);
    b.write(kVendorStimulus + 4 * 7, 1, 8); // not enabled
    const std::vector<TraceMessage> messages = b.messages();
    ASSERT_EQ(messages.size(), 3U);
    EXPECT_EQ(messages[0].value(Field::IdTag), 24U);
    EXPECT_EQ(messages[0].value(Field::Data), 0x1234'5678U);
    EXPECT_EQ(messages[1].value(Field::IdTag), 26U);
    EXPECT_EQ(messages[2].value(Field::IdTag), 27U);
}

TEST_F(StandardEncoder, EventsAreThoseOfTheVendorMode) {
    b.write(kControl, kActive);
    b.write(kVendorEvents, 0x3F);
    EXPECT_EQ(b.read(kVendorEvents), 0x3DU); // no watchpoints
    b.write(kControl, kOn | mode(7) | kContext);
    EXPECT_EQ(b.tracer.settings.events, 0x3DU);
}

TEST_F(StandardEncoder, ResetSequenceOfTheStandardLeavesAllOptionsOff) {
    b.write(kControl, 0);
    b.write(kControl, 1);
    for (const Address offset : {0x008U, 0x00CU, 0x010U, 0x01CU, 0x050U, 0x054U, 0x058U, 0x040U}) {
        b.write(offset, 0);
        EXPECT_EQ(b.read(offset) & ~(63U << 24 | 7U << 4), 0U) << std::hex << offset;
    }
    EXPECT_EQ(b.read(kControl) & (kActive | kEnable), kActive);
}

} // namespace
} // namespace pes::trace::test
