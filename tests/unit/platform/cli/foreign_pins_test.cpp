// SPDX-License-Identifier: Apache-2.0
// Mistakes in a pin map: one sentence, exit code 2, nothing written.
#include "tests/unit/common/run_command.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace pes::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ForeignPins : public testing::Test {
  protected:
    static constexpr const char* kBlock =
        "module block(input wire clock, output wire unused); endmodule\n";

    CommandResult convert(const std::string& map, const std::string& block = kBlock) const {
        directory_.write("pins.toml", map);
        directory_.write("block.sv", block);
        return run_command("cd '" + directory_.path().string() +
                           "' && '" PES_FOREIGN_RTL_PATH "' pins.toml out '" PES_RTL_FILE "'");
    }

    void expect_refused(const std::string& map, const std::string& reason) const {
        const CommandResult result = convert(map);
        EXPECT_EQ(result.exit_code, 2) << map;
        EXPECT_THAT(result.err, AllOf(StartsWith("pes-foreign-rtl: "), HasSubstr("pins.toml"),
                                      HasSubstr(reason)));
        EXPECT_FALSE(std::filesystem::exists(directory_ / "out")) << map;
    }

    /// What Verilator says to the wrapper, with the options of pes_verilate.
    CommandResult verilate(const std::string& map, const std::string& block = kBlock) const {
        EXPECT_EQ(convert(map, block).exit_code, 0) << map;
        return run_command("cd '" + directory_.path().string() +
                           "' && '" PES_VERILATOR_PATH "' --lint-only -Wno-lint -Wno-style "
                           "-Wno-fatal --top-module pes_counter_file -f out/arguments.f "
                           "'" PES_RTL_PACKAGE "' out/pes_counter_file.pins");
    }

    TemporaryDirectory directory_;
    const std::string top_ = "top = \"block\"\n";
    const std::string sources_ = "sources = [\"block.sv\"]\n";
    const std::string shape_ = "counters = 2\nwidth = 40\n";
    const std::string value_ = "value = \"i_foreign.q[{n}-3]\"\n";
    const std::string pins_ = "[pins]\nclock = \"clk_i\"\nunused = \"\"\n";
};

TEST_F(ForeignPins, AreConnectedAndEachCounterHasItsRegister) {
    const CommandResult result = convert(top_ + sources_ + shape_ + value_ + pins_);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const std::string wrapper = read_file(directory_ / "out/pes_counter_file.pins");
    EXPECT_THAT(wrapper, AllOf(HasSubstr("block #("), HasSubstr(".clock(clk_i)"),
                               HasSubstr("assign value_o[2] = '0;"),
                               HasSubstr("assign value_o[3] = 64'(i_foreign.q[3-3]);"),
                               HasSubstr("assign value_o[4] = 64'(i_foreign.q[4-3]);"),
                               HasSubstr("assign value_o[5] = '0;")));
    EXPECT_THAT(read_file(directory_ / "out/arguments.f"),
                AllOf(HasSubstr("-GNumCounters=2\n"), HasSubstr("-GCounterWidth=40\n"),
                      HasSubstr("/block.sv\"\n")));
}

TEST_F(ForeignPins, MistakesAreNamed) {
    expect_refused("top = ", "pins.toml:1: not valid TOML: ");
    expect_refused(sources_ + shape_ + value_ + pins_,
                   "pins.toml:1: the key 'top' is missing, expected a quoted string");
    expect_refused(top_ + shape_ + value_ + pins_,
                   "the key 'sources' is missing, expected at least one");
    expect_refused(top_ + "sources = [\"absent.sv\"]\n" + shape_ + value_ + pins_, "absent.sv");
    expect_refused(top_ + sources_ + "counters = 30\nwidth = 40\n" + value_ + pins_,
                   "pins.toml:3: counters = 30 is not valid, expected a whole number from 0 to 29");
    expect_refused(top_ + sources_ + shape_ + pins_,
                   "the key 'value' is missing, expected a quoted string");
    expect_refused(top_ + sources_ + shape_ + value_,
                   "the key 'pins' is missing, expected at least one");
    expect_refused("pin = 1\n" + top_ + sources_ + shape_ + value_ + pins_,
                   "pins.toml:1: unknown key 'pin', expected one of top, sources,");
}

TEST_F(ForeignPins, KeysOfTheWrongTypeAreNamed) {
    const std::string rest = top_ + sources_ + shape_ + value_ + pins_;
    expect_refused("write_freezes = \"true\"\n" + rest,
                   "write_freezes = \"true\" is not valid, expected true or false");
    expect_refused("verilator = \"-Wno-WIDTH\"\n" + rest,
                   "verilator = \"-Wno-WIDTH\" is not valid, expected a list of quoted strings");
    expect_refused("include_dirs = \"include\"\n" + rest,
                   "include_dirs = \"include\" is not valid, expected a list of quoted strings");
    expect_refused("declarations = 1\n" + rest,
                   "declarations = 1 is not valid, expected a quoted string");
    expect_refused("parameters = 1\n" + rest, "parameters = 1 is not valid, expected a table");
}

