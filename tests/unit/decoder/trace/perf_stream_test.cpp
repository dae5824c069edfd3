// SPDX-License-Identifier: Apache-2.0
// Stimulus writes -> performance records: the coding by hand and as software writes it, damage.
#include "tests/unit/decoder/trace/perf_writes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <random>

namespace pes::trace {
namespace {

using namespace perf_record;
using test::decode_writes;
using test::PerfWrites;
using test::RecordList;
using Reason = PerfLoss::Reason;
using testing::ElementsAre;

std::vector<std::uint64_t> addresses(const RecordList& list) {
    std::vector<std::uint64_t> all;
    for (const PerfRecord& record : list.records) {
        all.push_back(record.address);
    }
    return all;
}

std::vector<Reason> reasons(const RecordList& list) {
    std::vector<Reason> all;
    for (const PerfLoss& loss : list.losses) {
        all.push_back(loss.reason);
    }
    return all;
}

TEST(PerfRecord, PacksTheCounterInfo) {
    EXPECT_EQ(pack_info({0xC03, 40}), 0xC03U | 39U << 12);
    EXPECT_EQ(pack_info({0, 64}), 0x3F000U);
    EXPECT_EQ(unpack_info(0x27C00).csr, 0xC00U);
    EXPECT_EQ(unpack_info(0x27C00).width, 40U);
}

TEST(PerfRecord, WritesAnAddressInOneWordUnlessItHasAHighOne) {
    PerfWrites writes;
    write_address(writes, 0x80000104);
    write_address(writes, 0xFFFFFFC080000104);
    ASSERT_EQ(writes.size(), 3U);
    EXPECT_EQ(writes.list()[0].value, 0x80000104U);
    EXPECT_EQ(writes.list()[1].value, 0x80000105U) << "bit 0: a high word follows";
    EXPECT_EQ(writes.list()[2].value, 0xFFFFFFC0U);
}

TEST(PerfRecord, CodesAWrappedCounter) {
    EXPECT_EQ(coded_value(CountType::Raw, 5, 9, 40), 5U);
    EXPECT_EQ(coded_value(CountType::Delta, 9, 5, 40), 4U);
    EXPECT_EQ(coded_value(CountType::Delta, 5, (1ULL << 40) - 3, 40), 8U);
    EXPECT_EQ(coded_value(CountType::DeltaXor, 9, 5, 40), 12U);
    EXPECT_EQ(coded_value(CountType::DeltaXor, 5, 9, 40), (1ULL << 40) + 12);
    EXPECT_EQ(coded_value(CountType::Delta, 2, ~0ULL, 64), 3U);
}

TEST(PerfStream, ReadsAHeaderAndARecordWrittenByHand) {
    PerfWrites writes;
    writes.add(4, 0x70657266).add(1, 0).add(4, 0x0000'000A); // raw, counters 1 and 3
    writes.add(4, 0).add(4, 0x80).add(4, 0x27000);           // the timestamp of 40 bits
    writes.add(4, 2).add(4, 0x21).add(4, 0x1).add(4, 0x3FC03);
    writes.add(1, 0).add(4, 0x80000100).add(4, 0x80000205).add(4, 0x7F); // enter, high word
    writes.add(4, 1234).add(4, 0x2).add(2, 0x1);
    const RecordList list = decode_writes(writes.list());
    ASSERT_EQ(list.headers.size(), 1U);
    const PerfHeader& header = list.headers[0];
    EXPECT_EQ(header.type, CountType::Raw);
    EXPECT_EQ(header.mask, 0xAU);
    EXPECT_EQ(counter_name(header.definitions[1]), "timestamp");
    EXPECT_EQ(header.definitions[1].info.width, 40U);
    EXPECT_EQ(header.definitions[3].event, 0x1'0000'0021U);
    EXPECT_EQ(header.definitions[3].info.csr, 0xC03U);
    ASSERT_EQ(list.records.size(), 1U);
    const PerfRecord& record = list.records[0];
    EXPECT_EQ(record.kind, RecordKind::FunctionEnter);
    EXPECT_EQ(record.address, 0x80000100U);
    EXPECT_EQ(record.call_site, 0x7F'80000204U);
    EXPECT_EQ(record.values[1], 1234U);
    EXPECT_EQ(record.values[3], 0x1'0000'0002U);
    EXPECT_EQ(record.time, PerfWrites::kFirstTime + 10 * PerfWrites::kTimeStep);
    EXPECT_TRUE(list.losses.empty());
}

struct Counting {
    CountType type{};
    unsigned width = 64;
};

class PerfRoundTrip : public testing::TestWithParam<Counting> {};

/// Counters that go on by random steps, so that narrow ones wrap again and again.
TEST_P(PerfRoundTrip, GivesBackEveryAddressAndValue) {
    const auto [type, width] = GetParam();
    const std::uint64_t limit = width < 64 ? (1ULL << width) - 1 : ~0ULL;
    constexpr unsigned kCounters = 5;
    std::mt19937_64 random(width);
    PerfWrites writes;
    writes.header(type, 0x8000'0017, width);
    std::array<std::uint64_t, kCounters> now{};
    std::array<std::uint64_t, kCounters> total{};
    std::uint64_t reference = 0;
    std::vector<std::vector<std::uint64_t>> expected;
    for (int record = 0; record < 500; ++record) {
        const auto kind = static_cast<RecordKind>(random() % kRecordKinds);
        std::vector<std::uint64_t> places;
        std::vector<std::uint64_t> coded;
        expected.emplace_back();
        for (int place = 0; place < (has_call_site(kind) ? 2 : 1); ++place) {
            const std::uint64_t address = random() >> (random() % 2 == 0 ? 1 : 33) << 1;
            places.push_back(type == CountType::DeltaXor ? address ^ reference : address);
            reference = address;
            expected.back().push_back(address);
        }
        for (unsigned counter = 0; counter < kCounters; ++counter) {
            // 48 bits are recorded; counters of 64 bits would have to wrap to need more.
            const std::uint64_t step = random() & limit & 0xFF'FFFF'FFFF;
            const std::uint64_t previous = type == CountType::Raw ? 0 : now[counter];
            now[counter] = (now[counter] + step) & limit;
            total[counter] += step;
            const std::uint64_t value = coded_value(type, now[counter], previous, width);
            coded.push_back(value);
            expected.back().push_back(type == CountType::Raw     ? now[counter]
                                      : type == CountType::Delta ? step
                                                                 : total[counter]);
        }
        writes.record(kind, places, coded);
    }
    const RecordList list = decode_writes(writes.list());
    EXPECT_TRUE(list.losses.empty());
    ASSERT_EQ(list.records.size(), expected.size());
    for (std::size_t index = 0; index < expected.size(); ++index) {
        const PerfRecord& record = list.records[index];
        std::vector<std::uint64_t> found{record.address};
        if (has_call_site(record.kind)) {
            found.push_back(record.call_site);
        }
        for (const unsigned counter : {0U, 1U, 2U, 4U, 31U}) {
            found.push_back(record.values[counter]);
        }
        ASSERT_EQ(found, expected[index]) << "record " << index;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Counts, PerfRoundTrip,
    testing::Values(Counting{CountType::Raw, 40}, Counting{CountType::Delta, 64},
                    Counting{CountType::Delta, 32}, Counting{CountType::DeltaXor, 64},
                    Counting{CountType::DeltaXor, 40}, Counting{CountType::DeltaXor, 32}));

TEST(PerfStream, ReadsRecordsWithoutCounters) {
    PerfWrites writes;
    writes.header(CountType::Delta, 0).manual(0x100, {}).manual(0x200, {});
    const RecordList list = decode_writes(writes.list());
    EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x200));
    EXPECT_TRUE(list.losses.empty());
}

TEST(PerfStream, ReadsSeveralHeaders) {
    PerfWrites writes;
    writes.header(CountType::DeltaXor, 1).manual(0x100, {7}).manual(0x300, {1});
    writes.header(CountType::DeltaXor, 3).manual(0x100, {7, 8}).header(CountType::Raw, 0);
    writes.manual(0x500, {});
    const RecordList list = decode_writes(writes.list());
    EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x200, 0x100, 0x500))
        << "a header sets the references to 0";
    EXPECT_EQ(list.records[1].values[0], 6U);
    EXPECT_EQ(list.records[2].values[0], 7U);
    EXPECT_THAT(list.masks, ElementsAre(1, 1, 3, 0));
    EXPECT_TRUE(list.losses.empty());
}

TEST(PerfStream, KeepsSourcesApart) {
    PerfWrites first(0);
    PerfWrites second(3);
    first.header(CountType::Raw, 1).manual(0x100, {1}).manual(0x200, {2});
    second.header(CountType::DeltaXor, 1).manual(0x300, {3}).manual(0x400 ^ 0x300, {4 ^ 3});
    std::vector<PerfWrite> mixed;
    for (std::size_t index = 0; index < first.size(); ++index) {
        mixed.push_back(first.list()[index]);
        mixed.push_back(second.list()[index]);
    }
    const RecordList list = decode_writes(mixed);
    EXPECT_TRUE(list.losses.empty());
    ASSERT_EQ(list.records.size(), 4U);
    for (const PerfRecord& record : list.records) {
        EXPECT_EQ(record.values[0] * 0x100, record.address);
        EXPECT_EQ(record.source, record.values[0] < 3 ? 0 : 3);
    }
}

TEST(PerfStream, PassesOverWritesBeforeTheFirstHeader) {
    PerfWrites writes;
    writes.manual(0x100, {1}).header(CountType::Raw, 1).manual(0x200, {2});
    const RecordList list = decode_writes(writes.list());
    EXPECT_THAT(addresses(list), ElementsAre(0x200));
    ASSERT_THAT(reasons(list), ElementsAre(Reason::NoHeader));
    EXPECT_EQ(list.losses[0].offset, 0x100U);
    EXPECT_EQ(list.losses[0].writes, 3U);
}

TEST(PerfStream, SeesAHeaderInsideOfATornRecord) {
    for (std::size_t kept = 1; kept < 5; ++kept) { // of kind, address and three values
        PerfWrites writes;
        writes.header(CountType::Raw, 7).manual(0x100, {1, 2, 3});
        const std::size_t whole = writes.size();
        writes.manual(0x200, {4, 5, 6}).drop(whole + kept, 5 - kept);
        writes.header(CountType::Raw, 7).manual(0x300, {7, 8, 9});
        const RecordList list = decode_writes(writes.list());
        EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x300)) << kept << " writes kept";
        EXPECT_THAT(reasons(list), ElementsAre(Reason::HeaderInside)) << kept << " writes kept";
    }
}

