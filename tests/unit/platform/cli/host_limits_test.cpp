// SPDX-License-Identifier: Apache-2.0
// pes-vp on a host that does not give it everything: pipes without another end, full disks,
// signals, little memory, and guests that make it talk.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/platform/cli/command_line.h"
#include "tests/unit/platform/cli/guest_code.h"

#include <sys/stat.h>

namespace pes {
namespace {

using namespace test; // the small assembler
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HostLimits : public CommandLine {
  protected:
    void make_pipe(const char* name) const {
        ASSERT_EQ(::mkfifo((directory_ / name).c_str(), 0600), 0);
    }
    /// Runs lines of a shell in the test's directory, where $vp is pes-vp.
    CommandResult shell(const std::string& lines) const {
        return run_command("cd '" + directory_.path().string() + "' && vp='" PES_VP_PATH "' && " +
                           lines);
    }
    void endless_guest() { guest(code({kJumpToSelf})); }
};

// --- Files --------------------------------------------------------------------------------------

TEST_F(HostLimits, APipeIsNoInputAndIsNotWaitedFor) {
    endless_guest();
    make_pipe("pipe");
    for (const char* arguments :
         {"run pipe", "run --firmware pipe", "run --firmware guest.elf --kernel pipe",
          "run --firmware guest.elf --kernel guest.elf --initrd pipe", "run guest.elf --dtb pipe",
          "run guest.elf --config pipe", "run guest.elf --set counters.profile_file=pipe"}) {
        expect_refused(arguments, "'pipe'");
    }
}

TEST_F(HostLimits, AnOutputPipeThatNobodyReadsIsRefused) {
    guest(exit_code(0));
    make_pipe("pipe");
    expect_refused("run guest.elf --stats pipe", "nobody has opened this pipe for reading");
}

TEST_F(HostLimits, AnOutputPipeMayGetItsReaderLate) {
    guest(exit_code(0));
    make_pipe("pipe");
    const CommandResult result =
        shell("{ \"$vp\" run guest.elf --stats pipe & cat pipe >stats.json; wait $!; }");
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(stats()["exit_reason"], "guest");
}

TEST_F(HostLimits, AFullStandardOutputIsAnErrorForEveryText) {
    for (const char* arguments : {"--help", "--version", "run --help", "run --show-config"}) {
        const CommandResult result = pes_vp(std::string(arguments) + " >/dev/full");
        EXPECT_EQ(result.exit_code, 2) << arguments;
        EXPECT_THAT(result.err, HasSubstr("cannot write to the standard output")) << arguments;
    }
}

/// The description would fit, the trace does not.
TEST_F(HostLimits, ATraceAndItsDescriptionAppearTogetherOrNotAtAll) {
    guest(code({addi(kA2, kZero, 1), bne(kA2, kZero, -4)}));
    directory_.write("t.rtd", "old trace");
    directory_.write("t.rtd.toml", "old description");
    const std::size_t files = directory_.count();
    const CommandResult result = shell("(ulimit -f 16; \"$vp\" run guest.elf --trace t.rtd "
                                       "--trace-program btm --max-cycles 400000)");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("cannot write 't.rtd'"));
    EXPECT_EQ(read_file(directory_ / "t.rtd"), "old trace");
    EXPECT_EQ(read_file(directory_ / "t.rtd.toml"), "old description");
    EXPECT_EQ(directory_.count(), files);
}

// --- Signals ------------------------------------------------------------------------------------

/// The signal comes when the first output has been opened. A shell starts what runs in its
/// background with SIGINT and SIGQUIT ignored.
std::string end_by(const std::string& signal, const std::string& options) {
    return "{ ulimit -c 0; env --default-signal \"$vp\" run guest.elf --stats stats.json "
           "--max-cycles 3000000000 " +
           options + " & until ls stats.json.tmp* >/dev/null 2>&1; do :; done; kill -" + signal +
           " $!; wait $!; }";
}

/// Were it for the quantum, the run would go on for 10^9 cycles.
TEST_F(HostLimits, ASignalEndsARunInTheMiddleOfAQuantum) {
    endless_guest();
    for (const char* options : {"--set quantum=1000000000", "--set quantum=1000000000 --path step",
                                "--set quantum=1000000000 --set turn=1000000000 --set harts=2"}) {
        const CommandResult result = shell(end_by("TERM", options));
        EXPECT_EQ(result.exit_code, 130) << options;
        EXPECT_THAT(result.err, HasSubstr("interrupted at pc 0x80000000")) << options;
        EXPECT_EQ(stats()["exit_reason"], "interrupted") << options;
        EXPECT_LT(stats()["cycles"], 900'000'000) << options;
    }
}

/// The run waits for a reader that takes nothing: its console, or a trace, fills the pipe. The
/// shell's own limit is the judge: without a cut of the wait the run would hang here.
TEST_F(HostLimits, OneSignalEndsARunThatWaitsForAReader) {
    make_pipe("pipe");
    guest(code({addi(kA2, kZero, 1), bne(kA2, kZero, -4)}));
    const CommandResult result = shell(
        "{ sleep 60 <pipe & reader=$!; env --default-signal \"$vp\" run guest.elf --trace pipe "
        "--trace-program btm --stats stats.json & run=$!; until ls stats.json.tmp* >/dev/null "
        "2>&1; do :; done; sleep 1; kill -TERM $run; (sleep 20; kill -KILL $run) & guard=$!; "
        "wait $run; status=$?; kill $guard $reader; exit $status; }");
    EXPECT_EQ(result.exit_code, 2) << "137 if it had to be killed";
    EXPECT_THAT(result.err, HasSubstr("cannot write 'pipe': its reader takes nothing"));
    EXPECT_EQ(stats()["exit_reason"], "interrupted") << "the other results are whole";
}

TEST_F(HostLimits, EverySignalLeavesNoTemporaryFile) {
    endless_guest();
    const std::size_t files = directory_.count();
    for (const auto& [signal, status] :
         {std::pair{"QUIT", 128 + 3}, {"USR1", 128 + 10}, {"USR2", 128 + 12}, {"ALRM", 128 + 14}}) {
        EXPECT_EQ(shell(end_by(signal, "--samples s --trace t")).exit_code, status) << signal;
        EXPECT_EQ(directory_.count(), files) << signal;
    }
}

// --- Memory -------------------------------------------------------------------------------------

/// Lines of code that are decoded one after another, 1.25 KiB of host memory each.
std::string jumps_through_lines(unsigned lines) {
    constexpr std::uint32_t kJumpToNextLine = 0x0400'006F; // jal x0, 64
    std::string line = code({kJumpToNextLine});
    line.resize(64);
    std::string image;
    for (unsigned index = 0; index < lines; ++index) {
        image += line;
    }
    return image + code({kJumpToSelf});
}

TEST_F(HostLimits, OutOfMemoryIsASentenceWithAnExitCodeAndWholeFiles) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer needs the address space itself";
#endif
    const auto run_with = [this](unsigned mebibytes) {
        return shell("(ulimit -v " + std::to_string(mebibytes * 1024) +
                     "; \"$vp\" run guest.elf --set dram.size=8MiB --max-cycles 20000000 "
                     "--quiet --stats stats.json)");
    };
    constexpr unsigned kStep = 8;
    constexpr int kCycleLimit = 124;
    constexpr int kOutOfMemory = 123;
    endless_guest();
    unsigned enough = kStep;
    while (run_with(enough).exit_code != kCycleLimit) {
        ASSERT_LT(enough, 1000U);
        enough += kStep;
    }
    guest(jumps_through_lines(64'000)); // 80 MiB
    for (const unsigned more : {0U, 2 * kStep, 4 * kStep}) {
        std::filesystem::remove(directory_ / "stats.json");
        const std::size_t files = directory_.count();
        const CommandResult result = run_with(enough + more);
        EXPECT_EQ(result.exit_code, kOutOfMemory) << result.err;
        EXPECT_THAT(result.err, StartsWith("pes-vp: out of memory"));
        EXPECT_EQ(std::ranges::count(result.err, '\n'), 1) << result.err;
        if (directory_.count() != files) {
            EXPECT_EQ(stats()["exit_reason"], "out-of-memory");
        }
    }
}

// --- Messages about the guest -------------------------------------------------------------------

/// 1000 stores to an address where nothing is; each is told in the log, and traps.
TEST_F(HostLimits, MessagesAboutTheGuestAreCollapsed) {
    const std::string end = exit_code(0);
    const auto store = static_cast<std::int32_t>(4 + end.size());
    guest(code({auipc(kA1, 0), addi(kA1, kA1, 20), csrw(csr::kMtvec, kA1), lui(kA0, 0x40000),
                addi(kA2, kZero, 1001), // the handler is behind this
                addi(kA2, kA2, -1), bne(kA2, kZero, store)}) +
          end + code({sd(kA2, kA0, 0), kJumpToSelf}));
    const CommandResult result = pes_vp("run guest.elf --quiet");
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_LT(std::ranges::count(result.err, '\n'), 20) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("repeated 1,000 times: "), HasSubstr("[bus]"),
                                  HasSubstr("no device there")));
}

} // namespace
} // namespace pes
