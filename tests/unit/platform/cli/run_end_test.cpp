// SPDX-License-Identifier: Apache-2.0
// What standard error says at the end of a run: the summary, and why an output stayed empty.
#include "tests/unit/platform/cli/command_line.h"
#include "tests/unit/platform/cli/guest_code.h"

#include "hw/core/arch/csr_numbers.h"
#include "hw/interface/maps/csr.h"

#include <regex>

namespace pes {
namespace {

using namespace test; // the small assembler
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RunEndTest : public CommandLine {
  protected:
    /// Standard error with runs of blanks made one.
    std::string end_of(const std::string& arguments, int exit_code = 0) {
        const CommandResult result = pes_vp("run guest.elf " + arguments);
        EXPECT_EQ(result.exit_code, exit_code) << arguments << "\n" << result.err;
        return std::regex_replace(result.err, std::regex(" +"), " ");
    }

    void ten_rounds(const std::string& end = exit_code(0), std::vector<ElfSymbol> symbols = {}) {
        guest(code({addi(kA2, kZero, 10), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + end,
              std::move(symbols));
    }
};

TEST_F(RunEndTest, IsSummedUp) {
    ten_rounds();
    const std::string end = end_of("--stats stats.json");
    const auto cycles = stats()["cycles"].get<std::uint64_t>();
    EXPECT_THAT(end, AllOf(HasSubstr("'guest.elf': ended by the guest, exit code 0\n"),
                           HasSubstr("\n " + std::to_string(cycles) + " cycles # 0.0000"),
                           HasSubstr(" s at 50 MHz\n"), HasSubstr("\n 25 instructions # "),
                           HasSubstr("\n 0 traps\n"), HasSubstr("\n 10 branch # 400.00 per 1000"),
                           HasSubstr("million instructions a second\n")));
    EXPECT_THAT(end, AllOf(Not(HasSubstr("samples")), Not(HasSubstr("trace messages"))));
}

TEST_F(RunEndTest, HasThousandsApart) {
    guest(code({lui(kA2, 1000), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    EXPECT_THAT(end_of(""), HasSubstr("\n 8,192,005 instructions #"));
}

TEST_F(RunEndTest, QuietLeavesTheSummaryOutAndNothingElse) {
    ten_rounds();
    EXPECT_EQ(end_of("--quiet"), "");
    EXPECT_THAT(end_of("--quiet --samples s"), HasSubstr("pes-vp: --samples: no records: "));
}

TEST_F(RunEndTest, SaysHowTheRunEnded) {
    guest(code({kJumpToSelf}));
    EXPECT_THAT(end_of("--max-cycles 1000", 124), HasSubstr("': stopped by --max-cycles\n"));
    guest(code({kWfi, kJumpToSelf}));
    EXPECT_THAT(end_of("", 125), HasSubstr("': the guest could not go on\n"));
    guest(exit_code(3));
    EXPECT_THAT(end_of("", 3), HasSubstr("': ended by the guest, exit code 3\n"));
}

TEST_F(RunEndTest, HartsAreAddedUp) {
    guest(code({bne(kA0, kZero, 4 + 5 * 4)}) + exit_code(0) + code({kWfi, kJumpToSelf}));
    EXPECT_THAT(end_of("--set harts=2"),
                AllOf(HasSubstr("\n 7 instructions #"), HasSubstr("\n 5 of hart 0\n"),
                      HasSubstr("\n 2 of hart 1\n")));
}

TEST_F(RunEndTest, NoSamplesHaveAReason) {
    ten_rounds();
    EXPECT_THAT(end_of("--samples s"),
                HasSubstr("pes-vp: --samples: no records: the program has no symbol tohost"));
    ten_rounds(exit_code(0), {{"tohost", kBase + 0x100, 8}});
    EXPECT_THAT(end_of("--samples s --set htif.enabled=false"), HasSubstr("htif.enabled = false"));
    EXPECT_THAT(end_of("--samples s"), HasSubstr("no counter reached a threshold"));
    EXPECT_THAT(end_of(""), Not(HasSubstr("--samples")));
}

TEST_F(RunEndTest, SamplesThatNobodyWroteHaveAReason) {
    // mcycle passes a threshold of 100 once, and stays there.
    guest(code({addi(kA0, kZero, 100), csrw(csr::kMhpmthresholdCycle, kA0), lui(kA2, 1),
                addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) +
              exit_code(0),
          {{"tohost", kBase + 0x100, 8}});
    EXPECT_THAT(end_of("--samples s"), HasSubstr("reached a threshold 1 time, but the program"));
}

TEST_F(RunEndTest, NoTraceHasAReason) {
    ten_rounds();
    EXPECT_THAT(end_of("--trace t"),
                AllOf(Not(HasSubstr("--trace:")), HasSubstr("trace messages")));
    EXPECT_THAT(end_of("--trace t --trace-program none"),
                HasSubstr("pes-vp: --trace: no messages: --trace-program none leaves the stimuli"));
    EXPECT_EQ(read_file(directory_ / "t"), "");
    EXPECT_THAT(end_of("--trace t --trace-program none --trace-itc off"),
                HasSubstr("leave nothing to trace"));
}

TEST_F(RunEndTest, NoSoftwareTraceHasAReason) {
    ten_rounds();
    EXPECT_THAT(end_of("--osd-trace t"),
                HasSubstr("pes-vp: --osd-trace: no packets: CSR 0x8f0 was not written"));
    guest(code({addi(kA2, kZero, 5), csrw(0x8F0, kA2)}) + exit_code(0)); // id 0 is no event
    EXPECT_THAT(end_of("--osd-trace t"), Not(HasSubstr("--osd-trace:")));
}

} // namespace
} // namespace pes
