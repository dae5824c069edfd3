// SPDX-License-Identifier: Apache-2.0
// What a person looks at: the GTKWave save file and the drawing.
#include "tb/scenario_save.h"
#include "tb/timing_diagram.h"

#include "platform/host/user_error.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::test {
namespace {

using testing::HasSubstr;

class View : public testing::Test {
  protected:
    View()
        : wave_(VcdFile::read(
              directory_.write("wave.vcd", "$timescale 1 ns $end\n$scope module top $end\n"
                                           "$var wire 1 ! line $end\n$var wire 30 \" word $end\n"
                                           "$upscope $end\n$enddefinitions $end\n"
                                           "#0\n0!\nb0 \"\n#100\n1!\nb10000000 \"\n#200\n"),
              20'000)) {}

    TemporaryDirectory directory_;
    VcdFile wave_;
    Sample sample_;
    std::vector<Figure> figures_{{"4.9",
                                  "a < b",
                                  {{"top.line", Radix::Binary},
                                   {"top.word", Radix::Hexadecimal},
                                   {"top.word", Radix::Hexadecimal, 7}}}};
};

TEST_F(View, SaveFileGroupsTheSignalsOfAFigure) {
    const std::string text = scenario_save(figures_, wave_, sample_, {"wave.vcd", 20});
    EXPECT_THAT(text, HasSubstr("[dumpfile] \"wave.vcd\"\n"));
    EXPECT_THAT(text,
                HasSubstr("@800200\n-Figure 4.9: a < b\n@28\ntop.line\n@22\ntop.word[29:0]\n"));
    EXPECT_THAT(text, HasSubstr("@1000200\n-Figure 4.9: a < b\n"));
}

// The wave has the cycles 0 to 10, 200 ns.
TEST_F(View, SaveFileMarksTheStepsAndFillsTheWindowWithThem) {
    sample_.steps[static_cast<std::size_t>(Step::Event)] = 3;
    sample_.steps[static_cast<std::size_t>(Step::TrapTaken)] = 7;
    const std::string text = scenario_save(figures_, wave_, sample_, {"wave.vcd", 20});
    EXPECT_THAT(text, HasSubstr("[timestart] 0\n"));
    EXPECT_THAT(text, HasSubstr("\n*-6.158429 60 60 140 -1 -1"))
        << "200 ns in 560 pixels are 71.4 ns in 200";
    EXPECT_THAT(text, HasSubstr("[markername] Aevent\n[markername] Btrap\n[sst_width]"));
}

TEST_F(View, DrawingShowsTitlesLabelsAndValues) {
    const std::vector<DiagramPanel> panels{{figures_.data(), 0, 10}};
    const std::string svg = draw_timing_diagram(wave_, panels);
    EXPECT_THAT(svg, HasSubstr(">Figure 4.9: a &lt; b<"));
    EXPECT_THAT(svg, HasSubstr(">line<"));
    EXPECT_THAT(svg, HasSubstr(">word[7]<"));
    EXPECT_THAT(svg, HasSubstr(">0x80<"));
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n");
}

TEST_F(View, MissingSignalIsNamed) {
    figures_[0].signals.push_back({"top.absent"});
    const std::vector<DiagramPanel> panels{{figures_.data(), 0, 10}};
    EXPECT_THROW(draw_timing_diagram(wave_, panels), UserError);
    EXPECT_THROW(scenario_save(figures_, wave_, sample_, {"wave.vcd", 20}), UserError);
}

} // namespace
} // namespace pes::test
