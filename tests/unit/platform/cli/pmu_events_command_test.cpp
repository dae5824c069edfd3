// SPDX-License-Identifier: Apache-2.0
// `pes-vp pmu-events`: the files in their places, the same each time, and what is refused.
#include "hw/interface/pmu/profiles.h"
#include "platform/profile/pmu_event_files.h"
#include "tests/unit/platform/cli/command_line.h"

#include <filesystem>

namespace pes {
namespace {

using namespace test;

class PmuEvents : public CommandLine {};

TEST_F(PmuEvents, AreWrittenBelowTheDirectory) {
    ASSERT_EQ(pes_vp("pmu-events --profile u74 -o new/riscv").exit_code, 0);
    const auto files = pmu_event_files(kU74Profile, {.vendor = 0x602, .architecture = 3});
    for (const PmuEventFile& file : files) {
        EXPECT_EQ(read_file(directory_ / "new/riscv" / file.name), file.text);
    }
    // Again, over what is there.
    ASSERT_EQ(pes_vp("pmu-events --profile u74 --output new/riscv").exit_code, 0);
    std::size_t written = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(directory_ / "new/riscv")) {
        written += entry.is_regular_file() ? 1 : 0;
    }
    EXPECT_EQ(written, files.size());
}

TEST_F(PmuEvents, OfAProfileFileHaveItsName) {
    ASSERT_EQ(pes_vp("pmu-events --profile " PES_EXAMPLE_PROFILE " -o out").exit_code, 0);
    EXPECT_TRUE(std::filesystem::exists(directory_ / "out/pes/example/general.json"));
}

TEST_F(PmuEvents, AreRefusedInOneSentence) {
    directory_.write("file", "");
    expect_refused("pmu-events", "-o is missing");
    expect_refused("pmu-events -o ''", "-o");
    expect_refused("pmu-events --profile u75 -o out", "'u75'");
    expect_refused("pmu-events --profile cv32e40p -o out", "PCER");
    expect_refused("pmu-events -o file", "file");
    expect_refused("pmu-events -o out --bogus", "--bogus");
    expect_refused("pmu-events --bogus", "(pes-vp pmu-events --help lists the options)");
}

} // namespace
} // namespace pes
