// SPDX-License-Identifier: Apache-2.0
// `pes-vp exec`: what is refused before anything runs.
#include "tests/unit/platform/cli/command_line.h"

namespace pes {
namespace {

using namespace test;

class Exec : public CommandLine {};

TEST_F(Exec, NeedsAProgramOrPrepare) {
    expect_refused("exec", "exec needs a program");
    expect_refused("exec --", "exec needs a program");
    expect_refused("exec --prepare -- ./a.out", "exec --prepare takes no program");
}

TEST_F(Exec, OptionsAreChecked) {
    expect_refused("exec --nonsense -- ./a.out", "--nonsense");
    expect_refused("exec --suite sid -- ./a.out",
                   "--suite, --mirror, --firmware and --module need exec --prepare");
    expect_refused("exec --osd-threads on -- ./a.out", "--osd-threads needs --osd-trace FILE");
    expect_refused("exec --prepare --osd-trace t.osd", "exec --prepare takes no --osd-trace");
    expect_refused("exec --module m.ko -- ./a.out", "need exec --prepare");
    expect_refused("exec --prepare --module m.ko --cache new", "--module: there is no file 'm.ko'");
    expect_refused("exec --firmware fw.elf -- ./a.out", "need exec --prepare");
    expect_refused("exec --prepare --firmware fw.elf --cache new",
                   "--firmware: there is no file 'fw.elf'");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "new"));
    expect_refused("exec --truth-of kernel -- ./a.out", "--truth-of needs --truth");
    expect_refused("exec --truth t.csv --truth-of nothing -- ./a.out", "--truth-of");
    expect_refused("exec --env NAME -- ./a.out", "--env NAME, expected NAME=VALUE");
}

TEST_F(Exec, OptionsOfTheProfileAndOfPerfAreChecked) {
    expect_refused("exec --prepare --csv p.csv", "exec --prepare takes no options of a profile");
    expect_refused("exec --profile-of nothing -- ./a.out", "--profile-of");
    expect_refused("exec --method pdis -- ./a.out", "--method pdis follows decoded instructions");
    expect_refused("exec --call-graph -- ./a.out", "--call-graph");
    expect_refused("exec --perf-data p.data --perf stat -- ./a.out",
                   "--perf-data needs --perf 'record ...'");
    expect_refused("exec --prepare --perf stat", "exec --prepare takes neither --perf nor --gdb");
}

TEST_F(Exec, TheRootIsNoCurrentFolder) {
    const CommandResult result = run_command("cd / && '" PES_VP_PATH "' exec -- ./a.out");
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.err, "pes-vp: exec: the current folder is '/', where the guest has its own "
                          "root, expected a folder below it\n");
}

TEST_F(Exec, SaysHowTheLinuxIsMade) {
    expect_refused("exec --cache nowhere -- ./a.out --help", "pes-vp exec --prepare makes it");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "nowhere"));
}

TEST_F(Exec, AFileThatIsNoCheckpointIsOneSentence) {
    std::filesystem::create_directory(directory_ / "cache");
    for (const char* const name : {"kernel", "initramfs", "firmware", "kernel.elf", "checkpoint"}) {
        directory_.write(std::string("cache/") + name, "");
    }
    expect_refused("exec --cache cache -- ./a.out", "cache/firmware");
}

} // namespace
} // namespace pes
