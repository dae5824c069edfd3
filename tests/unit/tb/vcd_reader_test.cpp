// SPDX-License-Identifier: Apache-2.0
// Expectations follow IEEE 1364-2005 clause 18 (value change dump).
#include "tb/vcd_reader.h"

#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint64_t kVcdPeriod = 20'000; // ps: 50 MHz

constexpr std::string_view kHeader = "$timescale 1 ns $end\n"
                                     "$scope module top $end\n"
                                     "$var wire 1 ! line $end\n"
                                     "$scope module inner $end\n"
                                     "$var wire 8 \" word $end\n"
                                     "$upscope $end\n$upscope $end\n"
                                     "$enddefinitions $end\n";

class VcdReader : public testing::Test {
  protected:
    VcdFile read(const std::string& text) {
        return VcdFile::read(directory_.write("wave.vcd", text), kVcdPeriod);
    }
    VcdFile read_body(const std::string& body) { return read(std::string(kHeader) + body); }

    std::string error_of(const std::string& text) {
        try {
            read(text);
        } catch (const UserError& error) {
            return error.what();
        }
        return "none";
    }

    TemporaryDirectory directory_;
};

TEST_F(VcdReader, ReadsValuesInCycles) {
    const VcdFile wave =
        read_body("#40\n$dumpvars\n0!\nb101 \"\n$end\n#60\n1!\n#100\nb0 \"\n0!\n#200\n");
    const WaveSignal& word = wave.signal("top.inner.word");
    EXPECT_EQ(wave.from(), 2U);
    EXPECT_EQ(wave.to(), 10U);
    EXPECT_EQ(word.width(), 8U);
    EXPECT_EQ(word.at(1), std::nullopt);
    EXPECT_EQ(word.at(2), 5U);
    EXPECT_EQ(word.at(4), 5U);
    EXPECT_EQ(word.at(5), 0U);
    EXPECT_EQ(word.at(100), 0U);
}

TEST_F(VcdReader, FindsEdgesAndConditions) {
    const VcdFile wave = read_body("#0\n0!\nb0 \"\n#20\n1!\n#40\n0!\nb11 \"\n#60\n1!\n#80\n");
    const WaveSignal& line = wave.signal("top.line");
    EXPECT_EQ(line.edge(0, 0, Edge::Rise), 1U);
    EXPECT_EQ(line.edge(2, 0, Edge::Rise), 3U);
    EXPECT_EQ(line.edge(0, 0, Edge::Fall), 2U);
    EXPECT_EQ(line.edge(4, 0, Edge::Rise), std::nullopt);
    EXPECT_EQ(wave.signal("top.inner.word").edge(0, 1, Edge::Rise), 2U);
    EXPECT_EQ(wave.signal("top.inner.word").first(0, [](auto value) { return value == 3; }), 2U);
    EXPECT_EQ(wave.signal("top.inner.word").first(3, [](auto value) { return value == 3; }), 3U);
    EXPECT_EQ(wave.signal("top.inner.word").first(0, [](auto value) { return value == 4; }),
              std::nullopt);
}

TEST_F(VcdReader, ReadsTexts) {
    const std::string header = "$timescale 1 ns $end\n$var string 1 ! name $end\n"
                               "$var wire 1 \" line $end\n$enddefinitions $end\n";
    const VcdFile wave = read(header + "#0\nsmain !\n#20\nstrap !\n#40\nsmain !\n");
    const WaveSignal& name = wave.signal("name");
    ASSERT_TRUE(name.is_text());
    ASSERT_EQ(name.changes().size(), 3U);
    EXPECT_EQ(name.text_of(*name.at(0)), "main");
    EXPECT_EQ(name.text_of(*name.at(1)), "trap");
    EXPECT_EQ(name.at(2), name.at(0));
    EXPECT_THAT(error_of(header + "#0\nsmain \"\n"), testing::HasSubstr("wave.vcd:6: text"));
}

TEST_F(VcdReader, TheFirstValueIsNoEdge) {
    EXPECT_EQ(read_body("#0\n1!\n").signal("top.line").edge(0, 0, Edge::Rise), std::nullopt);
}

TEST_F(VcdReader, NamesFileAndLineOfAMistake) {
    const std::string header(kHeader);
    const auto mistake = [&](const std::string& text, const std::string& expected) {
        EXPECT_THAT(error_of(text), testing::HasSubstr("wave.vcd:")) << text;
        EXPECT_THAT(error_of(text), testing::HasSubstr(expected)) << text;
    };
    mistake("", "no $enddefinitions");
    mistake("hello", "before $enddefinitions");
    mistake("$timescale 1 minute $end", "timescale '1minute'");
    mistake("$scope module a", "$scope without $end");
    mistake("$upscope $end", "$upscope without $scope");
    mistake("$enddefinitions $end", "no $timescale");
    mistake("$var wire 65 ! wide $end", "expected 1 to 64");
    mistake("$var wire 1 ! a $end $var wire 1 ! a $end", "declared twice");
    mistake("$var wire 1 ! a $end $var wire 2 ! b $end", "two widths");
    mistake(header, "no time stamp");
    mistake(header + "1!", "before the first time stamp");
    mistake(header + "#0\nx!", "two-valued");
    mistake(header + "#0\nbx1 \"", "binary digits");
    mistake(header + "#0\nb111111111 \"", "at most 8 binary digits");
    mistake(header + "#0\n1?", "not declared");
    mistake(header + "#30", "not a whole number of cycles");
    mistake(header + "#40\n#20", "goes back in time");
    mistake(header + "#0\n$dumpvars\n1!", "without its $end");
    EXPECT_THAT(error_of(header + "#0\n#20\n1?"), testing::HasSubstr("wave.vcd:11:"));
}

TEST_F(VcdReader, NamesASignalThatIsNotThere) {
    const VcdFile wave = read_body("#0\n");
    EXPECT_EQ(wave.find("top.word"), nullptr);
    EXPECT_THROW(wave.signal("top.word"), UserError);
}

TEST_F(VcdReader, RefusesAFileThatIsNotThere) {
    EXPECT_THROW(VcdFile::read(directory_ / "absent.vcd", kVcdPeriod), UserError);
}

} // namespace
} // namespace pes::test