TEST_F(ForeignPins, VerilatorRefusesAPinWithoutConnectionAndANameThatDoesNotExist) {
    const std::string map = top_ + sources_ + shape_ + "value = \"64'd0\"\n";
    const CommandResult good = verilate(map + pins_);
    EXPECT_EQ(good.exit_code, 0) << good.err;
    const CommandResult typo = verilate(map + "[pins]\nclock = \"clk_j\"\nunused = \"\"\n");
    EXPECT_NE(typo.exit_code, 0);
    EXPECT_THAT(typo.err, HasSubstr("clk_j"));
    const CommandResult missing = verilate(map + "[pins]\nunused = \"\"\n");
    EXPECT_NE(missing.exit_code, 0);
    EXPECT_THAT(missing.err, HasSubstr("missing pin: 'clock'"));
}

// The block's own widths are its affair; those of the connections are checked.
TEST_F(ForeignPins, VerilatorRefusesAPinOfTheWrongWidth) {
    const std::string map =
        top_ + sources_ + shape_ + "value = \"64'd0\"\n[pins]\nclock = \"clk_i\"\n";
    const std::string block =
        "module block(input wire clock, input wire [4:0] number, output wire [7:0] seen,\n"
        "             output wire unused);\n"
        "  assign seen = number; inner i(.number);\nendmodule\n"
        "module inner(input wire [2:0] number); endmodule\n";
    const auto verilated = [&](const std::string& pins) { return verilate(map + pins, block); };
    EXPECT_EQ(verilated("number = \"csr_addr_i[4:0]\"\nseen = \"\"\nunused = \"\"\n").exit_code, 0);
    const CommandResult wide = verilated("number = \"csr_addr_i\"\nseen = \"\"\nunused = \"\"\n");
    EXPECT_NE(wide.exit_code, 0);
    EXPECT_THAT(wide.err, AllOf(HasSubstr("'number' expects 5 bits"), HasSubstr("12 bits")));
    EXPECT_NE(verilated("number = \"5'd3\"\nseen = \"csr_rdata_o\"\nunused = \"\"\n").exit_code, 0);
}

TEST_F(ForeignPins, CoverageAndSavingExcludeEachOther) {
    const std::string map = top_ + sources_ + shape_ + value_;
    convert(map + pins_);
    EXPECT_THAT(read_file(directory_ / "out/arguments.f"), HasSubstr("--savable\n"));
    convert("verilator = [\"--coverage-line\"]\n" + map + pins_);
    EXPECT_THAT(read_file(directory_ / "out/arguments.f"),
                AllOf(testing::Not(HasSubstr("--savable")), HasSubstr("\"--coverage-line\"")));
}

TEST_F(ForeignPins, ConstraintsThatDoNotExistAreNamed) {
    expect_refused("constraints = \"absent.cpp\"\n" + top_ + sources_ + shape_ + value_ + pins_,
                   "cannot read constraints");
}

// A shell would call the folder '$my "block"\s #1'.
TEST_F(ForeignPins, FilesAndOptionsMayHaveBlanksAndSigns) {
    const std::filesystem::path folder = directory_ / "$my \"block\"s #1";
    std::filesystem::create_directories(folder / "in clude");
    std::ofstream(folder / "the block.sv")
        << "`include \"size.svh\"\nmodule block(input wire clock, output wire unused);\n"
           "  wire [`SIZE-1:0] q [2];\n  inner i(.clock);\n  initial $display(`GREETING);\n"
           "endmodule\n"
           "module inner(input wire clock, input wire open); endmodule\n"; // its own affair
    std::ofstream(folder / "in clude" / "size.svh") << "`define SIZE 40\n";
    const std::string map =
        top_ + shape_ + value_ +
        "sources = ['$my \"block\"s #1/the block.sv']\ninclude_dirs = ['$my \"block\"s #1/in "
        "clude']\ndefines = ['GREETING=\"hello you\"']\nverilator = ['-I{dir}/absent']\n";
    const CommandResult good = verilate(map + pins_);
    EXPECT_EQ(good.exit_code, 0) << good.err;
    EXPECT_NE(verilate(map + "[pins]\nunused = \"\"\n").exit_code, 0) << "still checked";
    const std::string dependencies = read_file(directory_ / "out/depends.d");
    EXPECT_THAT(dependencies, AllOf(StartsWith("out/pes_counter_file.pins: "),
                                    HasSubstr("/$$my\\ \"block\"s\\ \\#1/the\\ block.sv"),
                                    HasSubstr("/in\\ clude/size.svh")));
    EXPECT_THAT(read_file(directory_ / "out/arguments.f"),
                HasSubstr("\"-I" + directory_.path().string() + "/absent\"\n"));
}

TEST_F(ForeignPins, DirectoriesThatDoNotExistAreNamed) {
    expect_refused("include_dirs = [\"absent\"]\n" + top_ + sources_ + shape_ + value_ + pins_,
                   "expected a directory");
}

} // namespace
} // namespace pes::test
