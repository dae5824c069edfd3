// SPDX-License-Identifier: Apache-2.0
// pes-decode trace with a program, as a subprocess. The program is
// tests/unit/decoder/guest/traced.S: 0x80000000 nop, jal ra, beq; leaf at 0x8000000c: c.nop, c.jr
// ra.
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
using testing::Not;

constexpr Address kStart = 0x80000000;

class TracedProgram : public testing::Test {
  protected:
    TracedProgram() {
        directory_.write("t.rtd", TraceWriter(0, {TimestampDialect::NTrace, 64}) // as B-TYPE 3
                                      .at(10, sync(kStart, 0, SyncReason::TraceEnable))
                                      .at(25, history(BranchType::Indirect, 6, 8, 1))
                                      .at(31, history(BranchType::Interrupt, 2, 4, 0b11))
                                      .at(40, stop(0, 1))
                                      .bytes());
    }
    CommandResult decode(const std::string& arguments) const {
        return pes::test::run_command("cd " + directory_.path().string() +
                                      " && " PES_DECODE " trace " + arguments);
    }

    TemporaryDirectory directory_;
};

TEST_F(TracedProgram, ItsInstructionsHaveWordsLinesAndFunctions) {
    const CommandResult result = decode("t.rtd --elf " TRACED_PROGRAM " --instructions -");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(
        result.out,
        "# 10 start (Trace Enable) at 0x80000000\n"
        "25 0x80000000 00000013 -         nop                              guest/traced.S:9 "
        "_start\n"
        "25 0x80000004 008000ef call      jal 0x8000000c <leaf>            guest/traced.S:10 "
        "_start\n"
        "25 0x8000000c 0001     -         nop                              guest/traced.S:16 leaf\n"
        "25 0x8000000e 8082     return    ret                              guest/traced.S:17 leaf\n"
        "31 0x80000008 fe000ce3 taken     beqz zero,0x80000000 <_start>    guest/traced.S:11 "
        "_start\n"
        "# 31 interrupt at 0x80000000, handler 0x8000000c guest/traced.S:16 leaf\n"
        "# 40 stop (EVCODE 0) at 0x8000000c\n");
}

TEST_F(TracedProgram, MessagesShowWhereTheFlowStandsBehindThem) {
    const CommandResult result = decode("t.rtd --elf " TRACED_PROGRAM " --messages -");
    EXPECT_THAT(result.out, HasSubstr("Msg # 1, Tics: 10, NxtAddr: 80000000, TCode: "));
    EXPECT_THAT(result.out, HasSubstr("Msg # 2, Tics: 25, NxtAddr: 80000008, TCode: "));
    EXPECT_THAT(result.out, HasSubstr("Msg # 3, Tics: 31, NxtAddr: 8000000c, TCode: "));
    EXPECT_THAT(result.out, HasSubstr("Msg # 4, Tics: 40, NxtAddr: 00000000, TCode: "));
    EXPECT_THAT(decode("t.rtd --messages -").out, Not(HasSubstr("NxtAddr")));
}

TEST_F(TracedProgram, StatisticsCountWhatItDid) {
    const CommandResult result = decode("t.rtd --elf " TRACED_PROGRAM " --statistics -");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const char* part :
         {"source 0\n", "messages              4 in ", "2  50.0 %  INDIRECT BRANCH HISTORY (28)",
          "instructions          5\n", "conditional branches  taken 1, not taken 0\n",
          "calls                 1\n", "returns               1\n",
          "traps                 exceptions 0, interrupts 1, either 0\n",
          "starts, stops         1, 1\n", "timestamps            4 in 4 bytes"}) {
        EXPECT_THAT(result.out, HasSubstr(part));
    }
}

TEST_F(TracedProgram, AContradictionIsInTheSummaryAndFailsStrict) {
    directory_.write(
        "bad.rtd",
        TraceWriter(0).at(10, sync(kStart, 0, SyncReason::TraceEnable)).at(20, direct(3)).bytes());
    const CommandResult result = decode("bad.rtd --strict --elf " TRACED_PROGRAM);
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_THAT(result.out, HasSubstr("1 x trace and program contradict each other"));
    EXPECT_THAT(result.out, HasSubstr("0x80000000: I-CNT ends inside an instruction"));
    EXPECT_THAT(result.err, HasSubstr("trace and program contradict each other"));
    EXPECT_EQ(decode("bad.rtd --strict").exit_code, 0);
}

TEST_F(TracedProgram, ACountWhoseHistoryNeverComesIsSaidButNoFlaw) {
    directory_.write("cut.rtd", TraceWriter(0)
                                    .at(10, sync(kStart, 0, SyncReason::TraceEnable))
                                    .at(20, full(Resource::InstructionCount, 8))
                                    .bytes());
    const std::string said = "2 half-words of I-CNT are left out: what tells their way is not in "
                             "the trace\n";
    const CommandResult result = decode("cut.rtd --strict --elf " TRACED_PROGRAM);
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("  instructions     4\n  flow             " + said));
    EXPECT_THAT(decode("cut.rtd --instructions - --elf " TRACED_PROGRAM).err, HasSubstr(said));
}

TEST_F(TracedProgram, InstructionsNeedAProgram) {
    const CommandResult result = decode("t.rtd --instructions out.txt");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("--instructions got no program to follow, expected --elf"));
    EXPECT_FALSE(std::filesystem::exists(directory_.path() / "out.txt"));
}

TEST_F(TracedProgram, TheFileBesideATraceGivesItsProgramAndFormat) {
    TraceMessage start = sync(kStart, 0, SyncReason::TraceEnable);
    start.source = 3;
    TraceMessage end = stop(2, 1);
    end.source = 3;
    const TimestampFormat format{TimestampDialect::NTrace, 64};
    directory_.write("n.rtd", TraceWriter(2, format).at(1000, start).at(1024, end).bytes());
    directory_.write("n.rtd.toml", "timestamps = \"n-trace\"\nsource_bits = 2\n"
                                   "program = \"" TRACED_PROGRAM "\"\n");
    EXPECT_EQ(decode("n.rtd --instructions -").out,
              "# [3] 1000 start (Trace Enable) at 0x80000000\n"
              "[3] 1024 0x80000000 00000013 -         nop                              "
              "guest/traced.S:9 _start\n"
              "# [3] 1024 stop (EVCODE 0) at 0x80000004\n");
    EXPECT_THAT(decode("n.rtd --timestamps sifive --messages -").out, HasSubstr("Tics: 1008,"))
        << "1000 XOR 24: the option wins";
}

TEST_F(TracedProgram, NoLoadStringsOfItsCommentsFormatWrites) {
    directory_.write("nls.rtd", TraceWriter(0)
                                    .at(7, time_event())
                                    .at(8, stimulus_write(4 * 3, 0xFFFE0005)) // 16 bits each
                                    .at(9, stimulus_write(0, 0x000A6968))     // "hi\n"
                                    .bytes());
    EXPECT_EQ(decode("nls.rtd --itc-print - --elf " TRACED_PROGRAM).out,
              "ITC Print: Msg Tics: <8-8> step -2 of 5\nITC Print: Msg Tics: <9-9> hi\n");
    EXPECT_EQ(decode("nls.rtd --itc-print - --no-load-strings off --elf " TRACED_PROGRAM).out,
              "ITC Print: Msg Tics: <9-9> hi\n");
    EXPECT_EQ(decode("nls.rtd --itc-print - --no-load-strings maybe").exit_code, 2);
}

} // namespace
} // namespace pes::trace
