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
    expect_refused("exec --suite sid -- ./a.out", "--suite and --mirror need exec --prepare");
    expect_refused("exec --env NAME -- ./a.out", "--env NAME, expected NAME=VALUE");
}

TEST_F(Exec, SaysHowTheLinuxIsMade) {
    expect_refused("exec --cache nowhere -- ./a.out --help", "pes-vp exec --prepare makes it");
    EXPECT_FALSE(std::filesystem::exists(directory_ / "nowhere"));
}

TEST_F(Exec, AFileThatIsNoCheckpointIsOneSentence) {
    std::filesystem::create_directory(directory_ / "cache");
    for (const char* const name : {"kernel", "initramfs", "firmware.elf", "checkpoint"}) {
        directory_.write(std::string("cache/") + name, "");
    }
    expect_refused("exec --cache cache -- ./a.out", "cache/firmware.elf");
}

} // namespace
} // namespace pes
