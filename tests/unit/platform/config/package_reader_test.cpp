// SPDX-License-Identifier: Apache-2.0
#include "platform/config/package_reader.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"
#include "tests/unit/platform/config/core_package_facts.h"

#include <gmock/gmock.h>

#include <string>

namespace pes {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Package : public ::testing::Test {
  protected:
    std::string file() const { return (directory_ / "p.sv").string(); }

    void read(const std::string& text) const {
        directory_.write("p.sv", text);
        PackageFile package(file(), "cfg_t");
        for (const PackageFile::Member& member : package.members()) {
            package.value(member);
        }
    }
    std::string refusal(const std::string& text) const {
        return user_error([&] { read(text); });
    }
    /// The value of `expression` as a member; `before` are items of the package.
    std::string value(const std::string& expression, const std::string& before = "") const {
        directory_.write("p.sv", "package p;\n" + before + "\nlocalparam pkg::cfg_t c = '{\nA: " +
                                     expression + "};\nendpackage : p\n");
        PackageFile package(file(), "cfg_t");
        return package.value(package.members().front()).text();
    }
    std::string bad(const std::string& expression, const std::string& before = "") const {
        return user_error([&] { value(expression, before); });
    }

    TemporaryDirectory directory_;
};

TEST_F(Package, NumbersHaveBasesAndWidths) {
    EXPECT_EQ(value("1_024"), "1024");
    EXPECT_EQ(value("32'h10"), "16");
    EXPECT_EQ(value("64'h8000_0000"), "2147483648");
    EXPECT_EQ(value("8'b0000_1010"), "10");
    EXPECT_EQ(value("6'o17"), "15");
    EXPECT_EQ(value("'d 12"), "12");
    EXPECT_EQ(value("16'sd7"), "7");
    EXPECT_EQ(value("'0"), "0");
    EXPECT_EQ(value("bit'('1)"), "1");
    EXPECT_THAT(bad("3'd9"), HasSubstr("got 3'd9 in the value of 'A'"));
    EXPECT_THAT(bad("64'hFFFF_FFFF_FFFF_FFFF"), HasSubstr("63 bits"));
    EXPECT_THAT(bad("4'b10x1"), HasSubstr("4'b10x1"));
    EXPECT_THAT(bad("99999999999999999999"), HasSubstr("63 bits"));
}

TEST_F(Package, OperatorsBindAsInSystemVerilog) {
    EXPECT_EQ(value("2 + 3 * 4 - 10 / 5 % 3"), "12");
    EXPECT_EQ(value("(2 + 3) * 4"), "20");
    EXPECT_EQ(value("1 << 4 + 1"), "32");
    EXPECT_EQ(value("1 + 1 == 2 && 7 > 3"), "1");
    EXPECT_EQ(value("6 & 3 | 8 ^ 1"), "11");
    EXPECT_EQ(value("-3 + +5"), "2");
    EXPECT_EQ(value("!0 + ~(-2)"), "2");
    EXPECT_EQ(value("256 >> 2 >= 64 ? 10 : 20"), "10");
    EXPECT_EQ(value("0 ? 1 : 0 ? 2 : 3"), "3");
    EXPECT_EQ(value("$clog2(33) + $clog2(32) + $clog2(1)"), "11");
    EXPECT_EQ(value("7 % -1 + (-8 / -1)"), "8");
}

TEST_F(Package, CastsCutToTheirWidth) {
    EXPECT_EQ(value("bit'(2)"), "0");
    EXPECT_EQ(value("unsigned'(64)"), "64");
    EXPECT_EQ(value("unsigned'(-1)"), "4294967295");
    EXPECT_EQ(value("byte'(255)"), "-1");
    EXPECT_EQ(value("4'(17)"), "1");
    EXPECT_EQ(value("Width'(17)", "localparam int Width = 4;"), "1");
    EXPECT_EQ(value("(2 + 2)'(17)"), "1");
    EXPECT_EQ(value("longint'(5)"), "5");
    EXPECT_THAT(bad("0'(1)"), HasSubstr("a cast to 0 bits"));
}

TEST_F(Package, NamesOfOtherPackagesStayNames) {
    EXPECT_EQ(value("config_pkg::WT"), "WT");
    EXPECT_EQ(value("config_pkg::cache_t'(config_pkg::WB)"), "WB");
    EXPECT_EQ(value("C", "localparam config_pkg::cache_t C = config_pkg::WT;"), "WT");
    EXPECT_EQ(value("C == config_pkg::WT ? 8 : 4", "parameter C = config_pkg::WT;"), "8");
    EXPECT_EQ(value("C != config_pkg::WT", "parameter C = config_pkg::WT;"), "0");
    EXPECT_EQ(value("p::C", "parameter C = 3;"), "3");
    EXPECT_THAT(bad("config_pkg::WT + 1"), HasSubstr("got WT in the value of 'A'"));
}

TEST_F(Package, ParametersMayBeAnywhereAndAreEvaluatedWhenNeeded) {
    EXPECT_EQ(value("B", "import q::*;\nlocalparam int unsigned B = C + 1, C = 4;"), "5");
    EXPECT_EQ(value("1", "localparam logic [63:0] B = 1 / 0;"), "1");
    EXPECT_EQ(value("1 ? 5 : 1 / 0"), "5");
    EXPECT_EQ(value("0 && 1 / 0 || 1 || nothing"), "1");
    std::string chain = "localparam P0 = 1;\n";
    for (int i = 1; i < 60; ++i) { // each twice: without memory, 2^60 evaluations
        const std::string before = "P" + std::to_string(i - 1);
        chain.append("localparam P").append(std::to_string(i)).append(" = ");
        chain.append(before).append(" + ").append(before).append(";\n");
    }
    EXPECT_EQ(value("P59", chain), std::to_string(std::uint64_t{1} << 59));
}

TEST_F(Package, ListsAreZeroOrAList) {
    EXPECT_EQ(value("{64{64'h0}}"), "0");
    EXPECT_EQ(value("1024'({64'b0, 64'b0})"), "0");
    EXPECT_EQ(value("'{0, 1}"), "{...}");
    EXPECT_EQ(value("1024'({64'h8000_0000})"), "{...}");
    EXPECT_THAT(bad("{1, 2} + 1"), HasSubstr("got {...}"));
}

TEST_F(Package, MistakesInExpressionsNameTheirLine) {
    EXPECT_EQ(bad("1 / 0"),
              file() + ":4: division by zero in the value of 'A', expected a divisor");
    EXPECT_THAT(bad("1 % (2 - 2)"), HasSubstr(":4: division by zero"));
    EXPECT_THAT(bad("Bogus"), HasSubstr(":4: got 'Bogus', expected a value or a parameter of"));
    EXPECT_THAT(bad("1 +"), HasSubstr(":4: got the end of 'A', expected a value for 'A'"));
    EXPECT_THAT(bad("1 2"), HasSubstr("got '2', expected an operator or the end of 'A'"));
    EXPECT_THAT(bad("1 ? 2"), HasSubstr("expected ':'"));
    EXPECT_THAT(bad("f(3)"), HasSubstr("got 'f'"));
    EXPECT_THAT(bad("1 << 63"), HasSubstr("does not fit in 64 bits"));
    EXPECT_THAT(bad("1 << -1"), HasSubstr("a shift by -1"));
    EXPECT_THAT(bad("4611686018427387904 * 2"), HasSubstr("does not fit in 64 bits"));
    EXPECT_THAT(bad("\"text\""), HasSubstr("expected a value for 'A'"));
    EXPECT_THAT(bad("B", "localparam B = C;\nlocalparam C = B + 1;"),
                AllOf(HasSubstr("'B' needs itself"), HasSubstr(":2: ")));
    EXPECT_THAT(bad("c"), HasSubstr("got 'c'"));
    EXPECT_THAT(bad(std::string(5000, '(') + "1" + std::string(5000, ')')),
                HasSubstr("nested too deeply"));
    EXPECT_THAT(bad(std::string(5000, '-') + "1"), HasSubstr("nested too deeply"));
}

TEST_F(Package, MistakesInTheFileNameTheirLine) {
    EXPECT_EQ(refusal(""), file() + ":1: got the end of the file, expected a package");
    EXPECT_THAT(refusal("module m;"), HasSubstr(":1: got 'module', expected a package"));
    EXPECT_THAT(refusal("package p;\nendpackage"), HasSubstr("no parameter of the type cfg_t"));
    EXPECT_THAT(refusal("package p;\nfunction f;\nendpackage"), HasSubstr(":2: got 'function'"));
    EXPECT_THAT(refusal("package p; localparam A = 1;\nlocalparam A = 2; endpackage"),
                HasSubstr(":2: parameter 'A' is in line 1 already"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{A: 1,\nA: 2}; endpackage"),
                HasSubstr(":2: 'A' is in line 1 already"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{default: 0}; endpackage"),
                HasSubstr("'default'"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{1, 2}; endpackage"),
                HasSubstr("expected the name of a member"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = 3; endpackage"), HasSubstr("expected '{"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{A: 1} + 1; endpackage"),
                HasSubstr("expected ';'"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{A: 1}; localparam cfg_t d = '{A: 1}; "
                        "endpackage"),
                HasSubstr("several parameters"));
    EXPECT_THAT(refusal("package p; localparam A = (1]; endpackage"), HasSubstr("expected ')'"));
    EXPECT_THAT(refusal("package p; localparam A; endpackage"), HasSubstr("expected '='"));
    EXPECT_THAT(refusal("package p; localparam = 1; endpackage"), HasSubstr("the name of"));
    EXPECT_THAT(refusal("package p; localparam A = ; endpackage"), HasSubstr("the value of 'A'"));
    EXPECT_THAT(refusal("package p; localparam A = 1); endpackage"), HasSubstr("expected ';'"));
    EXPECT_THAT(refusal("package p;\n`define X\nendpackage"), HasSubstr(":2: got a compiler"));
    EXPECT_THAT(refusal("package p;\n/* x"), HasSubstr(":2: the comment"));
    EXPECT_THAT(refusal("package p;\nlocalparam A = \"x\n;"), HasSubstr(":2: the text"));
    EXPECT_THAT(refusal("package p;\nlocalparam A = \x01;"), HasSubstr(":2: got '\\x01'"));
    EXPECT_THAT(refusal("package p; localparam cfg_t c = '{A: 1}; endpackage package q;"),
                HasSubstr("expected nothing behind endpackage"));
    EXPECT_THAT(user_error([&] { PackageFile(directory_ / "none.sv", "cfg_t"); }),
                HasSubstr("none.sv"));
}

/// A file that is cut off anywhere is refused in one sentence.
TEST_F(Package, EveryCutIsRefused) {
    const std::string whole = "package p;\nlocalparam int A = 1 + (2 * 3); /* x */\n"
                              "localparam cfg_t c = '{A: unsigned'(A), B: {2{8'h0}}};\nendpackage";
    EXPECT_EQ(refusal(whole), "");
    for (std::size_t length = 0; length < whole.size(); ++length) {
        EXPECT_THAT(refusal(whole.substr(0, length)), StartsWith(file() + ":")) << length;
    }
}

/// Nor does a byte that is another one, or is missing, end in anything but a value or a sentence.
TEST_F(Package, AnyByteMayBeWrong) {
    const std::string whole = test::package_text(
        {.name = "x", .parameters = {{"XLEN", "64"}, {"A", "3"}, {"B", "7"}, {"C", "WT"}}});
    constexpr std::string_view kBytes("\0'({9x;\xff", 8);
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string text = whole;
        text[at] = kBytes[at % kBytes.size()];
        refusal(text);
        refusal(whole.substr(0, at) + whole.substr(at + 1));
    }
}

} // namespace
} // namespace pes