TEST(PerfStream, TakesTheMarkerForAValueWhereARecordGoesOn) {
    PerfWrites writes;
    writes.header(CountType::Raw, 7).manual(0x100, {1, 2, kMarker}).manual(0x200, {kMarker, 5, 6});
    writes.manual(0x300, {1, kMarker, kMarker}).record(RecordKind::Interrupt, {kMarker}, {1, 2, 3});
    const RecordList list = decode_writes(writes.list());
    EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x200, 0x300, kMarker));
    EXPECT_EQ(list.records[0].values[2], kMarker);
    EXPECT_TRUE(list.losses.empty());
}

TEST(PerfStream, GoesOnWithTheNextWholeRecordAfterALoss) {
    PerfWrites writes;
    writes.header(CountType::Delta, 3);
    std::vector<std::size_t> begins;
    for (std::uint64_t record = 1; record <= 6; ++record) {
        begins.push_back(writes.size());
        writes.manual(0x100 * record, {record, record << 33});
    }
    // Record 2 loses its last three writes and record 3 its kind, then there is an Error message.
    writes.drop(begins[1] + 2, 4);
    const std::size_t error = begins[1] + 2;
    const RecordList list = decode_writes(writes.list(), [&](PerfStreams& streams, std::size_t at) {
        if (at == error) {
            streams.messages_lost(0, 0x777);
        }
    });
    EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x400, 0x500, 0x600));
    ASSERT_THAT(reasons(list), ElementsAre(Reason::MessagesLost));
    EXPECT_EQ(list.losses[0].offset, 0x777U);
    EXPECT_EQ(list.losses[0].writes, 4U) << "what is left of record 3";
}

