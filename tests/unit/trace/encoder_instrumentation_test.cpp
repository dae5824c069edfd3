// SPDX-License-Identifier: Apache-2.0
// Expectations: SiFive's instrumentation trace as recorded on a real core (byte examples, counts of
// each teInstrumentation mode), and the slice arithmetic of IEEE-ISTO 5001.
#include "tests/unit/trace/encoder_bench.h"

#include <algorithm>

namespace pes::trace {
namespace {

using namespace test;
namespace control = trace_map::control;

std::size_t count_of(const std::vector<MessageCode>& list, MessageCode code) {
    return static_cast<std::size_t>(std::count(list.begin(), list.end(), code));
}

std::vector<MessageCode> one_store_to_each(std::uint32_t mode) {
    Bench bench({.fifo_bytes = 1024});
    bench.run_instrumentation(mode);
    for (unsigned stimulus = 0; stimulus < kStimuli; ++stimulus) {
        bench.store32(stimulus, 0x1000 + stimulus, 100 + stimulus);
    }
    return codes(bench.messages());
}

TEST(Instrumentation, FirstMessageIsTheTimeOneTickBeforeTheStoreAsInTheRecordedStream) {
    Bench bench;
    bench.run_instrumentation(1, kTimestampsOn);
    bench.store32(0, 0x7F63F334, 849);
    EXPECT_EQ(bench.pull(),
              (std::vector<Bytes>{{0x8C, 0x00, 0x01, 0x44, 0x37},
                                  {0x1C, 0x01, 0xD0, 0x30, 0xFC, 0x60, 0xFC, 0x05, 0x0F}}));
}

// A program in user mode stores to the same stimuli, and reads the time; it reaches nothing else.
TEST(Instrumentation, PageForUserModeHasStimuliAndTimeAlone) {
    Bench bench({.fifo_bytes = 1024});
    bench.run_instrumentation(1, kTimestampsOn);
    RegisterBlock& page = bench.encoder.stimuli();
    const auto write = [&page](Address offset, unsigned bytes, std::uint64_t value) {
        return page.write(offset, bytes, value, 100);
    };
    EXPECT_EQ(write(trace_map::kItcStimulus + 4 * 6, 4, 0x70657266), AccessStatus::Ok);
    EXPECT_EQ(write(trace_map::kItcStimulus + 4 * 6 + 2, 2, 1), AccessStatus::Ok);
    EXPECT_EQ(write(trace_map::kItcStimulus + 4 * 6 + 3, 1, 1), AccessStatus::Ok);
    std::uint64_t time = 0;
    EXPECT_EQ(page.read(trace_map::kTimestampLower, 4, time, 200), AccessStatus::Ok);
    EXPECT_EQ(time, bench.read(trace_map::kTimestampLower, 200));
    EXPECT_EQ(write(trace_map::kTimestampLower, 4, 0), AccessStatus::RightsError);
    for (Address offset = 0; offset < trace_map::kBlockBytes; offset += 4) {
        const bool stimulus = offset >= trace_map::kItcStimulus &&
                              offset < trace_map::kItcStimulus + Address{4} * kStimuli;
        if (!stimulus && offset != trace_map::kTimestampLower &&
            offset != trace_map::kTimestampUpper) {
            EXPECT_EQ(write(offset, 4, ~0U), AccessStatus::AddressError) << std::hex << offset;
        }
    }
    EXPECT_EQ(count_of(codes(bench.messages()), MessageCode::DataAcquisition), 3U);
}

TEST(Instrumentation, ModeZeroSendsNothing) {
    EXPECT_TRUE(one_store_to_each(0).empty());
}

TEST(Instrumentation, ModeOneSendsEveryStimulusAsDataAcquisition) {
    const std::vector<MessageCode> list = one_store_to_each(1);
    EXPECT_EQ(list.size(), 32U);
    EXPECT_EQ(count_of(list, MessageCode::DataAcquisition), 32U);
}

TEST(Instrumentation, ModeTwoSendsOnlyTheOwnershipOf15And31) {
    EXPECT_EQ(one_store_to_each(2), (std::vector<MessageCode>(2, MessageCode::Ownership)));
}

TEST(Instrumentation, ModeThreeSendsTheRestAsDataAcquisition) {
    const std::vector<MessageCode> list = one_store_to_each(3);
    ASSERT_EQ(list.size(), 32U);
    EXPECT_EQ(count_of(list, MessageCode::DataAcquisition), 30U);
    EXPECT_EQ(list[15], MessageCode::Ownership); // 15 and 1, twice
    EXPECT_EQ(list[31], MessageCode::Ownership);
}

TEST(Instrumentation, AnOwnershipMessageCarriesTheWordAsProcess) {
    Bench bench;
    bench.run_instrumentation(2);
    bench.store32(15, 0xABCD'0013, 10);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].value(Field::Process), 0xABCD'0013U);
}

TEST(Instrumentation, TheTagTellsStimulusAndSize) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.store32(6, 0x11223344, 10);
    bench.store16(6, 0x5566, 20);
    bench.store8(6, 0x77, 30);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(list.size(), 3U);
    EXPECT_EQ(list[0].value(Field::IdTag), 0x18U);
    EXPECT_EQ(list[0].value(Field::Data), 0x11223344U);
    EXPECT_EQ(list[1].value(Field::IdTag), 0x1AU);
    EXPECT_EQ(list[1].value(Field::Data), 0x5566U);
    EXPECT_EQ(list[2].value(Field::IdTag), 0x1BU);
    EXPECT_EQ(list[2].value(Field::Data), 0x77U);
}

struct Size {
    unsigned source_bits;
    unsigned stimulus;
    unsigned bytes; ///< of the store
    std::uint32_t value;
    std::size_t slices;
};

// TCODE one slice; tag of 5 or 6 bits one, with SRC of s bits ceil((s + bits) / 6); data 1 to 6, 1
// to 3, 1 to 2.
TEST(Instrumentation, SizesAreThoseOfTheSliceArithmetic) {
    for (const Size& size :
         {Size{0, 6, 4, 0, 3}, Size{0, 6, 4, 0x3F, 3}, Size{0, 6, 4, 0x40, 4},
          Size{0, 15, 4, 0xFFFF'FFFF, 8}, Size{0, 6, 2, 0xFFFF, 5}, Size{0, 6, 2, 1, 3},
          Size{0, 6, 1, 0xFF, 4}, Size{0, 6, 1, 0x3F, 3}, Size{0, 16, 4, 0, 4}, Size{2, 6, 4, 0, 4},
          Size{2, 3, 4, 0, 3}, Size{2, 6, 4, 0xFFFF'FFFF, 9}}) {
        Bench bench({.source_bits = size.source_bits});
        bench.run_instrumentation(1);
        switch (size.bytes) {
        case 4:
            bench.store32(size.stimulus, size.value, 10);
            break;
        case 2:
            bench.store16(size.stimulus, size.value, 10);
            break;
        default:
            bench.store8(size.stimulus, size.value, 10);
            break;
        }
        const std::vector<Bytes> list = bench.pull();
        ASSERT_EQ(list.size(), 1U);
        EXPECT_EQ(list[0].size(), size.slices)
            << size.source_bits << " " << size.stimulus << " " << size.value;
    }
}

TEST(Instrumentation, StoresOfOtherShapesAreBusErrors) {
    Bench bench;
    bench.run_instrumentation(1);
    constexpr Address kStimulus = trace_map::kItcStimulus;
    EXPECT_EQ(bench.try_write(kStimulus, 2, 1, 10), AccessStatus::SizeError);
    EXPECT_EQ(bench.try_write(kStimulus, 1, 1, 10), AccessStatus::SizeError);
    EXPECT_EQ(bench.try_write(kStimulus, 8, 1, 10), AccessStatus::SizeError);
    EXPECT_EQ(bench.try_write(kStimulus + 2, 1, 1, 10), AccessStatus::SizeError);
    EXPECT_EQ(bench.try_write(kStimulus + 1, 1, 1, 10), AccessStatus::AddressError);
    EXPECT_TRUE(bench.pull().empty());
}

TEST(Instrumentation, OnlyEnabledStimuliSend) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.write(trace_map::kItcTraceEnable, 1U << 6);
    bench.store32(5, 1, 10);
    bench.store32(6, 2, 11);
    const std::vector<TraceMessage> list = bench.messages();
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].value(Field::Data), 2U);
}

TEST(Instrumentation, AStimulusReadsZeroWhileAStoreMightFindNoRoom) {
    Bench bench({.fifo_bytes = 76});
    bench.run_instrumentation(1);
    unsigned stores = 0;
    while (bench.read(trace_map::kItcStimulus, 10) != 0) {
        bench.store32(31, ~0U, 10);
        ASSERT_LT(++stores, 20U);
    }
    EXPECT_GT(stores, 3U);
    EXPECT_EQ(bench.encoder.counts().lost, 0U); // the protocol loses nothing
    bench.pull();
    EXPECT_NE(bench.read(trace_map::kItcStimulus, 20), 0U);
}

TEST(Instrumentation, WaitingForRoomLosesNothingWithTimestampsAndSrc) {
    Bench bench({.source = 3, .source_bits = 7, .fifo_bytes = 76});
    bench.run_instrumentation(1, kTimestampsOn);
    unsigned stores = 0;
    for (Cycle at = ~Cycle{0} >> 1; stores < 500; ++at) { // far from 0: long timestamps
        if (bench.read(trace_map::kItcStimulus + Address{4} * 31, at) == 0) {
            bench.pull();
            ASSERT_NE(bench.read(trace_map::kItcStimulus + Address{4} * 31, at), 0U);
        }
        bench.store32(31, ~0U - stores, at);
        ++stores;
    }
    EXPECT_EQ(bench.encoder.counts().lost, 0U);
}

TEST(Instrumentation, AStimulusIsNeverWaitedForWhileTraceIsOff) {
    Bench bench;
    EXPECT_NE(bench.read(trace_map::kItcStimulus), 0U);
}

TEST(Instrumentation, EveryMessageCarriesSrcUnlessInhibited) {
    Bench bench({.source = 2, .source_bits = 2});
    bench.run_instrumentation(1, kTimestampsOn);
    bench.store32(6, 5, 10);
    for (const TraceMessage& message : bench.messages(2)) {
        EXPECT_EQ(message.source, 2U);
    }
    bench.modify(trace_map::kControl, 0, control::kInhibitSource, 20);
    bench.store32(6, 0, 30);
    const std::vector<Bytes> list = bench.pull();
    ASSERT_EQ(list.size(), 1U);
    // TCODE 7, tag 0x18, no SRC between them: data 0, and some timestamp.
    EXPECT_EQ(Bytes(list[0].begin(), list[0].begin() + 3), (Bytes{0x1C, 0x61, 0x01}));
}

TEST(Instrumentation, AMessageIsReadyInTheCycleOfItsStore) {
    Bench bench;
    bench.run_instrumentation(1);
    bench.store32(0, 0, 123);
    EXPECT_EQ(bench.sink.ready, (std::vector<std::pair<std::size_t, Cycle>>{{3, 123}}));
    EXPECT_TRUE(bench.sink.pull(122).empty());
    EXPECT_EQ(bench.sink.pull(123).size(), 1U);
}

} // namespace
} // namespace pes::trace
