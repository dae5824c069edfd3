// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/output/itc_text.h"
#include "hw/interface/trace/stimulus.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <gtest/gtest.h>
#include <sstream>

namespace pes::trace {
namespace {

using test::TraceWriter;

std::string text_of(const TraceWriter& writer, unsigned stimulus, unsigned source_bits = 0) {
    std::istringstream input(writer.bytes());
    TraceReader reader(input, source_bits);
    ContextTracker contexts({});
    ItcText text(stimulus, source_bits > 0 ? SourceColumn::Shown : SourceColumn::Hidden);
    std::string lines;
    for (TraceItem item; reader.next(item);) {
        text.add(item, contexts.next(item), lines);
    }
    text.finish(lines);
    return lines;
}

TraceMessage put(unsigned bytes, std::uint32_t value, std::uint16_t source = 0) {
    TraceMessage message = to_message({.stimulus = 3, .bytes = bytes, .value = value});
    message.source = source;
    return message;
}

TEST(StimulusWrite, HasItsSizeInTheTag) {
    // Stimulus 6: 0x18 for a word, 0x1A for two bytes, 0x1B for one.
    EXPECT_EQ(to_message({6, 4, 1}).value(Field::IdTag), 0x18U);
    EXPECT_EQ(to_message({6, 2, 1}).value(Field::IdTag), 0x1AU);
    EXPECT_EQ(to_message({6, 1, 1}).value(Field::IdTag), 0x1BU);
    for (const unsigned bytes : {4U, 2U, 1U}) {
        const StimulusWrite write{31, bytes, 0};
        EXPECT_EQ(to_stimulus_write(to_message(write)), write);
    }
}

TEST(ItcText, JoinsWritesOfEverySizeLeastSignificantByteFirst) {
    TraceWriter writer(0);
    writer.untimed(put(4, 0x64636261)).untimed(put(2, 0x6665)).untimed(put(1, 0x67));
    EXPECT_EQ(text_of(writer, 3), "ITC Print: abcdefg\n");
    EXPECT_EQ(text_of(writer, 4), "");
}

TEST(ItcText, EndsLinesAtNulLineFeedAndCarriageReturn) {
    TraceWriter writer(0);
    writer
        .untimed(put(4, 0x0A0D6261)) // "ab\r\n"
        .untimed(put(4, 0x00630063)) // "c\0c\0"
        .untimed(put(1, 0));
    EXPECT_EQ(text_of(writer, 3), "ITC Print: ab\nITC Print: c\nITC Print: c\n");
}

TEST(ItcText, GivesTheTimesOfItsFirstAndLastMessage) {
    TraceWriter writer(0);
    writer.at(10, test::time_event())
        .at(20, put(2, 0x6261))
        .at(30, put(1, 0x63))
        .at(40, put(1, '\n'))
        .at(50, put(1, 'd'));
    EXPECT_EQ(text_of(writer, 3),
              "ITC Print: Msg Tics: <20-30> abc\nITC Print: Msg Tics: <50-50> d\n");
}

TEST(ItcText, KeepsSourcesApart) {
    TraceWriter writer(1);
    writer.untimed(put(1, 'a', 0)).untimed(put(1, 'x', 1)).untimed(put(1, 'b', 0));
    EXPECT_EQ(text_of(writer, 3, 1), "[0] ITC Print: ab\n[1] ITC Print: x\n");
}

TEST(ItcText, GluesNothingTogetherOverALoss) {
    TraceWriter writer(0);
    writer.untimed(put(1, 'a')).untimed(make_message(MessageCode::Error)).untimed(put(1, 'b'));
    writer.raw("\x1F").untimed(put(1, 'c'));
    EXPECT_EQ(text_of(writer, 3), "ITC Print: a\nITC Print: b\nITC Print: c\n");
}

TEST(ItcText, CutsALineThatNeverEnds) {
    TraceWriter writer(0);
    for (int count = 0; count < 5000; ++count) {
        writer.untimed(put(1, 'a'));
    }
    EXPECT_EQ(text_of(writer, 3), "ITC Print: " + std::string(4096, 'a') +
                                      "\nITC Print: " + std::string(904, 'a') + "\n");
}

TEST(ItcText, CannotSteerTheTerminal) {
    TraceWriter writer(0);
    writer.untimed(put(4, 0x6D5B1B61)); // "a" ESC "[m"
    EXPECT_EQ(text_of(writer, 3).find('\x1B'), std::string::npos);
}

} // namespace
} // namespace pes::trace