TEST(PerfStream, BelievesNoRecordOfAnotherShapeAfterALoss) {
    PerfWrites writes;
    writes.header(CountType::Raw, 1).manual(0x100, {1});
    const std::size_t lost = writes.size();
    writes.header(CountType::Raw, 7).drop(lost, 3); // marker, type and mask
    writes.manual(0x200, {1, 2, 3}).manual(0x300, {1, 2, 3}).header(CountType::Raw, 1);
    writes.manual(0x400, {1});
    const RecordList list = decode_writes(writes.list(), [&](PerfStreams& streams, std::size_t at) {
        if (at == lost) {
            streams.messages_lost(0, 0);
        }
    });
    EXPECT_THAT(addresses(list), ElementsAre(0x400))
        << "nor 0x100, the high half of whose value may be among what is lost";
    EXPECT_EQ(list.losses.size(), 1U);
}

TEST(PerfStream, WaitsForAHeaderAfterALossInDeltaXor) {
    PerfWrites writes;
    writes.header(CountType::DeltaXor, 1).manual(0x100, {1});
    const std::size_t lost = writes.size();
    writes.manual(0x200, {2}).manual(0x300, {3}).header(CountType::DeltaXor, 1).manual(0x400, {4});
    const RecordList list = decode_writes(writes.list(), [&](PerfStreams& streams, std::size_t at) {
        if (at == lost) {
            streams.messages_lost(0x55);
        }
    });
    EXPECT_THAT(addresses(list), ElementsAre(0x400));
    ASSERT_THAT(reasons(list), ElementsAre(Reason::MessagesLost));
    EXPECT_EQ(list.losses[0].writes, 6U);
}

