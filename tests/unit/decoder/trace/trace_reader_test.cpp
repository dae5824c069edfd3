// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/messages/trace_quality.h"
#include "tests/unit/decoder/trace/trace_bytes.h"
#include "tests/unit/interface/trace/random_message.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using test::RandomMessages;
using test::stimulus_write;
using test::TraceWriter;

struct ReadItems {
    std::vector<TraceMessage> messages;
    std::vector<TraceItem> flaws;
    std::uint64_t item_bytes = 0;
    std::uint64_t idle_bytes = 0;
    std::uint64_t bytes = 0;
};

ReadItems read_items(const std::string& bytes, unsigned source_bits = 0,
                     StreamStart start = StreamStart::AtMessage) {
    std::istringstream input(bytes);
    TraceReader reader(input, source_bits, start);
    ReadItems trace;
    TraceItem item;
    while (reader.next(item)) {
        EXPECT_EQ(item.offset, reader.cut_bytes() + trace.item_bytes + reader.idle_bytes());
        trace.item_bytes += item.size;
        if (item.kind == TraceItem::Kind::Message) {
            trace.messages.push_back(item.message);
        } else {
            trace.flaws.push_back(item);
        }
    }
    trace.bytes = reader.bytes();
    trace.idle_bytes = reader.idle_bytes();
    EXPECT_EQ(trace.bytes, bytes.size());
    EXPECT_EQ(reader.cut_bytes() + trace.item_bytes + trace.idle_bytes, bytes.size())
        << "every byte is accounted for";
    return trace;
}

/// Messages, the file that they make, and where each one ends in it.
struct Sample {
    std::vector<TraceMessage> messages;
    std::vector<std::size_t> ends;
    std::string bytes;
};

Sample sample(std::size_t count, unsigned seed) {
    Sample sample;
    RandomMessages random(seed, 0);
    TraceWriter writer(0);
    for (std::size_t index = 0; index < count; ++index) {
        TraceMessage message = random.next();
        message.timestamp = random.value(40);
        writer.untimed(message);
        sample.messages.push_back(message);
        sample.ends.push_back(writer.bytes().size());
    }
    sample.bytes = writer.bytes();
    return sample;
}

/// How many messages end at or before this byte.
std::size_t whole_messages(const Sample& sample, std::size_t byte) {
    return static_cast<std::size_t>(std::upper_bound(sample.ends.begin(), sample.ends.end(), byte) -
                                    sample.ends.begin());
}

/// All messages that the damage at `byte` cannot have touched. It can take the end of its message
/// away, so the one behind it may be lost too.
void expect_damage_stays_local(const Sample& original, std::size_t byte, const ReadItems& items) {
    const std::size_t before = whole_messages(original, byte);
    const std::size_t behind =
        original.messages.size() - std::min(original.messages.size(), before + 2);
    ASSERT_GE(items.messages.size(), before + behind) << "byte " << byte;
    EXPECT_TRUE(std::equal(original.messages.begin(),
                           original.messages.begin() + static_cast<std::ptrdiff_t>(before),
                           items.messages.begin()))
        << "byte " << byte;
    EXPECT_TRUE(std::equal(original.messages.end() - static_cast<std::ptrdiff_t>(behind),
                           original.messages.end(),
                           items.messages.end() - static_cast<std::ptrdiff_t>(behind)))
        << "byte " << byte;
}

TEST(TraceReader, ReadsNothingFromAnEmptyFile) {
    EXPECT_TRUE(read_items("").messages.empty());
}

