// SPDX-License-Identifier: Apache-2.0
// The stores that headers and records consist of, in their order. Expected values are written out
// by hand from the format of SiFive's trace performance library.
#include "firmware/perf/perf.h"
#include "firmware/perf/record.h"
#include "tests/unit/firmware/perf/fake_machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::perf {
namespace {

using perf_record::RecordKind;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr int kChannel = 6;
constexpr std::uint32_t kHeader = 0x7065'7266;
constexpr std::uint32_t kInfo64 = 63 << 12;

perfEvent general(int code) {
    perfEvent event{};
    event.type = perfEventHWGeneral;
    event.code = code;
    return event;
}
perfEvent raw(unsigned long selector) {
    perfEvent event{};
    event.type = perfEventHWRaw;
    event.event_data = selector;
    return event;
}
perfEvent cache(int id, int operation, int result) {
    perfEvent event{};
    event.type = perfEventHWCache;
    event.cache_id = id;
    event.op_id = operation;
    event.result_id = result;
    return event;
}

class PerfRecord : public testing::Test {
  protected:
    PerfRecord() {
        reset_machine();
        EXPECT_EQ(perfInit(2, 0), 0);
    }

    static int initialise(std::vector<perfEvent> events, perfCountType_t type) {
        return perfManualInit(events.data(), static_cast<int>(events.size()), kChannel, type, 0);
    }
    static std::vector<Store> take_stores() {
        return std::exchange(machine_state.encoders.at(machine_state.hart).stimuli[kChannel], {});
    }
    /// A record with an address of the test's choice.
    static void record(std::uint64_t address) {
        const InterruptMask mask;
        EXPECT_EQ(write_record(*this_hart(), RecordKind::Manual, {address, 0}), Status::Ok);
    }
};

TEST_F(PerfRecord, HeaderDefinesCountersInAscendingOrderWhateverTheOrderOfTheList) {
    ASSERT_EQ(initialise({raw(0x11), general(HW_INSTRUCTIONS), general(HW_TIMESTAMP),
                          general(HW_CPU_CYCLES)},
                         perfCount_Delta),
              0);
    ASSERT_EQ(perfTraceOn(), 0);
    EXPECT_THAT(take_stores(),
                ElementsAre(word(kHeader), byte(1), word(0b1111),    //
                            word(0), word(1), word(0xC00 | kInfo64), // cycles
                            word(0), word(0x80), word(39 << 12),     // timestamp, 40 bits
                            word(0), word(2), word(0xC02 | kInfo64), // instructions
                            word(2), word(0x11), word(0), word(0xC03 | kInfo64) // raw event
                            ));
}

TEST_F(PerfRecord, HeaderOfACacheEventHasTheCodeOfTheSbi) {
    // L1D (0), write (1), access (0): counted as stores. DTLB (3), read (0), miss (1).
    ASSERT_EQ(initialise({cache(0, 1, 0), cache(3, 0, 1)}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    EXPECT_THAT(take_stores(), ElementsAre(word(kHeader), byte(0), word(0b11000),     //
                                           word(1), word(0x2), word(0xC03 | kInfo64), //
                                           word(1), word(3 << 3 | 1), word(0xC04 | kInfo64)));
    EXPECT_EQ(machine_state.events[3], 6U); // store
    EXPECT_EQ(machine_state.events[4], 4U); // dtlb-miss
}

TEST_F(PerfRecord, RawRecordIsKindAddressAndValues) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES), general(HW_INSTRUCTIONS)}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    machine_state.counters[0] = 0x1234;
    machine_state.counters[2] = 0xFFFF'FFFF;
    record(0x8000'0010);
    EXPECT_THAT(take_stores(),
                ElementsAre(byte(2), word(0x8000'0010), word(0x1234), word(0xFFFF'FFFF)));
}

TEST_F(PerfRecord, ValueOf33BitsHasASecondStoreOf16Bits) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES), general(HW_INSTRUCTIONS)}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    machine_state.counters[0] = 0x1'0000'0000;
    machine_state.counters[2] = 0xABCD'1234'5678;
    record(0x10);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x10), word(0), half(1), word(0x1234'5678),
                                           half(0xABCD)));
}