TEST(PerfStream, KeepsTheLastRecordOfTheTrace) {
    PerfWrites writes;
    writes.header(CountType::Raw, 3).manual(0x100, {1, 2});
    EXPECT_EQ(decode_writes(writes.list()).records.size(), 1U);
    PerfWrites torn = writes;
    torn.drop(torn.size() - 1, 1);
    const RecordList list = decode_writes(torn.list());
    EXPECT_TRUE(list.records.empty());
    EXPECT_THAT(reasons(list), ElementsAre(Reason::TraceEnded));
    EXPECT_EQ(list.losses[0].offset, 0xFFFFU);
}

TEST(PerfStream, SaysWhatDoesNotFit) {
    const auto reasons_after = [](const std::function<void(PerfWrites&)>& break_it) {
        PerfWrites writes;
        break_it(writes);
        writes.header(CountType::Raw, 0).manual(0x100, {});
        const RecordList list = decode_writes(writes.list());
        EXPECT_THAT(addresses(list), ElementsAre(0x100));
        return reasons(list);
    };
    EXPECT_THAT(reasons_after([](auto& writes) { writes.add(4, kMarker).add(1, 3); }),
                ElementsAre(Reason::UnknownCountType));
    EXPECT_THAT(reasons_after([](auto& writes) { writes.add(4, kMarker).add(1, 0).add(2, 1); }),
                ElementsAre(Reason::UnexpectedWrite));
    EXPECT_THAT(
        reasons_after([](auto& writes) { writes.add(4, kMarker).add(1, 0).add(4, 1).add(4, 3); }),
        ElementsAre(Reason::UnknownEventType));
    EXPECT_THAT(reasons_after([](auto& writes) { writes.header(CountType::Raw, 1).add(1, 4); }),
                ElementsAre(Reason::UnknownKind));
    EXPECT_THAT(reasons_after([](auto& writes) { writes.header(CountType::Raw, 1).add(4, 4); }),
                ElementsAre(Reason::UnexpectedWrite));
}

TEST(PerfStream, DoesNotBelieveARecordThatIsFollowedByMoreValues) {
    PerfWrites writes;
    writes.header(CountType::Raw, 3).manual(0x100, {1, 2});
    const std::size_t second = writes.size();
    writes.manual(0x200, {3, 4}).manual(0x300, {5, 6}).manual(0x400, {7, 8});
    writes.drop(second + 3, 3); // the last value of 0x200, kind and address of 0x300
    const RecordList list = decode_writes(writes.list());
    EXPECT_THAT(addresses(list), ElementsAre(0x100, 0x400));
    EXPECT_THAT(reasons(list), ElementsAre(Reason::UnexpectedWrite));
}

/// Writes are dropped without a word: every record that comes out is one that was written, and
/// damage costs only its neighbours.
TEST(PerfStream, BelievesOnlyWhatWasWrittenAfterRandomDamage) {
    constexpr std::uint64_t kRecords = 60;
    for (unsigned seed = 0; seed < 500; ++seed) {
        std::mt19937 random(seed);
        PerfWrites writes;
        writes.header(seed % 2 == 0 ? CountType::Raw : CountType::Delta, 0x23);
        const std::size_t first = writes.size();
        for (std::uint64_t record = 0; record < kRecords; ++record) {
            writes.manual(2 * record, {3 * record, 5 * record, 7 * record});
        }
        // Fewer at a place than the five of a record: two halves that fit would look whole.
        const std::size_t hits = 1 + random() % 5;
        for (std::size_t hit = hits; hit-- > 0;) {
            writes.drop(first + hit * 10 * 5 + random() % (7 * 5), 1 + random() % 4);
        }
        const RecordList list = decode_writes(writes.list());
        EXPECT_GE(list.records.size() + 4 * hits, kRecords) << seed;
        for (const PerfRecord& record : list.records) {
            const std::uint64_t number = record.address / 2;
            EXPECT_EQ(record.values[0], 3 * number) << seed;
            EXPECT_EQ(record.values[1], 5 * number) << seed;
            EXPECT_EQ(record.values[5], 7 * number) << seed;
        }
    }
}

} // namespace
} // namespace pes::trace
