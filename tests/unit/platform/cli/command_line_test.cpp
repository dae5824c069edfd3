// SPDX-License-Identifier: Apache-2.0
// pes-vp as a person uses it: the built binary as a child process, guests of a few instructions.
#include "hw/core/arch/csr_numbers.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/maps/sample_record.h"
#include "tests/unit/platform/cli/command_line.h"
#include "tests/unit/platform/cli/guest_code.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace pes {
namespace {

using namespace test; // the small assembler
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST_F(CommandLine, VersionIsPrinted) {
    const CommandResult result = pes_vp("--version");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, StartsWith("pes-vp "));
    EXPECT_EQ(result.err, "");
}

TEST_F(CommandLine, HelpNamesTheExitCodes) {
    const CommandResult result = pes_vp("run --help");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, AllOf(HasSubstr("124"), HasSubstr("125"), HasSubstr("126"),
                                  HasSubstr("--samples")));
}

TEST_F(CommandLine, TheGuestsExitCodeIsTheProcessStatus) {
    for (const int status : {0, 1, 7, 255}) {
        guest(exit_code(static_cast<std::uint32_t>(status)));
        const CommandResult result = pes_vp("run guest.elf --quiet");
        EXPECT_EQ(result.exit_code, status);
        EXPECT_EQ(result.out + result.err, "");
    }
}

TEST_F(CommandLine, AnExitCodeOf256IsNoSuccess) {
    guest(exit_code(256));
    EXPECT_EQ(pes_vp("run guest.elf").exit_code, 255);
}

TEST_F(CommandLine, AnOddValueInTohostEndsTheRun) {
    guest(code({auipc(kA0, 0), addi(kA1, kZero, 2 * 5 + 1), sd(kA1, kA0, 0x100), kJumpToSelf}),
          {{"tohost", kBase + 0x100, 8}});
    EXPECT_EQ(pes_vp("run guest.elf").exit_code, 5);
    EXPECT_EQ(pes_vp("run guest.elf --set htif.enabled=false --max-cycles 1000").exit_code, 124);
}

TEST_F(CommandLine, TheUartPrintsOnStandardOutputOrIntoAFile) {
    guest(code({lui(kA0, 0x10000), addi(kA1, kZero, 'A'), sb(kA1, kA0, 0)}) + exit_code(0));
    EXPECT_EQ(pes_vp("run guest.elf").out, "A");
    EXPECT_EQ(pes_vp("run guest.elf --console console.txt").out, "");
    EXPECT_EQ(read_file(directory_ / "console.txt"), "A");
}

TEST_F(CommandLine, BadProgramsAreRefused) {
    expect_refused("run", "PROGRAM");
    expect_refused("run absent.elf", "absent.elf");
    directory_.write("text.elf", "#!/bin/sh\n");
    expect_refused("run text.elf", "not an ELF file");
    directory_.write("rv32.elf", ElfImage::header32());
    expect_refused("run rv32.elf", "RV32");
    ElfImage foreign;
    foreign.machine = EM_X86_64;
    directory_.write("x86.elf", foreign.bytes());
    expect_refused("run x86.elf", "RISC-V");
    ElfImage outside;
    outside.entry = 0x4000'0000;
    outside.segments = {{0x4000'0000, "code", 4, 0x4000'0000}};
    directory_.write("outside.elf", outside.bytes());
    expect_refused("run outside.elf --stats s --samples t --vcd w", "outside main memory");
    ElfImage overlapping;
    overlapping.segments = {{kBase, "code", 8, kBase}, {kBase + 4, "data", 4, kBase + 4}};
    directory_.write("overlap.elf", overlapping.bytes());
    expect_refused("run overlap.elf --samples t", "overlapping segments");
    ElfImage headless;
    headless.segments = {{kBase, "code", 4, kBase}};
    headless.entry = 0;
    directory_.write("headless.elf", headless.bytes());
    expect_refused("run headless.elf --truth t", "starts at 0x0");
    ElfImage big_endian;
    big_endian.data = ELFDATA2MSB;
    directory_.write("big.elf", big_endian.bytes());
    expect_refused("run big.elf", "big.elf");
    directory_.write("empty.elf", "");
    expect_refused("run empty.elf", "not an ELF file");
    std::filesystem::create_directory(directory_ / "directory");
    expect_refused("run directory", "is a directory, expected a regular file");
    directory_.write("none.elf", ElfImage{}.bytes());
    expect_refused("run none.elf --console c", "no loadable segment");
    headless.entry = kBase;
    const std::string whole = headless.bytes();
    directory_.write("cut.elf", whole.substr(0, whole.size() - 1));
    expect_refused("run cut.elf --dump x@y", "truncated");
}