TEST_F(PerfRecord, AddressOf33BitsSaysSoInItsLowestBit) {
    ASSERT_EQ(initialise({}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    record(0xFFFF'FFC0'8000'0010);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x8000'0011), word(0xFFFF'FFC0)));
}

TEST_F(PerfRecord, DeltaCountsFromTraceOnAndThenFromRecordToRecord) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES)}, perfCount_Delta), 0);
    machine_state.counters[0] = 1000;
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    machine_state.counters[0] = 1007;
    record(0x8000'0000);
    machine_state.counters[0] = 1107;
    record(0x8000'0000);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x8000'0000), word(7), byte(2),
                                           word(0x8000'0000), word(100)));
}

TEST_F(PerfRecord, DeltaOfAWrappedCounterIsSmall) {
    machine_state.counter_width = 40;
    ASSERT_EQ(initialise({raw(5)}, perfCount_Delta), 0);
    machine_state.counters[3] = 0xFF'FFFF'FFFE;
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    machine_state.counters[3] = 3;
    record(0x10);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x10), word(5)));
}

TEST_F(PerfRecord, DeltaXorStartsWithTheRawValueAndTheWholeAddress) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES)}, perfCount_DeltaXOR), 0);
    machine_state.counters[0] = 0x0F0;
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    record(0x8000'0010);
    machine_state.counters[0] = 0x0FF;
    record(0x8000'0014);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x8000'0010), word(0x0F0), byte(2),
                                           word(0x04), word(0x00F)));
}

TEST_F(PerfRecord, DeltaXorStartsAnewBehindEachHeader) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES)}, perfCount_DeltaXOR), 0);
    machine_state.counters[0] = 0x55;
    ASSERT_EQ(perfTraceOn(), 0);
    record(0x8000'0010);
    ASSERT_EQ(perfTraceOff(), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    record(0x8000'0010);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x8000'0010), word(0x55)));
}

TEST_F(PerfRecord, DeltaXorOfAWrappedCounterSetsTheBitAboveIt) {
    machine_state.counter_width = 40;
    ASSERT_EQ(initialise({raw(5)}, perfCount_DeltaXOR), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    machine_state.counters[3] = 0xFF'0000'0000;
    record(0x10);
    take_stores();
    machine_state.counters[3] = 0;
    record(0x10);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0), word(0), half(0x1FF)));
}

