// SPDX-License-Identifier: Apache-2.0
#include "hw/interface/trace/message_packer.h"
#include "hw/interface/trace/message_parser.h"
#include "tests/unit/interface/trace/random_message.h"

#include <gtest/gtest.h>
#include <vector>

namespace pes::trace {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Parsed {
    ParseResult result;
    TraceMessage message;
};

Parsed parse(const Bytes& bytes, unsigned source_bits = 0) {
    Parsed parsed;
    parsed.result = parse_message(bytes, source_bits, parsed.message);
    return parsed;
}

void expect_damage(const Bytes& bytes, ParseStatus status, std::size_t size) {
    const ParseResult result = parse(bytes).result;
    EXPECT_EQ(result.status, status);
    EXPECT_TRUE(is_damage(result.status));
    EXPECT_EQ(result.size, size);
    EXPECT_TRUE(result.ended);
}

TEST(MessageParser, GivesBackEveryMessageWithEverySourceWidth) {
    for (unsigned source_bits = 0; source_bits <= kMostSourceBits; ++source_bits) {
        test::RandomMessages random(source_bits, source_bits);
        for (int count = 0; count < 2000; ++count) {
            TraceMessage message = random.next();
            if (random.below(2) == 1) {
                message.timestamp = random.value(64);
            }
            const PackedMessage packed = pack_message(message, source_bits);
            TraceMessage read;
            const ParseResult result = parse_message(packed.view(), source_bits, read);
            ASSERT_EQ(result.status, ParseStatus::Message);
            EXPECT_EQ(result.size, packed.size);
            EXPECT_FALSE(result.doubtful);
            ASSERT_EQ(read, message) << static_cast<unsigned>(message.code);
        }
    }
}

TEST(MessageParser, GivesBackExtendedAddressesOfAnyLength) {
    test::RandomMessages random(7, 2);
    for (int count = 0; count < 20'000; ++count) {
        TraceMessage message = random.next();
        if (message.has(Field::Address)) {
            const std::uint64_t bits = random.value(1 + static_cast<unsigned>(count) % 63);
            const std::uint64_t all = ~std::uint64_t{0} >> 1;
            message.set(Field::Address, random.below(2) == 0 ? bits : all & ~bits);
        }
        const PackedMessage packed =
            pack_message(message, 2, {.source = message.source, .timestamp = message.timestamp},
                         AddressForm::Extended);
        TraceMessage read;
        // Followed by others, and at the end of a file: two ways through the parser.
        std::vector<std::uint8_t> bytes(packed.view().begin(), packed.view().end());
        ASSERT_EQ(parse_message(bytes, 2, read, AddressForm::Extended).size, packed.size);
        ASSERT_EQ(read, message) << static_cast<unsigned>(message.code);
        bytes.resize(packed.size + kMostSlices, kIdleByte);
        ASSERT_EQ(parse_message(bytes, 2, read, AddressForm::Extended).size, packed.size);
        ASSERT_EQ(read, message) << static_cast<unsigned>(message.code);
    }
}

TEST(MessageParser, WaitsForTheRestOfAMessageAfterEveryByte) {
    test::RandomMessages random(1, 3);
    for (int count = 0; count < 1000; ++count) {
        TraceMessage message = random.next();
        message.timestamp = random.value(40);
        const PackedMessage packed = pack_message(message, 3);
        for (std::size_t size = 0; size < packed.size; ++size) {
            TraceMessage read;
            EXPECT_EQ(parse_message(packed.view().first(size), 3, read).status,
                      ParseStatus::Incomplete);
        }
    }
}

TEST(MessageParser, ReadsACorrelationWhoseZeroCountIsLeftOut) {
    for (const Bytes& bytes : {Bytes{0x84, 0x13}, Bytes{0x84, 0x10, 0x03}}) {
        const Parsed parsed = parse(bytes);
        ASSERT_EQ(parsed.result.status, ParseStatus::Message);
        EXPECT_EQ(parsed.result.size, bytes.size());
        EXPECT_EQ(parsed.message.value(Field::EventCode), 4U);
        EXPECT_EQ(parsed.message.value(Field::InstructionCount), 0U);
        EXPECT_FALSE(parsed.message.timestamp);
    }
}

TEST(MessageParser, TakesARunOfIdleBytesAtOnce) {
    const ParseResult result = parse({0xFF, 0xFF, 0xFF, 0x1C}).result;
    EXPECT_EQ(result.status, ParseStatus::Idle);
    EXPECT_EQ(result.size, 3U);
}

TEST(MessageParser, ReadsALastSliceThatLooksIdle) {
    const Parsed parsed = parse({0x1C, 0x01, 0xFF, 0xFF});
    ASSERT_EQ(parsed.result.status, ParseStatus::Message);
    EXPECT_EQ(parsed.result.size, 3U);
    EXPECT_EQ(parsed.message.value(Field::Data), 0x3FU);
}

TEST(MessageParser, StartsNoMessageWithZeroOrWithAnEnd) {
    for (const std::uint8_t byte : {0x00, 0x1D, 0x1E, 0x1F}) {
        expect_damage({byte, 0x1C, 0x01, 0x03}, ParseStatus::Stray, 1);
    }
}

TEST(MessageParser, PassesOverAMessageOfAnUnknownCode) {
    // 56, a vendor's: source 1 of two bits is still where SRC always is.
    TraceMessage message;
    const Bytes bytes{0xE0, 0x04, 0x09, 0x03, 0x1C};
    const ParseResult result = parse_message(bytes, 2, message);
    EXPECT_EQ(result.status, ParseStatus::UnknownCode);
    EXPECT_EQ(result.size, 4U);
    EXPECT_EQ(message.source, 1U);
}

TEST(MessageParser, PassesOverAMessageWithAnIllegalSlice) {
    expect_damage({0x1C, 0x02, 0x00, 0x03, 0x1C}, ParseStatus::IllegalSlice, 4);
}

TEST(MessageParser, PassesOverAMessageThatEndsTooEarly) {
    expect_damage({0x1C, 0x03, 0x1C}, ParseStatus::MissingFields, 2);       // no DQDATA
    expect_damage({0x70, 0x31, 0x07, 0x1C}, ParseStatus::MissingFields, 3); // no HIST
    expect_damage({0x84, 0x53, 0x1C}, ParseStatus::MissingFields, 2);       // CDF 1, no HIST
}

TEST(MessageParser, PassesOverAMessageWithAFieldBehindItsTimestamp) {
    expect_damage({0x1C, 0x01, 0x01, 0x01, 0x03, 0x1C}, ParseStatus::ExtraFields, 5);
}

TEST(MessageParser, PassesOverAValueOfMoreThan64Bits) {
    Bytes bytes{0x1C, 0x01};
    bytes.insert(bytes.end(), 10, 0x00);
    Bytes fits = bytes;
    fits.push_back(0x3F); // bits 60 to 63
    EXPECT_EQ(parse(fits).message.value(Field::Data), 0xF000'0000'0000'0000U);
    bytes.push_back(0x43); // bit 64
    expect_damage(bytes, ParseStatus::TooWide, bytes.size());
}

TEST(MessageParser, PassesOverAMessageThatIsTooLong) {
    Bytes bytes(kMostSlices, 0x00);
    bytes[0] = 0x1C;
    bytes.push_back(0x03);
    expect_damage(bytes, ParseStatus::TooLong, kMostSlices + 1);
}

TEST(MessageParser, SaysIfTheEndOfDamageIsNotThere) {
    const ParseResult result = parse({0xE0, 0x04, 0x09}).result;
    EXPECT_EQ(result.status, ParseStatus::UnknownCode);
    EXPECT_EQ(result.size, 3U);
    EXPECT_FALSE(result.ended);
}

TEST(MessageParser, DoubtsValuesThatNobodyAssigned) {
    const Bytes sync_8{0x24, 0x21, 0x01, 0x03};      // SYNC 8
    const Bytes event_1{0x88, 0x04, 0x03};           // CKSRC 1
    const Bytes stimulus_32{0x1C, 0x00, 0x09, 0x03}; // IDTAG 128
    for (const Bytes& bytes : {sync_8, event_1, stimulus_32}) {
        const ParseResult result = parse(bytes).result;
        EXPECT_EQ(result.status, ParseStatus::Message);
        EXPECT_TRUE(result.doubtful);
    }
    EXPECT_FALSE(parse({0x24, 0x15, 0x01, 0x03}).result.doubtful); // SYNC 5
}

/// A message in a long file is read eight slices at a time, one at the end of a file slice by
/// slice.
TEST(MessageParser, ReadsTheSameWhateverFollows) {
    std::mt19937_64 random(8);
    for (int count = 0; count < 20000; ++count) {
        const auto source_bits = static_cast<unsigned>(count % (kMostSourceBits + 1));
        test::RandomMessages messages(static_cast<unsigned>(count), source_bits);
        TraceMessage message = messages.next();
        if (messages.below(2) == 1) {
            message.timestamp = messages.value(64);
        }
        const PackedMessage packed = pack_message(message, source_bits);
        Bytes bytes(packed.view().begin(), packed.view().end());
        if (count % 2 == 1) {
            bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
        }
        TraceMessage alone;
        const ParseResult end_of_file = parse_message(bytes, source_bits, alone);
        if (bytes.size() >= 48 || end_of_file.status == ParseStatus::Incomplete) {
            continue; // long enough to be read in one way only, or torn
        }
        bytes.resize(bytes.size() + 64, kIdleByte);
        TraceMessage followed;
        const ParseResult inside = parse_message(bytes, source_bits, followed);
        ASSERT_EQ(inside.status, end_of_file.status) << count;
        if (inside.status == ParseStatus::Message) {
            ASSERT_EQ(followed, alone) << count;
            ASSERT_EQ(inside.size, end_of_file.size) << count;
            ASSERT_EQ(inside.doubtful, end_of_file.doubtful) << count;
        }
    }
}

TEST(MessageParser, AdvancesThroughAnyBytes) {
    std::mt19937_64 random(7);
    for (int count = 0; count < 200; ++count) {
        Bytes bytes(500);
        for (std::uint8_t& byte : bytes) {
            byte = static_cast<std::uint8_t>(random());
        }
        std::span<const std::uint8_t> rest = bytes;
        TraceMessage message;
        while (!rest.empty()) {
            const ParseResult result =
                parse_message(rest, static_cast<unsigned>(count % 13), message);
            if (result.status == ParseStatus::Incomplete) {
                EXPECT_LT(rest.size(), kMostSlices);
                break;
            }
            ASSERT_GT(result.size, 0U);
            ASSERT_LE(result.size, rest.size());
            rest = rest.subspan(result.size);
        }
    }
}

} // namespace
} // namespace pes::trace