TEST(TraceReader, ReadsFilesOfManyWindows) {
    const Sample long_trace = sample(200'000, 1);
    ASSERT_GT(long_trace.bytes.size(), std::size_t{2} * 1024 * 1024);
    const ReadItems trace = read_items(long_trace.bytes);
    EXPECT_TRUE(trace.flaws.empty());
    EXPECT_TRUE(trace.messages == long_trace.messages);
}

TEST(TraceReader, CountsIdleBytesOfManyWindows) {
    TraceWriter writer(0);
    writer.raw(std::string(1'000'000, '\xFF')).untimed(stimulus_write(0, 1));
    const ReadItems trace = read_items(writer.raw(std::string(7, '\xFF')).bytes());
    EXPECT_EQ(trace.messages.size(), 1U);
    EXPECT_EQ(trace.idle_bytes, 1'000'007U);
    EXPECT_TRUE(trace.flaws.empty());
}

TEST(TraceReader, ReadsWhatIsWholeOfAFileCutAnywhere) {
    const Sample whole = sample(150, 2);
    for (std::size_t size = 0; size <= whole.bytes.size(); ++size) {
        const ReadItems trace = read_items(whole.bytes.substr(0, size));
        const std::size_t expected = whole_messages(whole, size);
        ASSERT_EQ(trace.messages.size(), expected) << size;
        const std::size_t end = expected == 0 ? 0 : whole.ends[expected - 1];
        ASSERT_EQ(trace.flaws.size(), size == end ? 0U : 1U) << size;
        if (size != end) {
            EXPECT_EQ(trace.flaws[0].kind, TraceItem::Kind::Truncated);
            EXPECT_EQ(trace.flaws[0].offset, end);
            EXPECT_EQ(trace.flaws[0].size, size - end);
        }
    }
}

TEST(TraceReader, TakesNoEndOfAMessageForAMessage) {
    const Sample all = sample(150, 5);
    for (std::size_t cut = 0; cut < all.bytes.size(); ++cut) {
        const ReadItems trace = read_items(all.bytes.substr(cut), 0, StreamStart::InMessage);
        const std::size_t behind = whole_messages(all, cut) + 1;
        const std::vector<TraceMessage> whole(
            all.messages.begin() + static_cast<std::ptrdiff_t>(behind), all.messages.end());
        ASSERT_TRUE(trace.messages == whole) << "without the first " << cut << " bytes";
        ASSERT_TRUE(trace.flaws.empty());
    }
}

TEST(TraceReader, FindsNothingInAFileWithoutTheEndOfAMessage) {
    EXPECT_TRUE(read_items(std::string(1000, '\x04'), 0, StreamStart::InMessage).messages.empty());
}

TEST(TraceReader, LosesAtMostTwoMessagesToALostByte) {
    const Sample whole = sample(150, 3);
    for (std::size_t byte = 0; byte < whole.bytes.size(); ++byte) {
        std::string bytes = whole.bytes;
        bytes.erase(byte, 1);
        expect_damage_stays_local(whole, byte, read_items(bytes));
    }
}

TEST(TraceReader, LosesAtMostTwoMessagesToAWrongByte) {
    const Sample whole = sample(150, 4);
    for (std::size_t byte = 0; byte < whole.bytes.size(); ++byte) {
        for (const unsigned flip : {0x01U, 0x02U, 0x03U, 0x80U, 0xFFU}) {
            std::string bytes = whole.bytes;
            bytes[byte] = static_cast<char>(static_cast<std::uint8_t>(bytes[byte]) ^ flip);
            expect_damage_stays_local(whole, byte, read_items(bytes));
        }
    }
}

TEST(TraceReader, NamesTheMessageOfAnUnknownCode) {
    TraceWriter writer(0);
    writer.untimed(stimulus_write(0, 1)).raw("\xE0\x04\x09\x03").untimed(stimulus_write(0, 2));
    const ReadItems trace = read_items(writer.bytes());
    EXPECT_EQ(trace.messages.size(), 2U);
    ASSERT_EQ(trace.flaws.size(), 1U);
    EXPECT_EQ(trace.flaws[0].offset, 3U);
    EXPECT_EQ(describe(trace.flaws[0]), "4 bytes: unknown TCODE 56");
}

TEST(TraceReader, TakesUnwrittenMemoryAsOnePlace) {
    TraceWriter writer(0);
    writer.raw(std::string(600'000, '\0')).untimed(stimulus_write(0, 2));
    const ReadItems trace = read_items(writer.bytes());
    EXPECT_EQ(trace.messages.size(), 1U);
    ASSERT_EQ(trace.flaws.size(), 1U);
    EXPECT_EQ(trace.flaws[0].size, 600'000U);
    EXPECT_EQ(describe(trace.flaws[0]), "600000 bytes: no message starts here");
}

TEST(TraceReader, FindsTheEndOfDamageBehindItsWindow) {
    TraceWriter writer(0);
    writer.raw("\x1C" + std::string(600'000, '\0') + "\x03").untimed(stimulus_write(0, 2));
    const ReadItems trace = read_items(writer.bytes());
    EXPECT_EQ(trace.messages.size(), 1U);
    ASSERT_EQ(trace.flaws.size(), 1U);
    EXPECT_EQ(trace.flaws[0].size, 600'002U);
    EXPECT_EQ(trace.flaws[0].status, ParseStatus::TooLong);
}

TEST(TraceQuality, CountsEachKindOfFlaw) {
    TraceWriter writer(0);
    writer
        .at(10, stimulus_write(0, 1)) // no absolute time yet
        .at(20, test::time_event())
        .raw("\xE0\x03") // unknown code
        .at(30, make_message(MessageCode::Error))
        .raw(std::string("\x00\x1F", 2)) // stray
        .raw("\x1C\x03")                 // no data
        .raw("\x88\x04\x03")             // CKSRC 1
        .raw("\x1C");                    // cut off
    std::istringstream input(writer.bytes());
    TraceReader reader(input, 0);
    ContextTracker contexts({});
    TraceQuality quality;
    for (TraceItem item; reader.next(item);) {
        quality.add(item, contexts.next(item));
    }
    EXPECT_EQ(quality.messages, 4U);
    EXPECT_EQ(quality.untimed, 2U) << "before the first time, and after the unknown message";
    EXPECT_EQ(quality.errors, 1U);
    EXPECT_EQ(quality.doubtful, 1U);
    EXPECT_EQ(quality.damages(), 3U);
    EXPECT_EQ(quality.damaged_bytes, 2U + 2U + 2U);
    EXPECT_EQ(quality.truncated_bytes, 1U);
    EXPECT_EQ(quality.places.size(), 5U);
    EXPECT_EQ(describe_flaws(quality).size(), 3U + 5U);
    EXPECT_TRUE(quality.flawed());
}

TEST(TraceQuality, KeepsABoundedNumberOfPlaces) {
    TraceQuality quality;
    TraceItem item;
    item.kind = TraceItem::Kind::Damage;
    item.status = ParseStatus::UnknownCode;
    for (std::size_t count = 0; count < TraceQuality::kMostPlaces + 5; ++count) {
        quality.add(item, {});
    }
    EXPECT_EQ(quality.places.size(), TraceQuality::kMostPlaces);
    EXPECT_EQ(quality.unlisted_places, 5U);
}

} // namespace
} // namespace pes::trace
