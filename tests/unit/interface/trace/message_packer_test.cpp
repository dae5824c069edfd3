// SPDX-License-Identifier: Apache-2.0
// Bytes assembled by hand from the slice rules: data bits << 2 | end bits, least significant first.
#include "hw/interface/trace/message_packer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace pes::trace {
namespace {

using testing::ElementsAre;

std::vector<std::uint8_t> packed(const TraceMessage& message, unsigned source_bits = 0) {
    const PackedMessage bytes = pack_message(message, source_bits);
    return {bytes.view().begin(), bytes.view().end()};
}

TraceMessage stamped(TraceMessage message, std::uint64_t timestamp) {
    message.timestamp = timestamp;
    return message;
}

TraceMessage stimulus_write(std::uint64_t tag, std::uint64_t data) {
    return make_message(MessageCode::DataAcquisition).set(Field::IdTag, tag).set(Field::Data, data);
}

TEST(MessagePacker, SendsTheTimeOnlyEventOfARealEncoder) {
    EXPECT_THAT(packed(stamped(make_message(MessageCode::InCircuitTraceSync), 849)),
                ElementsAre(0x8C, 0x00, 0x01, 0x44, 0x37));
}

TEST(MessagePacker, SendsTheFirstStimulusWriteOfARealEncoder) {
    EXPECT_THAT(packed(stamped(stimulus_write(0, 0x7F63F334), 849 ^ 850)),
                ElementsAre(0x1C, 0x01, 0xD0, 0x30, 0xFC, 0x60, 0xFC, 0x05, 0x0F));
}

TEST(MessagePacker, GivesAZeroOneSlice) {
    // Stimulus 6, byte write: tag 27.
    EXPECT_THAT(packed(stimulus_write(0x1B, 0)), ElementsAre(0x1C, 0x6D, 0x03));
}

TEST(MessagePacker, StartsAVariableFieldBehindTheSource) {
    // SRC 2 in two bits, then tag 24: 0b1100010 over two slices.
    TraceMessage message = stimulus_write(0x18, 5);
    message.source = 2;
    EXPECT_THAT(packed(message, 2), ElementsAre(0x1C, 0x88, 0x05, 0x17));
}

TEST(MessagePacker, PutsAZeroIntoTheRestOfTheFixedSlice) {
    // SYNC 5 and I-CNT 0 share a slice; F-ADDR 0x40000000 has five slices of zeros below bit 30.
    const TraceMessage message = make_message(MessageCode::ProgramTraceSync)
                                     .set(Field::SyncReason, SyncReason::TraceEnable)
                                     .set(Field::Address, 0x8000'0000 >> 1);
    EXPECT_THAT(packed(stamped(message, 100)),
                ElementsAre(0x24, 0x15, 0x00, 0x00, 0x00, 0x00, 0x00, 0x05, 0x90, 0x07));
}

TEST(MessagePacker, GivesAZeroBehindAFullSliceASliceOfItsOwn) {
    // EVCODE 4 and CDF 0 fill a slice; decoders differ on whether I-CNT 0 may be left out.
    const TraceMessage message = make_message(MessageCode::ProgramTraceCorrelation)
                                     .set(Field::EventCode, CorrelationEvent::TraceDisabled);
    EXPECT_THAT(packed(message), ElementsAre(0x84, 0x10, 0x03));
}

TEST(MessagePacker, SendsTheHistoryOfACorrelationOnlyIfItsFormatSaysSo) {
    TraceMessage message = make_message(MessageCode::ProgramTraceCorrelation)
                               .set(Field::EventCode, CorrelationEvent::TraceDisabled)
                               .set(Field::InstructionCount, 7)
                               .set(Field::History, 0b101);
    EXPECT_THAT(packed(message), ElementsAre(0x84, 0x10, 0x1F));
    message.set(Field::DataFormat, 1);
    EXPECT_THAT(packed(message), ElementsAre(0x84, 0x50, 0x1D, 0x17));
}

TEST(MessagePacker, SendsAHistoryMessage) {
    // B-TYPE 0 and the four low bits of I-CNT 3 share a slice.
    EXPECT_THAT(packed(make_message(MessageCode::IndirectBranchHistory)
                           .set(Field::InstructionCount, 3)
                           .set(Field::Address, 1)
                           .set(Field::History, 0b101)),
                ElementsAre(0x70, 0x31, 0x05, 0x17));
}

TEST(MessagePacker, SendsTheRepeatCountOnlyOfARepeatedHistory) {
    TraceMessage message = make_message(MessageCode::ResourceFull)
                               .set(Field::ResourceCode, Resource::HistoryRepeat)
                               .set(Field::ResourceData, 0b1011)
                               .set(Field::HistoryRepeat, 3);
    EXPECT_THAT(packed(message), ElementsAre(0x6C, 0xC8, 0x09, 0x0F));
    message.set(Field::ResourceCode, Resource::History);
    EXPECT_THAT(packed(message), ElementsAre(0x6C, 0xC4, 0x0B));
}

TEST(MessagePacker, SendsAnError) {
    EXPECT_THAT(packed(make_message(MessageCode::Error).set(Field::ErrorCode, 1U << 2)),
                ElementsAre(0x20, 0x00, 0x07));
}

TEST(MessagePacker, SendsTheAddressOfAControlEventBeforeItsCode) {
    EXPECT_THAT(packed(make_message(MessageCode::InCircuitTraceSync)
                           .set(Field::DataFormat, 1)
                           .set(Field::EventData0, 1)
                           .set(Field::EventData1, ControlCode::TraceOn)),
                ElementsAre(0x8C, 0x40, 0x05, 0x0B));
}

TEST(MessagePacker, SendsTheLongestValueInElevenSlices) {
    const auto bytes = packed(stimulus_write(0, ~std::uint64_t{0}));
    ASSERT_EQ(bytes.size(), 2U + 11U);
    EXPECT_EQ(bytes[11], 0xFC);
    EXPECT_EQ(bytes[12], 0x3F); // four bits left: 0b1111 << 2 | 0b11
}

TEST(MessagePacker, NeedsOneSliceForTheTagOfEverySiFiveStimulus) {
    for (std::uint64_t tag = 0; tag < 4 * 16; ++tag) {
        EXPECT_EQ(packed(stimulus_write(tag, 0)).size(), 3U) << tag;
    }
    EXPECT_EQ(packed(stimulus_write(4 * 16, 0)).size(), 4U);
}

TEST(MessagePacker, NeedsAsManySlicesAsTheSizeOfAStoreAllows) {
    EXPECT_EQ(packed(stimulus_write(0, 0xFF)).size(), 2U + 2U);
    EXPECT_EQ(packed(stimulus_write(0, 0xFFFF)).size(), 2U + 3U);
    EXPECT_EQ(packed(stimulus_write(0, 0xFFFF'FFFF)).size(), 2U + 6U);
}

TEST(MessagePacker, RefusesAFixedValueThatDoesNotFit) {
    const TraceMessage message = make_message(MessageCode::Error).set(Field::ErrorType, 16);
    EXPECT_DEATH(pack_message(message, 0), "");
}

/// N-Trace 1.0, "Virtual Addresses Optimization": the four encodings of its example, behind TCODE,
/// and SYNC 5 with I-CNT 0.
TEST(MessagePacker, ExtendsAddressesAsTheSpecificationDoes) {
    const auto slices = [](std::uint64_t address) {
        const TraceMessage message = make_message(MessageCode::ProgramTraceSync)
                                         .set(Field::SyncReason, SyncReason::TraceEnable)
                                         .set(Field::Address, address >> 1);
        const PackedMessage bytes = pack_message(message, 0, {}, AddressForm::Extended);
        EXPECT_EQ(bytes.bytes[0], 0x24);
        EXPECT_EQ(bytes.bytes[1], 0x15);
        return std::vector<std::uint8_t>{bytes.view().begin() + 2, bytes.view().end()};
    };
    EXPECT_THAT(slices(0xF'FFFF'FFFE), ElementsAre(0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0x7F));
    EXPECT_THAT(slices(0xFFFF'FFFE'3FFF'FFFE), ElementsAre(0xFC, 0xFC, 0xFC, 0xFC, 0x7C, 0xF3));
    EXPECT_THAT(slices(0x1F'FFFF'FFFE), ElementsAre(0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0x03));
    EXPECT_THAT(slices(0xBFFF'FFFF'FFFF'FFFE),
                ElementsAre(0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0xFC, 0x17));
    EXPECT_THAT(slices(0), ElementsAre(0x03));
    EXPECT_THAT(slices(0xFFFF'FFFF'FFFF'FFFE), ElementsAre(0xFF)) << "all bits are equal";
}

TEST(SinkPadding, FillsTheLastWord) {
    EXPECT_EQ(padding(0, 8), 0U);
    EXPECT_EQ(padding(1, 8), 7U);
    EXPECT_EQ(padding(8, 8), 0U);
    EXPECT_EQ(padding(17, 4), 3U);
}

} // namespace
} // namespace pes::trace
