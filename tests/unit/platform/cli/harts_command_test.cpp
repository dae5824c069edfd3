// SPDX-License-Identifier: Apache-2.0
// pes-vp with several harts. All of them begin at the entry with their number in a0.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/platform/cli/command_line.h"
#include "tests/unit/platform/cli/guest_code.h"

namespace pes {
namespace {

using namespace test; // the small assembler
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class SeveralHarts : public CommandLine {};

/// Harts other than 0 go on behind the given code of hart 0.
std::string only_hart_0(const std::string& hart_0) {
    return code({bne(kA0, kZero, static_cast<std::int32_t>(4 + hart_0.size()))}) + hart_0;
}

const std::string kSleep = code({kWfi, kJumpToSelf});
const std::string kSomeRounds =
    code({addi(kA2, kZero, 500), addi(kA2, kA2, -1), bne(kA2, kZero, -4)});

TEST_F(SeveralHarts, StartAtTheEntryWithTheirNumberAndAreCountedApart) {
    // a2 = 2 + a0 rounds of two instructions; hart 0 then ends the run, later than the others.
    const std::string rounds = code({addi(kA2, kA0, 2), addi(kA2, kA2, -1), bne(kA2, kZero, -4)});
    const std::string end = kSomeRounds + exit_code(0);
    guest(rounds + only_hart_0(end) + kSleep);
    ASSERT_EQ(pes_vp("run guest.elf --set harts=4 --stats stats.json").exit_code, 0);
    const nlohmann::json stats = this->stats();
    ASSERT_EQ(stats["harts"].size(), 4U);
    for (unsigned hart = 1; hart < 4; ++hart) {
        EXPECT_EQ(stats["harts"][hart]["instret"], 1 + 2 * (2 + hart) + 2) << hart;
        EXPECT_EQ(stats["harts"][hart]["events"]["branch"], 2 + hart + 1) << hart;
        EXPECT_EQ(stats["harts"][hart]["traps"], 0) << hart;
    }
    EXPECT_EQ(stats["harts"][0]["instret"], stats["instret"]);
    EXPECT_EQ(stats["harts"][0]["events"], stats["events"]);
    EXPECT_EQ(stats["instret"], 1 + 2 * 2 + 1 + 1 + 2 * 500 + 4);
}

TEST_F(SeveralHarts, OneHartHasNoArrayOfHarts) {
    guest(exit_code(0));
    ASSERT_EQ(pes_vp("run guest.elf --set harts=1 --stats stats.json").exit_code, 0);
    EXPECT_FALSE(stats().contains("harts"));
}

TEST_F(SeveralHarts, AnyOfThemEndsTheRun) {
    guest(code({bne(kA0, kZero, 8), kJumpToSelf}) + exit_code(7));
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2").exit_code, 7);
}

TEST_F(SeveralHarts, HaveAnExactHistogramEach) {
    guest(only_hart_0(kSomeRounds + exit_code(0)) + kSleep);
    ASSERT_EQ(pes_vp("run guest.elf --set harts=2 --truth truth").exit_code, 0);
    EXPECT_THAT(read_file(directory_ / "truth"),
                AllOf(HasSubstr("\n0,M,0x0,0x80000008,500,"), Not(HasSubstr(",0x80000024,"))));
    EXPECT_THAT(read_file(directory_ / "truth.hart1"),
                AllOf(HasSubstr("\n1,M,0x0,0x80000000,1,"), HasSubstr("\n1,M,0x0,0x80000024,1,"),
                      Not(HasSubstr(",0x80000008,"))));
}

TEST_F(SeveralHarts, HaveAScopeEachInTheWaveform) {
    guest(only_hart_0(exit_code(0)) + kSleep);
    ASSERT_EQ(pes_vp("run guest.elf --set harts=2 --vcd wave").exit_code, 0);
    const std::string wave = read_file(directory_ / "wave");
    EXPECT_THAT(wave, AllOf(HasSubstr("$scope module hart0"), HasSubstr("$scope module hart1"),
                            Not(HasSubstr("hart2"))));
}

/// Hart 0 ends the run; hart 1 sleeps, and its cycles are counted as far as the run went.
TEST_F(SeveralHarts, AWaveWindowBehindTheEndHoldsTheLastCountsOfEach) {
    guest(only_hart_0(kSomeRounds + exit_code(0)) + kSleep);
    for (const char* path : {"step", "fast"}) {
        pes_vp("run guest.elf --set harts=2 --stats stats.json --vcd w --vcd-groups hpm "
               "--vcd-from 90000 --path " +
               std::string(path));
        const nlohmann::json end = stats()["cycles"];
        EXPECT_THAT(first_values("w", "cycle_q"), ElementsAre(end, end)) << path;
    }
}

TEST_F(SeveralHarts, TheCycleLimitIsReachedByAllAndNamesThemAll) {
    guest(code({kJumpToSelf}));
    const CommandResult result =
        pes_vp("run guest.elf --set harts=2 --max-cycles 12345 --stats stats.json");
    EXPECT_EQ(result.exit_code, 124);
    EXPECT_THAT(result.err, HasSubstr("at pc 0x80000000 (hart 0), 0x80000000 (hart 1)\n"));
    const auto first = stats()["harts"][0]["instret"].get<std::int64_t>();
    const auto second = stats()["harts"][1]["instret"].get<std::int64_t>();
    EXPECT_EQ(first, second) << "the same loop for the same cycles";
}

TEST_F(SeveralHarts, WaitForEverOnlyWhenAllOfThemDo) {
    guest(kSleep);
    for (const char* options : {"", " --counters tlm --set turn=1", " --vcd wave --vcd-to 100"}) {
        const CommandResult result =
            pes_vp("run guest.elf --set harts=3 --stats stats.json" + std::string(options));
        EXPECT_EQ(result.exit_code, 125) << options;
        EXPECT_THAT(result.err, AllOf(HasSubstr("waits for an interrupt at pc"),
                                      HasSubstr("(hart 2) that nothing can raise")));
    }
    guest(only_hart_0(code({kJumpToSelf})) + kSleep);
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2 --max-cycles 100000").exit_code, 124);
}

/// mtimecmp of the sleeping hart 1 is written by hart 0, which then sleeps too.
TEST_F(SeveralHarts, ATimerOfASleepingHartKeepsTheRunAlive) {
    constexpr std::int64_t kLate = 0x40000;
    guest(only_hart_0(code({lui(kA0, kLate >> 12), lui(kA1, 0x2004), sd(kA0, kA1, 8)})) + kSleep);
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2 --stats stats.json").exit_code, 125);
    EXPECT_GE(stats()["cycles"], kLate * 4) << "four cycles are a tick";
}

/// WFI with an enabled interrupt pending already does not wait. The next device event, the timer of
/// hart 0, or the limit is then the same as before.
TEST_F(SeveralHarts, AWaitThatIsOverAtOnceGoesOn) {
    const std::string timer =
        code({lui(kA1, 0x2004), addi(kA2, kZero, 1000), sd(kA2, kA1, 0), kJumpToSelf});
    const std::string own_software_interrupt =
        code({lui(kA1, 0x2000), addi(kA2, kZero, 1), sw(kA2, kA1, 4), addi(kA2, kZero, 8),
              csrw(csr::kMie, kA2)});
    guest(only_hart_0(timer) + own_software_interrupt + kSomeRounds + code({kWfi}) + exit_code(3));
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2").exit_code, 3);
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2 --set turn=100000").exit_code, 3);
    EXPECT_EQ(pes_vp("run guest.elf --set harts=2 --set turn=100000 --max-cycles 3000").exit_code,
              3);
}

TEST_F(SeveralHarts, TheCycleLimitComesWhileAllOfThemWait) {
    constexpr std::int32_t kTimerInterrupt = 0x80;
    guest(code({lui(kA1, 0x2004), lui(kA2, 0x100), sd(kA2, kA1, 0), sd(kA2, kA1, 8)}) +
          kSomeRounds + code({addi(kA2, kZero, kTimerInterrupt), csrw(csr::kMie, kA2)}) + kSleep);
    for (const char* limit : {"1700", "20000", "20000 --set turn=100000"}) {
        EXPECT_EQ(
            pes_vp("run guest.elf --set harts=2 --max-cycles " + std::string(limit)).exit_code, 124)
            << limit;
    }
}

/// mtvec is 0 and nothing is there.
TEST_F(SeveralHarts, ATrapLoopNamesItsHart) {
    guest(only_hart_0(code({kJumpToSelf})) + code({0}));
    const CommandResult result = pes_vp("run guest.elf --set harts=2");
    EXPECT_EQ(result.exit_code, 125);
    EXPECT_THAT(result.err, AllOf(HasSubstr("cannot continue"), HasSubstr("  hart   1\n"),
                                  HasSubstr("  pc     0x80000008\n")));
}

TEST_F(SeveralHarts, TooManyForTheInterruptControllerAreRefused) {
    guest(exit_code(0));
    expect_refused("run guest.elf --set harts=0", "a whole number from 1 to 8");
    expect_refused("run guest.elf --set harts=9", "a whole number from 1 to 8");
    expect_refused("run guest.elf --set harts=4 --set plic.sources=14",
                   "plic.sources = 14 is too small for 4 harts, expected at least 15");
    expect_refused("run guest.elf --set harts=2 --set plic.size=0x203000",
                   "plic.size = 0x203000 is too small for 2 harts, expected at least 0x204000");
    EXPECT_EQ(pes_vp("run guest.elf --set harts=1 --set plic.sources=9").exit_code, 0);
}

} // namespace
} // namespace pes
