// SPDX-License-Identifier: Apache-2.0
// The bits of a record, as the draft's section "Sample Record" places them.
#include "hw/pdis/record.h"

#include <gtest/gtest.h>

#include <tuple>

namespace pes::pdis {
namespace {

constexpr std::uint64_t kTs = std::uint64_t{1} << 34, kPa = std::uint64_t{1} << 35;

constexpr std::uint64_t bit(unsigned number) {
    return std::uint64_t{1} << number;
}

SampledInstruction sampled(DecodedType type, std::uint32_t raw) {
    SampledInstruction instruction;
    instruction.decoded = {.pc = 0x8000'1000, .type = type, .cycle = 100};
    instruction.raw = raw;
    instruction.times = {.decoded = 100,
                         .dispatched = 101,
                         .issued = 104,
                         .completed = 110,
                         .oldest = 108,
                         .ended = 115};
    instruction.time = 4711;
    return instruction;
}

constexpr std::uint32_t kAdd = 0x00B5'0533;  // add a0, a0, a1
constexpr std::uint32_t kLoad = 0x0005'B503; // ld a0, 0(a1)
constexpr std::uint64_t kIcitv = bit(41);

TEST(PdisRecord, HasPcLatenciesAndTime) {
    const Record record = make_record(sampled(DecodedType::Other, kAdd), kTs);
    EXPECT_EQ(record[kHeader], kIcitv);
    EXPECT_EQ(record[kPc], 0x8000'1000U);
    EXPECT_EQ(record[kTime], 4711U);
    EXPECT_EQ(record[kLatencies], std::uint64_t{15} | std::uint64_t{1} << 12 |
                                      std::uint64_t{3} << 24 | std::uint64_t{6} << 36 |
                                      std::uint64_t{7} << 48 | std::uint64_t{0xF} << 60);
    EXPECT_EQ(record[kAddress1] | record[kAddress2] | record[6] | record[7], 0U);
}

TEST(PdisRecord, HasNoTimeUnlessWantedAndOpen) {
    SampledInstruction instruction = sampled(DecodedType::Other, kAdd);
    EXPECT_EQ(make_record(instruction, 0)[kTime], 0U);
    instruction.time_open = false;
    EXPECT_EQ(make_record(instruction, kTs)[kTime], 0U);
}

TEST(PdisRecord, LatenciesSaturate) {
    SampledInstruction instruction = sampled(DecodedType::Other, kAdd);
    instruction.times.completed = instruction.times.ended = 104 + 4096;
    const Record record = make_record(instruction, 0);
    EXPECT_EQ(latency_of(record, 0), 4095U);
    EXPECT_EQ(latency_of(record, 3), 4095U);
    EXPECT_EQ(latency_of(record, 2), 3U);
}

TEST(PdisRecord, HasTheMissesOfTheFetch) {
    SampledInstruction instruction = sampled(DecodedType::Other, kAdd);
    instruction.itlb_miss = true;
    EXPECT_EQ(make_record(instruction, 0)[kHeader], kIcitv | bit(39));
    instruction.itlb_miss = false;
    instruction.l1i_miss = true;
    EXPECT_EQ(make_record(instruction, 0)[kHeader], kIcitv | bit(40));
}

TEST(PdisRecord, HasAddressesAndMissesOfALoad) {
    SampledInstruction instruction = sampled(DecodedType::Load, kLoad);
    instruction.data = 0x4000'0123;
    instruction.physical = 0x8000'0123;
    instruction.source = DataSource::FirstLevel;
    const std::uint64_t plain = 1 | kIcitv | bit(32) | std::uint64_t{1} << 46;
    Record record = make_record(instruction, 0);
    EXPECT_EQ(record[kHeader], plain);
    EXPECT_EQ(record[kAddress1], 0x4000'0123U);
    EXPECT_EQ(record[kAddress2], 0U);
    record = make_record(instruction, kPa);
    EXPECT_EQ(record[kHeader], plain | bit(33));
    EXPECT_EQ(record[kAddress2], 0x8000'0123U >> 2);
    instruction.dtlb_miss = true;
    EXPECT_EQ(make_record(instruction, 0)[kHeader], plain | bit(42) | bit(43));
    instruction.dtlb_miss = false;
    instruction.l1d_miss = true;
    instruction.source = DataSource::Memory;
    EXPECT_EQ(make_record(instruction, 0)[kHeader],
              1 | kIcitv | bit(32) | bit(44) | bit(45) | std::uint64_t{2} << 46);
}

/// A store retires before it reaches L1D.
TEST(PdisRecord, OfAStoreIsPartial) {
    SampledInstruction instruction = sampled(DecodedType::Store, 0x00B5'3023); // sd a1, 0(a0)
    instruction.data = 8;
    EXPECT_EQ(make_record(instruction, 0)[kHeader], 2 | kIcitv | bit(32) | bit(37));
    instruction.end = SampledInstruction::End::Trapped;
    EXPECT_EQ(make_record(instruction, 0)[kHeader], 2 | kIcitv | bit(32));
}

TEST(PdisRecord, NamesEachKindOfTransfer) {
    struct Case {
        std::uint32_t raw;
        bool taken;
        unsigned bit;
        bool target;
    };
    constexpr Case kCases[] = {
        {0x3020'0073, false, 42, false}, // mret: TRET
        {0x1020'0073, false, 42, false}, // sret
        {0x00B5'0463, false, 43, false}, // beq, not taken: NTBR
        {0x00B5'0463, true, 44, true},   // beq, taken: TKBR
        {0x0005'00E7, false, 47, true},  // jalr ra, 0(a0): INDCALL
        {0x0080'00EF, false, 48, true},  // jal ra: DIRCALL
        {0x0005'0067, false, 49, true},  // jalr x0, 0(a0): INDJMP
        {0x0080'006F, false, 50, true},  // jal x0: DIRJMP
        {0x0002'80E7, false, 51, true},  // jalr ra, 0(t0): CORSWAP
        {0x0000'8067, false, 52, true},  // jalr x0, 0(ra): RET
        {0x0005'0367, false, 53, true},  // jalr t1, 0(a0): INDLJMP
        {0x0080'036F, false, 54, true},  // jal t1: DIRLJMP
        {0xA001, false, 50, true},       // c.j
        {0x8082, false, 52, true},       // c.jr ra
        {0x9502, false, 47, true},       // c.jalr a0
        {0x8502, false, 49, true},       // c.jr a0
        {0xC101, true, 44, true},        // c.beqz a0
    };
    for (const Case& one : kCases) {
        SampledInstruction instruction = sampled(DecodedType::Transfer, one.raw);
        instruction.taken = one.taken;
        instruction.target = 0x8000'2222;
        const Record record = make_record(instruction, 0);
        EXPECT_EQ(record[kHeader], 4 | kIcitv | bit(one.bit) | (one.target ? bit(32) : 0))
            << std::hex << one.raw;
        EXPECT_EQ(record[kAddress1], one.target ? 0x8000'2222U : 0U);
        instruction.mispredicted = true;
        EXPECT_EQ(make_record(instruction, 0)[kHeader] ^ record[kHeader], bit(55));
    }
}

TEST(PdisRecord, SaysWhatHasFlushedIt) {
    using Flush = SampledInstruction::Flush;
    for (const auto& [flush, encoding] :
         {std::pair{Flush::Mispredict, 1U}, std::pair{Flush::Other, 3U}}) {
        SampledInstruction instruction = sampled(DecodedType::Load, kLoad);
        instruction.end = SampledInstruction::End::Flushed;
        instruction.flush = flush;
        instruction.flushed_by = 0x8000'0FF0;
        instruction.times = {.decoded = 100, .dispatched = 101, .ended = 102};
        const Record record = make_record(instruction, kPa);
        EXPECT_EQ(record[kHeader], 1 | bit(32) | bit(34) | std::uint64_t{encoding} << 35);
        EXPECT_EQ(record[kAddress1], 0x8000'0FF0U);
        EXPECT_EQ(record[kLatencies], 2 | std::uint64_t{1} << 12 | bit(60));
    }
}

} // namespace
} // namespace pes::pdis
