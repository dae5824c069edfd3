// SPDX-License-Identifier: Apache-2.0
// Source lines and filters of pes-decode trace --instructions, as a subprocess. The program is
// tests/unit/decoder/guest/traced.S, as in flow_command_test.cpp; two sources run it.
#include "tests/unit/common/run_command.h"
#include "tests/unit/decoder/trace/flow_fixture.h"
#include "tests/unit/decoder/trace/trace_bytes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::trace {
namespace {

using namespace test;
using pes::test::CommandResult;
using pes::test::TemporaryDirectory;
using testing::HasSubstr;

constexpr Address kListingStart = 0x80000000;
const std::string kNop = "0x80000000 00000013 -         nop                             "
                         " guest/traced.S:9 _start\n";
const std::string kLeaf = "0x8000000c 0001     -         nop                             "
                          " guest/traced.S:16 leaf\n";
const std::string kReturn = "0x8000000e 8082     return    ret                             "
                            " guest/traced.S:17 leaf\n";

TraceMessage from(std::uint16_t source, TraceMessage message) {
    message.source = source;
    return message;
}

class InstructionListing : public testing::Test {
  protected:
    InstructionListing() {
        TraceWriter writer(1);
        writer.at(10, from(0, sync(kListingStart, 0, SyncReason::TraceEnable)));
        writer.at(12, from(1, sync(kListingStart, 0, SyncReason::TraceEnable)));
        writer.at(25, from(0, history(BranchType::Indirect, 6, 8, 1)));
        writer.at(31, from(0, stop(2, 2)));
        writer.at(40, from(1, stop(2, 1)));
        directory_.write("t.rtd", writer.bytes());
    }
    CommandResult list(const std::string& options) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace t.rtd --src-bits 1 "
                                      "--elf " TRACED_PROGRAM " --instructions - " +
                                      options);
    }
    void expect_refused(const std::string& options, const std::string& sentence) const {
        const CommandResult result = list(options);
        EXPECT_EQ(result.exit_code, 2) << options;
        EXPECT_EQ(result.err, "pes-decode: " + sentence + "\n");
        EXPECT_EQ(result.out, "");
    }

    TemporaryDirectory directory_;
};

TEST_F(InstructionListing, PutsEachSourceLineInFrontOfItsInstructions) {
    EXPECT_EQ(list("--source-lines --only-source 0").out,
              "# [0] 10 start (Trace Enable) at 0x80000000\n"
              "## [0] guest/traced.S:9 _start: nop\n"
              "[0] 25 0x80000000 00000013 -         nop\n"
              "## [0] guest/traced.S:10 _start: jal     ra, leaf\n"
              "[0] 25 0x80000004 008000ef call      jal 0x8000000c <leaf>\n"
              "## [0] guest/traced.S:16 leaf: c.nop\n"
              "[0] 25 0x8000000c 0001     -         nop\n"
              "## [0] guest/traced.S:17 leaf: c.jr    ra\n"
              "[0] 25 0x8000000e 8082     return    ret\n"
              "## [0] guest/traced.S:11 _start: beq     zero, zero, _start\n"
              "[0] 31 0x80000008 fe000ce3 not-taken beqz zero,0x80000000 <_start>\n"
              "# [0] 31 stop (EVCODE 0) at 0x8000000c\n");
}

TEST_F(InstructionListing, ShowsAFunctionByNameOrGlob) {
    const std::string leaf = "[0] 25 " + kLeaf + "[0] 25 " + kReturn;
    const std::string end = "# [0] 31 stop (EVCODE 0) at 0x8000000c\n";
    EXPECT_EQ(list("--only-function leaf").out, leaf + end) << "'#' lines by the place they name";
    EXPECT_EQ(list("--only-function 'l*f'").out, leaf + end);
    EXPECT_EQ(list("--only-function leaf --only-function _start").out, list("").out);
}

TEST_F(InstructionListing, ShowsAddressesTimesAndSources) {
    EXPECT_EQ(list("--only-addresses 0x80000000-0x80000004 --only-time 26-").out, "[1] 40 " + kNop);
    EXPECT_EQ(list("--only-addresses 0x8000000e-0x80000010").out, "[0] 25 " + kReturn);
    EXPECT_EQ(list("--only-time 10-13").out, "# [0] 10 start (Trace Enable) at 0x80000000\n"
                                             "# [1] 12 start (Trace Enable) at 0x80000000\n");
    EXPECT_EQ(list("--only-source 1").out, "# [1] 12 start (Trace Enable) at 0x80000000\n"
                                           "[1] 40 " +
                                               kNop + "# [1] 40 stop (EVCODE 0) at 0x80000004\n");
    EXPECT_EQ(list("--only-source 0 --only-source 1").out, list("").out);
}

TEST_F(InstructionListing, SaysWhenNothingPasses) {
    const CommandResult result = list("--only-function leaf --only-time 26-30");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.out, "");
    EXPECT_EQ(result.err, "pes-decode: 't.rtd': --instructions has nothing in it: none of the 6 "
                          "instructions passes --only-function and --only-time\n");
}

TEST_F(InstructionListing, RefusesValuesThatCannotBe) {
    expect_refused("--only-function leef", "--only-function got 'leef', expected a function of the "
                                           "programs or a glob that fits one");
    for (const char* range : {"0x10", "0x20-0x10", "0x10-0x10", "10-20", "0x10-", "-0x10", "x-y"}) {
        expect_refused("--only-addresses=" + std::string(range),
                       "--only-addresses got '" + std::string(range) +
                           "', expected 0xSTART-0xEND with the start below the end");
    }
    for (const char* range : {"10", "20-10", "-10", "soon-late"}) {
        expect_refused("--only-time=" + std::string(range),
                       "--only-time got '" + std::string(range) +
                           "', expected START-END with the start below the end, or START-");
    }
    expect_refused("--only-source 4096", "--only-source got '4096', expected 0 to 4095");
    const CommandResult alone = pes::test::run_command(
        "cd " + directory_.path().string() + " && " PES_DECODE " trace t.rtd --only-time 1-2");
    EXPECT_EQ(alone.exit_code, 2);
    EXPECT_THAT(alone.err, HasSubstr("--only-time got nothing to apply to, expected --instructions "
                                     "as well"));
}

TEST_F(InstructionListing, FilterNeverHidesALoss) {
    TraceWriter writer(1);
    writer.at(10, from(0, sync(kListingStart, 0, SyncReason::TraceEnable)));
    writer.at(20, from(0, history(BranchType::Indirect, 3, 8, 1)));
    directory_.write("t.rtd", writer.bytes());
    EXPECT_THAT(list("--only-time 1-2 --only-function leaf").out, HasSubstr("lost at 0x80000000"));
    EXPECT_EQ(list("--only-source 1").out, "");
}

} // namespace
} // namespace pes::trace
