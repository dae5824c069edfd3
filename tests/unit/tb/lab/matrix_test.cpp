// SPDX-License-Identifier: Apache-2.0
// The matrix as it is written, and every mistake in it as one sentence with its line.
#include "tb/lab/matrix.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/host/elf_image.h"

#include <gmock/gmock.h>

namespace pes::lab {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr const char* kProgram = "[[programs]]\nname = 'a'\nelf = 'a.elf'\n";
constexpr const char* kPoints = "[[points]]\nevents = ['cycle']\nsamples = [100]\n";

class LabMatrix : public ::testing::Test {
  protected:
    LabMatrix() {
        test::ElfImage program;
        program.segments = {{0x8000'0000, std::string("\x13\0\0\0", 4), 4, 0x8000'0000}};
        directory_.write("a.elf", program.bytes());
    }

    Matrix read(const std::string& text) const {
        return read_matrix(directory_.write("m.toml", text), "");
    }

    /// From the line on.
    std::string sentence(const std::string& text) const {
        const std::string said = user_error([&] { read(text); });
        const std::string place = directory_.path().string() + "/m.toml:";
        return said.starts_with(place) ? said.substr(place.size()) : said;
    }

    TemporaryDirectory directory_;
};

TEST_F(LabMatrix, AbsentListsMeanEverythingOrTheDefault) {
    const Matrix matrix = read(std::string(kProgram) + kPoints);
    ASSERT_THAT(matrix.groups, SizeIs(1));
    const PointGroup& group = matrix.groups[0];
    EXPECT_THAT(group.programs, ElementsAre(0));
    EXPECT_THAT(group.settings, ElementsAre(0));
    EXPECT_EQ(group.methods.size(), sampling_methods().size());
    EXPECT_THAT(group.seeds, ElementsAre(1));
    EXPECT_EQ(group.spread, 0U);
    EXPECT_EQ(matrix.settings[0].name, "default");
    EXPECT_EQ(matrix.programs[0].guest.program, (directory_.path() / "a.elf").string());
}

TEST_F(LabMatrix, AllKeysAreRead) {
    const Matrix matrix = read(std::string("min_events = 7\nmax_cycles = 8\n") + kProgram +
                               "[[settings]]\nname = 's'\nset = ['timing.l1d.ways=2']\n"
                               "[[points]]\nprograms = ['a']\nsettings = ['s']\n"
                               "methods = ['lcofi', 'timer']\nevents = ['load']\nperiods = [5, 6]\n"
                               "samples = [9]\nseeds = [3, 4]\nspread = 20\n"
                               "[[deliveries]]\nname = 'd'\nelf = 'a.elf'\nwithout = 'a.elf'\n"
                               "traps = 3\n[[skids]]\nname = 'k'\nelf = 'a.elf'\n");
    EXPECT_EQ(matrix.min_events, 7U);
    EXPECT_EQ(matrix.max_cycles, 8U);
    const PointGroup& group = matrix.groups[0];
    EXPECT_STREQ(group.methods[1]->name, "timer");
    ASSERT_THAT(group.rates, SizeIs(3));
    EXPECT_EQ(group.rates[1].number, 6U);
    EXPECT_EQ(group.rates[2].kind, Rate::Kind::Samples);
    EXPECT_THAT(group.seeds, ElementsAre(3, 4));
    EXPECT_EQ(group.spread, 20U);
    EXPECT_EQ(matrix.deliveries[0].traps, 3U);
    EXPECT_EQ(matrix.skids[0].name, "k");
}

TEST_F(LabMatrix, MistakesNameTheirLine) {
    const std::string program = kProgram;
    EXPECT_THAT(sentence(program + kPoints + "period = [1]\n"),
                HasSubstr("7: unknown key 'period', expected one of programs, settings"));
    EXPECT_THAT(sentence("speed = 1\n"), HasSubstr("1: unknown key 'speed'"));
    EXPECT_THAT(sentence(program), HasSubstr("there are no tables [[points]]"));
    EXPECT_THAT(sentence(std::string(kPoints)), HasSubstr("there are no tables [[programs]]"));
    EXPECT_THAT(sentence("[[programs]]\nname = 'b'\nelf = 'b.elf'\n"),
                HasSubstr("3: program '" + (directory_.path() / "b.elf").string()));
    EXPECT_THAT(sentence("[[programs]]\nname = 'b'\n"), HasSubstr("expected either 'elf' or"));
    EXPECT_THAT(sentence(program + program), HasSubstr("5: name = \"a\" is not valid"));
    EXPECT_THAT(sentence(program + "[[points]]\nevents = ['cycle']\n"),
                HasSubstr("expected a list 'periods' or 'samples'"));
}

TEST_F(LabMatrix, UnknownNamesAreMistakes) {
    const std::string all = std::string(kProgram) + kPoints;
    EXPECT_THAT(sentence(all + "methods = ['magic']\n"),
                HasSubstr("7: unknown method 'magic', expected one of ideal"));
    EXPECT_THAT(sentence(std::string(kProgram) + "[[points]]\nevents = ['lode']\nsamples = [1]\n"),
                HasSubstr("5: unknown event 'lode', expected one of profile 'cva6'"));
    EXPECT_THAT(sentence(all + "programs = ['b']\n"),
                HasSubstr("7: unknown name 'b' in programs, expected one of a"));
    EXPECT_THAT(sentence(all + "[[settings]]\nname = 's'\nset = ['nothing=1']\n"),
                HasSubstr("9: --set: unknown key 'nothing'"));
}

TEST_F(LabMatrix, ImpossiblePairsAreMistakes) {
    const std::string all = std::string(kProgram) + kPoints;
    EXPECT_THAT(sentence(all + "methods = ['lcofi']\n[[settings]]\nname = 's'\n"
                               "set = ['counters.sscofpmf=false']\n"),
                HasSubstr("7: method 'lcofi' is impossible with settings 's', expected "
                          "counters.sscofpmf = true"));
    EXPECT_THAT(sentence(all + "methods = ['pc-trace']\n[[settings]]\nname = 's'\n"
                               "set = ['hart.path=fast']\n"),
                HasSubstr("method 'pc-trace' is impossible with settings 's'"));
    EXPECT_THAT(sentence(all + "[[settings]]\nname = 's'\nset = ['harts=2']\n"),
                HasSubstr("expected one hart"));
}

} // namespace
} // namespace pes::lab
