// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/record_reader.h"

#include "tests/unit/decoder/sample_bytes.h"

#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace pes {
namespace {

using test::bytes_of;
using test::record_at;

struct Reading {
    std::vector<std::uint64_t> pcs;
    ReadProblems problems;
};

Reading read(const std::string& bytes) {
    std::istringstream input(bytes);
    RecordReader reader(input);
    Reading reading;
    SampleRecord record;
    while (reader.next(record)) {
        reading.pcs.push_back(record.pc);
    }
    reading.problems = reader.problems();
    return reading;
}

using Pcs = std::vector<std::uint64_t>;

/// Puts `value` little endian at `offset`, independent of the structure.
void put(std::string& bytes, std::size_t offset, unsigned length, std::uint64_t value) {
    for (unsigned i = 0; i < length; ++i) {
        bytes[offset + i] = static_cast<char>(value >> (8 * i));
    }
}

TEST(RecordReader, TakesEveryFieldFromItsDocumentedOffset) {
    std::string bytes(64, '\0');
    bytes.replace(0, 4, "PES1");
    put(bytes, 4, 2, 64);
    put(bytes, 6, 2, 1);
    put(bytes, 8, 4, 0x01020304);
    put(bytes, 12, 1, 5);
    put(bytes, 13, 1, 3);
    put(bytes, 16, 8, 0x1111);
    put(bytes, 24, 8, 0x8000'0000'1234'5678);
    put(bytes, 32, 8, 0x3333);
    put(bytes, 40, 8, 0x4444);
    put(bytes, 48, 8, 0x5555);
    put(bytes, 56, 8, 0x6666);
    std::istringstream input(bytes);
    RecordReader reader(input);
    SampleRecord record{};
    ASSERT_TRUE(reader.next(record));
    EXPECT_EQ(record.hart, 0x01020304u);
    EXPECT_EQ(record.counter, 5);
    EXPECT_EQ(record.privilege, 3);
    EXPECT_EQ(record.event, 0x1111u);
    EXPECT_EQ(record.pc, 0x8000'0000'1234'5678u);
    EXPECT_EQ(record.cycle, 0x3333u);
    EXPECT_EQ(record.counter_value, 0x4444u);
    EXPECT_EQ(record.threshold, 0x5555u);
    EXPECT_EQ(record.lost, 0x6666u);
    EXPECT_FALSE(reader.next(record));
}

TEST(RecordReader, EmptyStreamHoldsNothingAndNoProblem) {
    const Reading reading = read("");
    EXPECT_TRUE(reading.pcs.empty());
    EXPECT_FALSE(reading.problems.any());
}

TEST(RecordReader, ReadsRecordsAcrossTheEdgesOfItsWindow) {
    // 3000 records are 187.5 KiB; 8 bytes of garbage in front shift them against the 64 KiB window.
    std::string bytes(8, '\xEE');
    Pcs expected;
    for (std::uint64_t i = 0; i < 3000; ++i) {
        bytes += bytes_of(record_at(i));
        expected.push_back(i);
    }
    const Reading reading = read(bytes);
    EXPECT_EQ(reading.pcs, expected);
    EXPECT_EQ(reading.problems.skipped_bytes, 8u);
}

TEST(RecordReader, FindsTheNextMagicAfterGarbageAndCountsWhatItSkipped) {
    const Reading reading =
        read(bytes_of(record_at(1)) + std::string(24, 'x') + bytes_of(record_at(2)) +
             std::string(8, 'y') + bytes_of(record_at(3)));
    EXPECT_EQ(reading.pcs, (Pcs{1, 2, 3}));
    EXPECT_EQ(reading.problems.skipped_bytes, 32u);
    EXPECT_EQ(reading.problems.skipped_runs, 2u);
    EXPECT_EQ(reading.problems.truncated_bytes, 0u);
}

TEST(RecordReader, SkipsGarbageLongerThanItsWindow) {
    const Reading reading = read(std::string(200'000, '\0') + bytes_of(record_at(7)));
    EXPECT_EQ(reading.pcs, Pcs{7});
    EXPECT_EQ(reading.problems.skipped_bytes, 200'000u);
    EXPECT_EQ(reading.problems.skipped_runs, 1u);
}

TEST(RecordReader, IgnoresAMagicOffTheEightByteBoundary) {
    const Reading reading = read(std::string(4, 'x') + bytes_of(record_at(1)) +
                                 std::string(4, 'x') + bytes_of(record_at(2)));
    EXPECT_EQ(reading.pcs, Pcs{2});
    EXPECT_EQ(reading.problems.skipped_bytes, 72u);
}

TEST(RecordReader, BrokenMagicLosesOnlyItsOwnRecord) {
    std::string broken = bytes_of(record_at(2));
    broken[0] = 'Q';
    const Reading reading = read(bytes_of(record_at(1)) + broken + bytes_of(record_at(3)));
    EXPECT_EQ(reading.pcs, (Pcs{1, 3}));
    EXPECT_EQ(reading.problems.skipped_bytes, 64u);
}

class TruncatedTail : public testing::TestWithParam<std::size_t> {};

TEST_P(TruncatedTail, IsCountedAndYieldsNoRecord) {
    const Reading reading =
        read(bytes_of(record_at(1)) + bytes_of(record_at(2)).substr(0, GetParam()));
    EXPECT_EQ(reading.pcs, Pcs{1});
    EXPECT_EQ(reading.problems.truncated_bytes, GetParam());
    EXPECT_EQ(reading.problems.skipped_bytes, 0u);
}

INSTANTIATE_TEST_SUITE_P(EveryLength, TruncatedTail, testing::Range<std::size_t>(1, 64));

TEST(RecordReader, ShortTailWithoutMagicIsSkippedNotTruncated) {
    const Reading reading = read(bytes_of(record_at(1)) + std::string(13, '\0'));
    EXPECT_EQ(reading.pcs, Pcs{1});
    EXPECT_EQ(reading.problems.skipped_bytes, 13u);
    EXPECT_EQ(reading.problems.truncated_bytes, 0u);
}

/// A record of version 2 with counters 0 and 3, register 2 and two calls, by its documented
/// offsets.
std::string detailed() {
    std::string bytes(104 + 5 * 8, '\0');
    bytes.replace(0, 4, "PES1");
    put(bytes, 4, 2, bytes.size());
    put(bytes, 6, 2, 2);
    put(bytes, 14, 2, 2);
    put(bytes, 24, 8, 0x1000);
    put(bytes, 64, 8, 0x1010);
    put(bytes, 72, 8, 0x2000);
    put(bytes, 80, 8, 0x8000'0000'0008'0208);
    put(bytes, 88, 4, 1U << 0 | 1U << 3);
    put(bytes, 92, 4, 1U << 2);
    put(bytes, 96, 4, 2);
    put(bytes, 104, 8, 100);
    put(bytes, 112, 8, 103);
    put(bytes, 120, 8, 0x3FFF'FFFF);
    put(bytes, 128, 8, 0x1100);
    put(bytes, 136, 8, 0x1200);
    return bytes;
}

TEST(RecordReader, TakesTheDetailsOfVersion2) {
    std::istringstream input(detailed() + bytes_of(record_at(1)));
    RecordReader reader(input);
    SampleRecord record{};
    ASSERT_TRUE(reader.next(record));
    EXPECT_EQ(record.pc, 0x1000U);
    EXPECT_EQ(record.flags, kSampleCaused);
    ASSERT_NE(reader.details(), nullptr);
    const RecordDetails& details = *reader.details();
    EXPECT_EQ(details.fixed.interrupted_pc, 0x1010U);
    EXPECT_EQ(details.fixed.data_address, 0x2000U);
    EXPECT_EQ(details.fixed.satp, 0x8000'0000'0008'0208U);
    EXPECT_EQ(details.counters, (std::vector<std::uint64_t>{100, 103}));
    EXPECT_EQ(details.registers, (std::vector<std::uint64_t>{0x3FFF'FFFF}));
    EXPECT_EQ(details.calls, (std::vector<std::uint64_t>{0x1100, 0x1200}));
    ASSERT_TRUE(reader.next(record));
    EXPECT_EQ(record.pc, 1U);
    EXPECT_EQ(reader.details(), nullptr) << "version 1";
    EXPECT_FALSE(reader.problems().any());
}

TEST(RecordReader, ADetailedRecordThatIsCutOffIsTruncated) {
    for (std::size_t length = 8; length < detailed().size(); length += 8) {
        const Reading reading = read(bytes_of(record_at(1)) + detailed().substr(0, length));
        EXPECT_EQ(reading.pcs, Pcs{1}) << length;
        EXPECT_EQ(reading.problems.truncated_bytes, length);
    }
}

TEST(RecordReader, ADetailedRecordOfAnotherSizeThanItHoldsIsNotARecord) {
    std::string bytes = detailed();
    put(bytes, 4, 2, bytes.size() - 8);
    const Reading reading = read(bytes + bytes_of(record_at(1)));
    EXPECT_EQ(reading.pcs, Pcs{1});
    EXPECT_EQ(reading.problems.skipped_bytes, bytes.size());
}

TEST(RecordReader, NamesAnUnsupportedVersionAndGoesOnBehindIt) {
    SampleRecord newer = record_at(9);
    newer.version = 7;
    newer.size = 80;
    const Reading reading = read(bytes_of(record_at(1)) + bytes_of(newer) + std::string(16, 'z') +
                                 bytes_of(newer) + std::string(16, 'z') + bytes_of(record_at(2)));
    EXPECT_EQ(reading.pcs, (Pcs{1, 2}));
    EXPECT_EQ(reading.problems.unsupported_versions,
              (std::map<std::uint16_t, std::uint64_t>{{7, 2}}));
    EXPECT_EQ(reading.problems.skipped_bytes, 0u);
}

TEST(RecordReader, WrongSizeOfAnUnsupportedVersionSwallowsNoGoodRecord) {
    SampleRecord newer = record_at(9);
    newer.version = 7;
    newer.size = 0xFFF8;
    const Reading reading = read(bytes_of(newer) + bytes_of(record_at(1)) + bytes_of(record_at(2)));
    EXPECT_EQ(reading.pcs, (Pcs{1, 2}));
    EXPECT_EQ(reading.problems.unsupported_versions.at(7), 1u);
}

TEST(RecordReader, BytesBehindAnUnsupportedRecordCountAsSkipped) {
    SampleRecord newer = record_at(9);
    newer.version = 7;
    const Reading reading = read(bytes_of(newer) + std::string(8, 'x') + bytes_of(record_at(1)));
    EXPECT_EQ(reading.pcs, Pcs{1});
    EXPECT_EQ(reading.problems.skipped_bytes, 8u);
}

TEST(RecordReader, KnownVersionOfWrongSizeIsNotARecord) {
    SampleRecord odd = record_at(9);
    odd.size = 56;
    const Reading reading = read(bytes_of(odd) + bytes_of(record_at(1)));
    EXPECT_EQ(reading.pcs, Pcs{1});
    EXPECT_EQ(reading.problems.skipped_bytes, 64u);
}

TEST(RecordReader, NoRecordIsLostAndEveryByteIsAccountedForInRandomStreams) {
    std::mt19937_64 random(20260101);
    for (int round = 0; round < 200; ++round) {
        std::string bytes;
        Pcs expected;
        std::uint64_t garbage = 0;
        for (int piece = 0; piece < 30; ++piece) {
            if (random() % 3 == 0) {
                const std::size_t length = 8 * (1 + random() % 12);
                // 0x80..0xFF only, so never by chance the letters of the magic
                for (std::size_t i = 0; i < length; ++i) {
                    bytes += static_cast<char>(0x80 | (random() & 0x7F));
                }
                garbage += length;
            } else {
                expected.push_back(random() & 0xFF);
                bytes += bytes_of(record_at(expected.back()));
            }
        }
        const Reading reading = read(bytes);
        ASSERT_EQ(reading.pcs, expected);
        ASSERT_EQ(reading.problems.skipped_bytes, garbage);
    }
}

} // namespace
} // namespace pes