TEST_F(CommandLine, BadOptionsAreRefused) {
    guest(exit_code(0));
    expect_refused("", "subcommand");
    expect_refused("walk", "unknown subcommand 'walk', expected run or profile or exec or events");
    expect_refused("run guest.elf --bogus", "--bogus");
    expect_refused("run guest.elf second.elf", "second.elf");
    for (const char* number : {"many", "-1", "=-1", "1.5", "99999999999999999999", "''"}) {
        expect_refused(std::string("run guest.elf --max-cycles ") + number, "--max-cycles");
        expect_refused(std::string("run guest.elf --vcd w --vcd-from ") + number, "--vcd-from");
    }
    expect_refused("run guest.elf --stats a --stats b", "--stats");
    expect_refused("run guest.elf --log-level loud", "--log-level");
    expect_refused("profile guest.elf --call-graph", "--call-graph needs --samples FILE");
    expect_refused("profile guest.elf --source-path .", "--source-path needs --report FILE");
    expect_refused("profile guest.elf --source-path guest.elf --samples s --annotate",
                   "--source-path got 'guest.elf', expected a directory");
}

TEST_F(CommandLine, BadConfigurationIsRefused) {
    guest(exit_code(0));
    expect_refused("run guest.elf --set hart.pmp_entrys=4", "hart.pmp_entries");
    expect_refused("run guest.elf --set hart.pmp_entries=65", "from 0 to 64");
    expect_refused("run guest.elf --set quantum", "key=value");
    expect_refused("run guest.elf --config absent.toml", "absent.toml");
    expect_refused("run guest.elf --set uart.base=0x80000000 --stats s", "overlaps");
    directory_.write("soc.toml", "speed = 3\n");
    expect_refused("run guest.elf --config soc.toml", "'speed'");
    expect_refused("run --show-config --set bogus=1", "'bogus'");
}

TEST_F(CommandLine, ThePathOptionWinsOverTheConfiguration) {
    EXPECT_THAT(pes_vp("run --show-config").out, HasSubstr("\npath = \"auto\""));
    EXPECT_THAT(pes_vp("run --show-config --path step").out, HasSubstr("\npath = \"step\""));
    EXPECT_THAT(pes_vp("run --show-config --path fast --set hart.path=step").out,
                HasSubstr("\npath = \"fast\""));
    guest(exit_code(0));
    expect_refused("run guest.elf --path quick", "expected one of auto, step, fast");
    expect_refused("run guest.elf --counters both", "expected one of tlm, rtl, lockstep");
    expect_refused("run guest.elf --lockstep-vcd w.vcd", "needs --counters lockstep");
    expect_refused("run guest.elf --counters lockstep --lockstep-vcd w.fst", "VCD only");
    expect_refused("run guest.elf --counters rtl --set counters.programmable=13", "counters");
    expect_refused("run guest.elf --counters lockstep --path fast", "counters");
    expect_refused("run guest.elf --path ''", "--path");
}

TEST_F(CommandLine, TheFastPathIsRefusedWhereEveryInstructionIsWatched) {
    guest(exit_code(0));
    for (const char* fast : {" --path fast", " --set hart.path=fast"}) {
        const std::string run = std::string("run guest.elf") + fast;
        expect_refused(run + " --vcd w", "excludes the wave group 'commit'");
        expect_refused(run + " --vcd w --vcd-groups hpm,commit", "--vcd-groups names the others");
        expect_refused(run + " --pipeline p", "excludes --pipeline");
        EXPECT_EQ(pes_vp(run + " --vcd w --vcd-groups hpm,plic --samples s --stats j --truth t")
                      .exit_code,
                  0);
    }
    for (const char* other : {"", " --path auto", " --path step"}) {
        EXPECT_EQ(pes_vp(std::string("run guest.elf --truth t --vcd w") + other).exit_code, 0);
    }
}

