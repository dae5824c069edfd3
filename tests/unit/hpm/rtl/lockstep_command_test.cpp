// SPDX-License-Identifier: Apache-2.0
// A whole run on counters whose RTL is wrong: the sampling test program, whose counter reaches its
// threshold of 3.
#include "tests/unit/common/gtkwave_check.h"
#include "tests/unit/common/run_command.h"
#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace pes::test {
namespace {

using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::StartsWith;

class LockstepCommand : public testing::Test {
  protected:
    CommandResult run(const std::string& options, const std::string& before = ":") const {
        return run_command("cd '" + directory_.path().string() + "' && " + before +
                           " && '" PES_VP_PATH "' run '" PES_PROGRAM "' --set "
                           "counters.programmable=2 --set counters.width=40 " +
                           options);
    }

    TemporaryDirectory directory_;
};

TEST_F(LockstepCommand, EndsTheRunAtTheFirstDifferenceAndSaysWhere) {
    const CommandResult result =
        run("--counters lockstep --lockstep-vcd before.vcd --stats stats.json");
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(
        result.err,
        AllOf(StartsWith("pes-vp: counters differ in cycle "),
              HasSubstr("threshold_irq_o is 0x1 in the model and 0x0 in the RTL"),
              ContainsRegex("pc 0x[0-9a-f]+ in .*add_floats\\(\\)[+]0x[0-9a-f]+: threshold"),
              HasSubstr("\nmhpmcounter3: mhpmevent3 is 0x"),
              HasSubstr(", bit 3 of mcountinhibit is 0\n"),
              HasSubstr("the last 32 cycles with pulses:\n"), HasSubstr("before.vcd")));
    EXPECT_TRUE(std::filesystem::exists(directory_ / "before.vcd"));
    EXPECT_THAT(read_file(directory_ / "stats.json"), HasSubstr("counters-differ"));
}

// The model has the value that the report tells, in the cycle that it tells, and what the RTL's pin
// had before.
TEST_F(LockstepCommand, ShowsBothSidesOfTheDifferenceInGtkwave) {
    const CommandResult result = run("--counters lockstep --lockstep-vcd before.vcd");
    ASSERT_EQ(result.exit_code, 126);
    const auto wave = directory_ / "before.vcd";
    const auto save = directory_ / "before.gtkw";
    EXPECT_EQ(problems_of_save(wave, save), "");
    const SaveOutline shown = outline_of_save(save);
    constexpr std::string_view kBegin = "pes-vp: counters differ in cycle ";
    const unsigned long time = 10 * std::stoul(result.err.substr(kBegin.size()));
    EXPECT_THAT(shown.markers, testing::ElementsAre(time, time));
    EXPECT_THAT(shown.groups,
                testing::IsSupersetOf(
                    {"threshold_irq_o: 0x1 in the model, 0x0 in the RTL", "counter 3", "inputs"}));
    ASSERT_GT(shown.signals.size(), 4U);
    EXPECT_EQ(shown.signals[0], "model.threshold_irq_o");
    EXPECT_EQ(shown.signals[1], "rtl.threshold_irq_o");
    EXPECT_THAT(shown.signals, testing::Contains(HasSubstr("gen_threshold[3]")));
    EXPECT_THAT(read_file(save), HasSubstr("\n+{RTL: threshold_irq_o} rtl.threshold_irq_o\n"));
    EXPECT_EQ(outline_of(wave).to, time + 10) << "the last cycle is visible";
    const std::string text = read_file(wave);
    EXPECT_THAT(text, ContainsRegex("\n[$]scope module model [$]end\n[$]var wire 1 [!-~]+ "
                                    "threshold_irq_o [$]end\n[$]upscope [$]end\n"));
    EXPECT_THAT(text, ContainsRegex("\n1[!-~]+\n#" + std::to_string(time + 10) + "\n$"));
}

// A register has no pin: its value in the model is known when it is compared.
TEST_F(LockstepCommand, ShowsTheReadPortForARegister) {
    const CommandResult result =
        run("--counters lockstep", "export PES_MUTANT=second_retirement_missed");
    ASSERT_EQ(result.exit_code, 126);
    EXPECT_EQ(problems_of_save(directory_ / "lockstep.vcd", directory_ / "lockstep.gtkw"), "");
    const SaveOutline shown = outline_of_save(directory_ / "lockstep.gtkw");
    EXPECT_THAT(shown.signals[0], StartsWith("model.m"));
    EXPECT_EQ(shown.signals[1], "rtl.csr_rdata_o[63:0]");
    EXPECT_EQ(shown.signals[2], "rtl.csr_addr_i[11:0]");
}

// The idle port comes by a register once in a round, here of 99. A run that ends in between must
// tell the difference too. When the two retirements happen depends on the memory's latency, so that
// with some latency the port is far away.
TEST_F(LockstepCommand, ComparesAllRegistersWhenTheRunEnds) {
    constexpr std::string_view kBegin = "pes-vp: counters differ in cycle ";
    constexpr unsigned kRound = 99;
    constexpr unsigned kInFlight = 16; // from the limit, on which decoding ends, to the last cycle
    const auto difference = [&](const std::string& options) -> std::optional<unsigned long> {
        const CommandResult result =
            run("--counters lockstep " + options, "export PES_MUTANT=second_retirement_missed");
        if (result.exit_code != 126) {
            return std::nullopt;
        }
        EXPECT_THAT(result.err, StartsWith(std::string(kBegin)));
        return std::stoul(result.err.substr(kBegin.size()));
    };
    bool earlier = false;
    for (unsigned latency = 1; latency <= 8 && !earlier; ++latency) {
        const std::string options = "--set timing.memory_latency=" + std::to_string(latency);
        const auto whole = difference(options);
        ASSERT_TRUE(whole);
        for (unsigned back = 1; back <= kRound + kInFlight && !earlier; back += 8) {
            const auto cut = difference(options + " --max-cycles " + std::to_string(*whole - back));
            earlier = cut && *cut < *whole;
        }
    }
    EXPECT_TRUE(earlier);
}

// A file may have 4 KiB: as on a full disk, the writes fail that follow. What the run prints and
// the statistics are smaller.
TEST_F(LockstepCommand, TellsTheDifferenceAlthoughTheWaveformDoesNotFit) {
    const CommandResult result = run("--counters lockstep --stats stats.json", "ulimit -f 8");
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, StartsWith("pes-vp: counters differ in cycle "));
    EXPECT_THAT(result.err, HasSubstr("\nno waveform of the RTL before it: cannot write "
                                      "'lockstep.vcd': File too large\n"));
    EXPECT_THAT(read_file(directory_ / "stats.json"), HasSubstr("counters-differ"));
    EXPECT_EQ(directory_.count(), 1U) << "nothing half-written";
}

TEST_F(LockstepCommand, TellsTheDifferenceAlthoughTheDeviceIsFull) {
    std::filesystem::create_symlink("/dev/full", directory_ / "lockstep.vcd");
    std::filesystem::create_symlink("/dev/full", directory_ / "stats.json");
    const CommandResult result = run("--counters lockstep --stats stats.json");
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_THAT(result.err, StartsWith("pes-vp: counters differ in cycle "));
    EXPECT_THAT(result.err, HasSubstr("'lockstep.vcd': No space left on device\n"));
    EXPECT_THAT(result.err, HasSubstr("\npes-vp: cannot write 'stats.json': No space left"));
}

TEST_F(LockstepCommand, LeavesTheWaveformWhereNobodyNamedAFile) {
    const CommandResult result = run("--counters lockstep");
    EXPECT_EQ(result.exit_code, 126);
    EXPECT_TRUE(std::filesystem::exists(directory_ / "lockstep.vcd"));
}

TEST_F(LockstepCommand, ShowsNothingIfTheModelCountsAlone) {
    const CommandResult result = run("--counters tlm --quiet");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_EQ(result.err, "");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "lockstep.vcd"));
}

} // namespace
} // namespace pes::test