TEST_F(PerfRecord, FunctionRecordsHaveTwoAddressesWithOneReference) {
    std::vector<perfEvent> events{general(HW_CPU_CYCLES)};
    ASSERT_EQ(perfFuncEntryExitInit(events.data(), 1, kChannel, perfCount_DeltaXOR, 0), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    auto* const function = reinterpret_cast<void*>(0x8000'0100);
    auto* const caller = reinterpret_cast<void*>(0x8000'0108);
    machine_state.counters[0] = 1;
    __cyg_profile_func_enter(function, caller);
    machine_state.counters[0] = 3;
    __cyg_profile_func_exit(function, caller);
    EXPECT_THAT(take_stores(), ElementsAre(byte(0), word(0x8000'0100), word(0x8), word(1), //
                                           byte(1), word(0x8), word(0x8), word(2)));
}

TEST_F(PerfRecord, FunctionsAreRecordedOnlyAfterTheirInitialisation) {
    ASSERT_EQ(initialise({}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    __cyg_profile_func_enter(nullptr, nullptr);
    __cyg_profile_func_exit(nullptr, nullptr);
    EXPECT_THAT(take_stores(), IsEmpty());
}

TEST_F(PerfRecord, TimestampIsThatOfTheTrace) {
    ASSERT_EQ(initialise({general(HW_TIMESTAMP)}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    machine_state.encoders[0].timestamp = 0x12'3456'789A;
    record(0x10);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x10), word(0x3456'789A), half(0x12)));
}

// Short, so that its own address tells where it calls from.
[[gnu::noinline]] int write_from_here() {
    const int result = perfWriteCntrs();
    asm volatile(""); // no tail call
    return result;
}

TEST_F(PerfRecord, WrittenAddressIsTheReturnAddressOfTheCall) {
    ASSERT_EQ(initialise({}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    take_stores();
    ASSERT_EQ(write_from_here(), 0);
    const std::vector<Store> stores = take_stores();
    ASSERT_EQ(stores.size(), 3U); // the host's addresses have more than 32 bits
    const std::uint64_t address =
        std::uint64_t{stores[2].value} << 32 | (stores[1].value & ~std::uint32_t{1});
    const auto function = reinterpret_cast<std::uint64_t>(&write_from_here);
    EXPECT_GT(address, function);
    EXPECT_LT(address, function + 64);
}

TEST_F(PerfRecord, NoInterruptCanComeBetweenTheStoresOfARecord) {
    std::vector<perfEvent> events{general(HW_CPU_CYCLES)};
    ASSERT_EQ(perfFuncEntryExitInit(events.data(), 1, kChannel, perfCount_Raw, 0), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    ASSERT_EQ(perfWriteCntrs(), 0);
    __cyg_profile_func_enter(nullptr, nullptr);
    __cyg_profile_func_exit(nullptr, nullptr);
    EXPECT_FALSE(take_stores().empty());
    EXPECT_FALSE(machine_state.torn);
    EXPECT_TRUE(machine_state.interrupts[0]); // and they are on again
}

TEST_F(PerfRecord, NothingIsWrittenBeforeTraceOnAndAfterTraceOff) {
    ASSERT_EQ(initialise({}, perfCount_Raw), 0);
    EXPECT_EQ(perfWriteCntrs(), 0);
    EXPECT_THAT(take_stores(), IsEmpty());
    ASSERT_EQ(perfTraceOn(), 0);
    ASSERT_EQ(perfTraceOff(), 0);
    take_stores();
    EXPECT_EQ(perfWriteCntrs(), 0);
    EXPECT_THAT(take_stores(), IsEmpty());
}

TEST_F(PerfRecord, HartsHaveCountersAndRecordsOfTheirOwn) {
    ASSERT_EQ(initialise({general(HW_CPU_CYCLES)}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    machine_state.hart = 1;
    ASSERT_EQ(initialise({}, perfCount_DeltaXOR), 0);
    EXPECT_EQ(perfWriteCntrs(), 0);
    EXPECT_THAT(take_stores(), IsEmpty()); // hart 0's are on, not these
    ASSERT_EQ(perfTraceOn(), 0);
    EXPECT_THAT(take_stores(), ElementsAre(word(kHeader), byte(2), word(0)));
    machine_state.hart = 0;
    take_stores();
    record(0x10);
    EXPECT_THAT(take_stores(), ElementsAre(byte(2), word(0x10), word(0)));
}

TEST_F(PerfRecord, RecordsAfterTheBufferIsFullAreCountedAsLost) {
    ASSERT_EQ(initialise({}, perfCount_Raw), 0);
    ASSERT_EQ(perfTraceOn(), 0);
    machine_state.encoders[0].stores_until_stop = 2;
    EXPECT_EQ(perfLostRecords(), 0U);
    EXPECT_EQ(perfWriteCntrs(), 1); // cut in the middle
    EXPECT_EQ(perfWriteCntrs(), 1);
    EXPECT_EQ(perfLostRecords(), 2U);
    EXPECT_EQ(perfTraceOn(), 1);
}

} // namespace
} // namespace pes::perf