TEST_F(CommandLine, UnwritableOutputsAreRefusedBeforeTheRun) {
    guest(code({lui(kA0, 0x10000), addi(kA1, kZero, 'A'), sb(kA1, kA0, 0)}) + exit_code(0),
          {{"word", kBase, 8}});
    for (const char* option : {"--stats ", "--samples ", "--truth ", "--vcd ", "--console "}) {
        expect_refused(std::string("run guest.elf ") + option + "none/file", "none/file");
    }
    expect_refused("run guest.elf --dump word@none/file --stats s", "none/file");
    expect_refused("run guest.elf --stats same --truth ./same", "same");
    expect_refused("run guest.elf --console same --dump word@same", "same");
    expect_refused("run guest.elf --stats -", "standard output"); // where the console is
}

TEST_F(CommandLine, AnInputIsNeverReplaced) {
    guest(exit_code(0), {{"word", kBase, 8}});
    directory_.write("soc.toml", "quantum = 100\n");
    for (const char* option : {"--stats ", "--samples ", "--truth ", "--vcd ", "--console "}) {
        expect_refused(std::string("run guest.elf ") + option + "./guest.elf", "an input");
        expect_refused(std::string("run guest.elf --config soc.toml ") + option + "soc.toml",
                       "an input");
        expect_refused(std::string("run guest.elf ") + option + "''", "expected FILE");
    }
    expect_refused("run guest.elf --dump word@guest.elf", "an input");
    EXPECT_EQ(pes_vp("run guest.elf").exit_code, 0);
}

TEST_F(CommandLine, CharactersThatDoNotFitAreReportedAndTheOtherFilesKept) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "SystemC 2.3 does not tell the sanitizer where the main stack is, so that it "
                    "misjudges an exception after a run";
#endif
    guest(code({lui(kA0, 0x10000), addi(kA1, kZero, 'A'), sb(kA1, kA0, 0)}) + exit_code(0));
    const CommandResult result = pes_vp("run guest.elf --stats stats.json > /dev/full");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("standard output"));
    EXPECT_EQ(stats()["exit_reason"], "guest");
}

TEST_F(CommandLine, AMemoryThatTheHostDoesNotHaveIsOneSentence) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer itself wants more address space than this test leaves";
#endif
    guest(exit_code(0));
    const CommandResult result =
        run_command("ulimit -v 3000000; cd '" + directory_.path().string() +
                    "' && '" PES_VP_PATH "' run guest.elf --set dram.size=16GiB --stats s");
    EXPECT_EQ(result.exit_code, 123);
    EXPECT_THAT(result.err, StartsWith("pes-vp: out of memory: "));
    EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
    EXPECT_EQ(directory_.count(), 1U);
}

TEST_F(CommandLine, BadWaveSelectionsAreRefused) {
    guest(exit_code(0));
    expect_refused("run guest.elf --vcd-groups hpm", "--vcd FILE");
    expect_refused("run guest.elf --vcd-from 0", "--vcd FILE");
    expect_refused("run guest.elf --vcd w --vcd-groups hpm,plik", "plik");
    expect_refused("run guest.elf --vcd w --vcd-groups bogus", "commit, hpm, plic");
    expect_refused("run guest.elf --vcd w --vcd-from 5 --vcd-to 5", "--vcd-from 5");
    expect_refused("run guest.elf --vcd w --vcd-groups hpm,", "empty name");
    expect_refused("run guest.elf --vcd w --vcd-groups ''", "--vcd-groups");
}

TEST_F(CommandLine, BadWindowsOfThePipelineAreRefused) {
    guest(exit_code(0));
    expect_refused("run guest.elf --pipeline-from 0", "--pipeline FILE");
    expect_refused("run guest.elf --pipeline-to 10", "--pipeline FILE");
    expect_refused("run guest.elf --pipeline p --pipeline-from 5 --pipeline-to 5",
                   "--pipeline-from 5 is not before --pipeline-to 5");
    expect_refused("run guest.elf --pipeline p --pipeline-from -1", "--pipeline-from");
    expect_refused("run guest.elf --pipeline ''", "--pipeline");
    expect_refused("run guest.elf --pipeline p --stats p", "p");
}

TEST_F(CommandLine, AWindowOfThePipelineBehindTheEndIsTold) {
    guest(exit_code(0));
    const CommandResult inside = pes_vp("run guest.elf --quiet --pipeline p");
    EXPECT_EQ(inside.exit_code, 0);
    EXPECT_EQ(inside.err, "");
    const CommandResult behind =
        pes_vp("run guest.elf --quiet --pipeline p --pipeline-from 100000");
    EXPECT_EQ(behind.exit_code, 0);
    EXPECT_THAT(behind.err, HasSubstr("--pipeline: no instruction from cycle 100000 on"));
}

TEST_F(CommandLine, BadDumpsAreRefused) {
    guest(exit_code(0), {{"word", kBase, 8}, {"bare", kBase, 0}});
    expect_refused("run guest.elf --dump word", "SYMBOL[:BYTES]@FILE");
    expect_refused("run guest.elf --dump absent@d", "'absent'");
    expect_refused("run guest.elf --dump bare@d", "bare:BYTES@FILE");
    expect_refused("run guest.elf --dump word:x@d", "number of bytes");
    expect_refused("run guest.elf --dump word:99999999999@d", "main memory");
}

TEST_F(CommandLine, AMisplacedTohostIsRefused) {
    guest(exit_code(0), {{"tohost", kBase + 4, 8}});
    expect_refused("run guest.elf", "tohost");
}

TEST_F(CommandLine, ShownConfigurationCanBeFedBack) {
    const CommandResult shown = pes_vp("run --show-config --set quantum=777");
    EXPECT_EQ(shown.exit_code, 0);
    directory_.write("soc.toml", shown.out);
    EXPECT_EQ(pes_vp("run --show-config --config soc.toml").out, shown.out);
    EXPECT_THAT(shown.out, HasSubstr("quantum = 777"));
}

TEST_F(CommandLine, NotesAboutSettingsAreNotOnStandardOutput) {
    const CommandResult shown = pes_vp("run --show-config --set hart.isa=rv64gc_zicntr");
    EXPECT_EQ(shown.out, pes_vp("run --show-config --set hart.isa=rv64gc").out);
    EXPECT_THAT(shown.err, HasSubstr("'zicntr' is ignored"));
}

TEST_F(CommandLine, AJumpToNowhereEndsWithATrapReport) {
    guest(code({lui(kA0, 0x40000), jr(kA0)}));
    const CommandResult result = pes_vp("run guest.elf --quiet --stats stats.json");
    EXPECT_EQ(result.exit_code, 125);
    EXPECT_EQ(result.err, "pes-vp: the guest cannot continue: the handler of a trap traps on its "
                          "first instruction\n"
                          "  cause  0x1 (instruction access fault)\n"
                          "  pc     0x40000000\n"
                          "  tval   0x40000000\n"
                          "  mode   M\n"
                          "  trap handler at 0x0: instruction access fault\n"
                          "  last instructions, oldest first:\n"
                          "    0x80000000\n"
                          "    0x80000004\n");
    EXPECT_EQ(stats()["exit_reason"], "trap-loop");
}

TEST_F(CommandLine, EveryWayToNowhereIsReportedWhereItBegan) {
    struct Case {
        std::string guest;
        std::string report;
    };
    const std::vector<Case> cases{
        {code({jr(kZero)}), "cause  0x1 (instruction access fault)\n  pc     0x0\n  tval   0x0\n"},
        {code({auipc(kA0, 0), addi(kA0, kA0, 0x100), jr(kA0)}), // zeros
         "cause  0x2 (illegal instruction)\n  pc     0x80000100\n"},
        {code({lui(kA0, 0x10000), jr(kA0)}), // the UART
         "cause  0x1 (instruction access fault)\n  pc     0x10000000\n"},
        {code({lui(kA0, 0x40000), csrw(csr::kMtvec, kA0), 0}),
         "pc     0x80000008\n  tval   0x0\n  mode   M\n  trap handler at 0x40000000: "},
        {code({auipc(kA0, 0), addi(kA0, kA0, 0x100), csrw(csr::kMtvec, kA0), sd(kA0, kZero, 8)}),
         "cause  0x7 (store/AMO access fault)\n  pc     0x8000000c\n  tval   0x8\n  mode   M\n"
         "  trap handler at 0x80000100: illegal instruction\n"},
    };
    for (const Case& way : cases) {
        guest(way.guest);
        const CommandResult result = pes_vp("run guest.elf --max-cycles 1000000");
        EXPECT_EQ(result.exit_code, 125);
        EXPECT_THAT(result.err, HasSubstr(way.report));
    }
}

/// What a handler does in a circle is the guest's business; the cycle limit says where it was.
TEST_F(CommandLine, AHandlerThatTrapsForEverStopsAtTheCycleLimit) {
    guest(code({auipc(kA0, 0), addi(kA0, kA0, 0x10), csrw(csr::kMtvec, kA0), 0, // handler:
                addi(kA1, kA1, 1), 0}));
    const CommandResult result = pes_vp("run guest.elf --max-cycles 100000");
    EXPECT_EQ(result.exit_code, 124);
    EXPECT_THAT(result.err, AllOf(HasSubstr("--max-cycles 100000 at pc 0x800000"),
                                  ::testing::Not(HasSubstr("last instructions"))));
}

TEST_F(CommandLine, AWaitThatNothingCanEndIsReported) {
    const std::string plain = code({kWfi, kJumpToSelf});
    // Loads count up to 3, but there are none during sleep.
    const std::string armed = code({addi(kA0, kZero, 5), csrw(csr::kMhpmevent3, kA0),
                                    addi(kA0, kZero, 3), csrw(csr::kMhpmthreshold3, kA0)}) +
                              plain;
    for (const std::string& program : {plain, armed}) {
        guest(program);
        for (const char* options :
             {"", " --max-cycles 1000000000000", " --vcd wave --vcd-to 200", " --set quantum=1"}) {
            const CommandResult result =
                pes_vp("run guest.elf --stats stats.json" + std::string(options));
            EXPECT_EQ(result.exit_code, 125) << options;
            EXPECT_THAT(result.err, AllOf(HasSubstr("waits for an interrupt at pc 0x800000"),
                                          HasSubstr("nothing can raise")));
            EXPECT_EQ(stats()["exit_reason"], "dead-wait");
        }
    }
}

/// The cycle counter runs on in sleep: its comparator, and a timer, could still end it.
TEST_F(CommandLine, AWaitLastsWhileACounterOrTimerMayEndIt) {
    constexpr std::int64_t kLate = 0x40000;
    const std::string compare = code({lui(kA0, kLate >> 12), csrw(csr::kMhpmthresholdCycle, kA0)});
    const std::string timer =
        code({lui(kA0, kLate >> 12), lui(kA1, 0x2004), sd(kA0, kA1, 0)}); // mtimecmp
    for (const std::string& source : {compare, timer}) {
        guest(source + code({kWfi, kJumpToSelf}));
        EXPECT_EQ(pes_vp("run guest.elf --stats stats.json").exit_code, 125);
        EXPECT_GE(stats()["cycles"], kLate);
    }
}

TEST_F(CommandLine, AnEndlessLoopStopsAtTheCycleLimit) {
    guest(code({kJumpToSelf}));
    const CommandResult result = pes_vp("run guest.elf --max-cycles 12345 --stats stats.json");
    EXPECT_EQ(result.exit_code, 124);
    EXPECT_THAT(result.err, HasSubstr("12345"));
    EXPECT_EQ(stats()["exit_reason"], "max-cycles");
    EXPECT_GE(stats()["cycles"], 12345);
    EXPECT_LT(stats()["cycles"], 12345 + 100);
}

TEST_F(CommandLine, AnInterruptedRunStillWritesItsFilesWhole) {
    guest(code({kJumpToSelf}));
    directory_.write("go.sh", "'" PES_VP_PATH "' run guest.elf --stats stats.json 2>err & "
                              "until ls stats.json.tmp* >/dev/null 2>&1; do :; done\n"
                              "kill -TERM $!; wait $!; echo $? >status\n");
    const std::string command = "cd '" + directory_.path().string() + "' && sh go.sh";
    ASSERT_EQ(run_command(command).exit_code, 0);
    EXPECT_EQ(read_file(directory_ / "status"), "130\n");
    EXPECT_THAT(read_file(directory_ / "err"), HasSubstr("interrupted at pc 0x80000000"));
    EXPECT_EQ(stats()["exit_reason"], "interrupted");
    EXPECT_EQ(directory_.count(), 5U) << "no temporary file is left";
}

/// Ten rounds of a loop of two instructions between one and four others.
TEST_F(CommandLine, StatisticsAndHistogramCountEveryInstruction) {
    guest(code({addi(kA2, kZero, 10), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    EXPECT_EQ(pes_vp("run guest.elf --stats stats.json --truth truth.csv").exit_code, 0);
    const nlohmann::json stats = this->stats();
    EXPECT_EQ(stats["instret"], 1 + 10 * 2 + 4);
    EXPECT_EQ(stats["events"]["branch"], 10);
    EXPECT_EQ(stats["events"]["store"], 1);
    EXPECT_EQ(stats["traps"], 0);
    EXPECT_EQ(stats["exit_reason"], "guest");
    EXPECT_GT(stats["host_seconds"], 0);
    const std::string truth = read_file(directory_ / "truth.csv");
    EXPECT_THAT(truth,
                AllOf(StartsWith("hart,privilege,satp,pc,count,cycles,cycles_base,"),
                      HasSubstr("\n0,M,0x0,0x80000000,1,"), HasSubstr("\n0,M,0x0,0x80000004,10,"),
                      HasSubstr("\n0,M,0x0,0x80000008,10,"), HasSubstr("\n0,M,0x0,0x80000018,1,")));
}

TEST_F(CommandLine, DumpsHoldTheMemoryAtTheEnd) {
    guest(code({auipc(kA0, 0), addi(kA1, kZero, 0x5A), sb(kA1, kA0, 0x201)}) + exit_code(0),
          {{"word", kBase + 0x200, 4}});
    EXPECT_EQ(pes_vp("run guest.elf --dump word@four --dump word:2@two").exit_code, 0);
    EXPECT_EQ(read_file(directory_ / "four"), std::string("\0\x5A\0\0", 4));
    EXPECT_EQ(read_file(directory_ / "two"), std::string("\0\x5A", 2));
}

/// The guest hands one record to file descriptor 3 with a system call: the block is part of it.
TEST_F(CommandLine, SamplesReachTheirFileAndTheStatistics) {
    std::string image =
        code({auipc(kA0, 0), addi(kA1, kA0, 0x200), sd(kA1, kA0, 0x100)}) + exit_code(0);
    SampleRecord record{};
    record.magic = kSampleMagic;
    record.size = kSampleSize;
    record.lost = 4;
    const auto bytes = std::bit_cast<std::array<char, kSampleSize>>(record);
    const std::array<std::uint64_t, 8> call{64, 3, kBase + 0x300, kSampleSize};
    const auto block = std::bit_cast<std::array<char, sizeof call>>(call);
    image.resize(0x400, '\0');
    std::ranges::copy(block, image.begin() + 0x200);
    std::ranges::copy(bytes, image.begin() + 0x300);
    guest(image, {{"tohost", kBase + 0x100, 8}, {"fromhost", kBase + 0x108, 8}});
    EXPECT_EQ(pes_vp("run guest.elf --samples samples --stats stats.json").exit_code, 0);
    EXPECT_EQ(read_file(directory_ / "samples"), std::string(bytes.begin(), bytes.end()));
    EXPECT_EQ(stats()["samples"], 1);
    EXPECT_EQ(stats()["lost_samples"], 4);
    EXPECT_EQ(stats()["malformed_samples"], 0);
}

TEST_F(CommandLine, StatisticsSayHowTheInstructionsWereSimulated) {
    guest(code({addi(kA2, kZero, 2000), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    pes_vp("run guest.elf --stats stats.json");
    const nlohmann::json run = stats();
    const nlohmann::json& fast = run["host_path"][0];
    const std::uint64_t stepped = fast["stepped"];
    EXPECT_GT(fast["replayed"], 3000);
    EXPECT_GT(fast["recorded"], 0);
    EXPECT_EQ(fast["replayed"].get<std::uint64_t>() + fast["recorded"].get<std::uint64_t>() +
                  stepped,
              run["instret"]);
    EXPECT_GT(fast["blocks_known"], 0.9);
    EXPECT_FALSE(fast["left_for"].empty());
    pes_vp("run guest.elf --path step --stats stats.json");
    EXPECT_EQ(stats()["host_path"][0]["stepped"], run["instret"]);
}

/// Rates and the host's path are of this process alone, counts of the whole run.
TEST_F(CommandLine, ARestoredRunHasTheSpeedOfItsOwnPart) {
    guest(code({addi(kA2, kZero, 2000), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    pes_vp("run guest.elf --checkpoint-at 4000 a.ckpt --max-cycles 4000 --stats stats.json");
    const std::uint64_t before = stats()["instret"];
    for (const char* const path : {"step", "fast"}) {
        pes_vp(std::string("run guest.elf --restore a.ckpt --stats stats.json --path ") + path);
        const nlohmann::json run = stats();
        const auto own = run["instret"].get<std::uint64_t>() - before;
        const nlohmann::json& host = run["host_path"][0];
        EXPECT_EQ(host["replayed"].get<std::uint64_t>() + host["recorded"].get<std::uint64_t>() +
                      host["stepped"].get<std::uint64_t>(),
                  own)
            << path;
        const double mips = static_cast<double>(own) / 1e6 / run["host_seconds"].get<double>();
        EXPECT_NEAR(run["mips"].get<double>() / mips, 1, 1e-9) << path;
    }
}

TEST_F(CommandLine, EqualRunsGiveEqualFiles) {
    guest(code({addi(kA2, kZero, 10), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    const auto run = [this](const std::string& suffix) {
        pes_vp("run guest.elf --stats stats.json --vcd w" + suffix + " --truth t" + suffix);
        nlohmann::json document = stats();
        document.erase("host_seconds");
        document.erase("mips");
        document.erase("host_path");
        return document.dump() + read_file(directory_ / ("w" + suffix)) +
               read_file(directory_ / ("t" + suffix));
    };
    const std::string first = run("1");
    EXPECT_EQ(first, run("2"));
    EXPECT_THAT(first, AllOf(HasSubstr("commit_pc(0)"), HasSubstr("generic_counter_q(1)")));
}

/// Longer than the quantum, so that a block that reports from a stale plan would be too late.
TEST_F(CommandLine, NoWaveChangeComesTooLate) {
    guest(code({addi(kA2, kZero, 2000), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    EXPECT_EQ(pes_vp("run guest.elf --set quantum=100 --vcd w --stats stats.json").exit_code, 0);
    EXPECT_EQ(stats()["late_wave_changes"], 0);
}

TEST_F(CommandLine, AWaveWindowHoldsOnlyItsCycles) {
    guest(code({addi(kA2, kZero, 100), addi(kA2, kA2, -1), bne(kA2, kZero, -4)}) + exit_code(0));
    EXPECT_EQ(
        pes_vp("run guest.elf --vcd w --vcd-groups commit --vcd-from 50 --vcd-to 60").exit_code, 0);
    const std::string wave = read_file(directory_ / "w");
    std::size_t at = 0;
    int times = 0;
    while ((at = wave.find("\n#", at)) != std::string::npos) {
        const unsigned long time = std::strtoul(wave.c_str() + at + 2, nullptr, 10);
        EXPECT_GE(time, 50 * 20U); // 20 ns a cycle
        EXPECT_LE(time, 60 * 20U);
        ++at;
        ++times;
    }
    EXPECT_GE(times, 3);
}

/// mcycle is N after cycle N. The hart sleeps when the run ends, or is in its loop.
TEST_F(CommandLine, AWaveWindowBehindTheEndHoldsTheLastCounts) {
    const std::string sleep =
        code({lui(kA0, 0x40), lui(kA1, 0x2004), sd(kA0, kA1, 0), kWfi}); // mtimecmp
    for (const std::string& program : {sleep, code({kJumpToSelf})}) {
        guest(program);
        for (const char* path : {"step", "fast"}) {
            pes_vp("run guest.elf --max-cycles 4321 --stats stats.json --vcd w --vcd-groups hpm "
                   "--vcd-from 90000 --path " +
                   std::string(path));
            EXPECT_THAT(first_values("w", "cycle_q"), ElementsAre(stats()["cycles"])) << path;
            EXPECT_GE(stats()["cycles"], 4321);
        }
    }
}

TEST_F(CommandLine, BootFilesThatDoNotBelongTogetherAreRefused) {
    guest(exit_code(0));
    expect_refused("run", "PROGRAM is missing");
    expect_refused("run guest.elf --firmware guest.elf", "expected one of them");
    expect_refused("run guest.elf --kernel guest.elf", "--kernel needs --firmware");
    expect_refused("run --firmware guest.elf --initrd guest.elf", "need --kernel");
    expect_refused("run --firmware guest.elf --append quiet", "need --kernel");
    expect_refused("run --dtb guest.elf --dump-dtb tree.dtb", "--dtb needs PROGRAM");
    expect_refused("run guest.elf --dtb guest.elf", "not a valid flattened device tree");
    expect_refused("run --firmware missing.bin", "firmware 'missing.bin' cannot be read");
    expect_refused("run --firmware guest.elf --kernel missing", "kernel 'missing' cannot be read");
}

} // namespace
} // namespace pes
