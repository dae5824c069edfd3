// SPDX-License-Identifier: Apache-2.0
// Checkpoints that cannot be taken or restored: one sentence that says why, exit code 2.
#include "tests/differential/process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace pes::paths {
namespace {

using Options = std::vector<std::string>;

class CheckpointMistakes : public testing::Test {
  protected:
    void SetUp() override {
        std::filesystem::create_directories(folder_);
        std::filesystem::remove(file_);
        ASSERT_EQ(
            run({"--checkpoint-at", "5000", file_.string(), "--max-cycles", "5000"}).exit_code,
            124);
    }
    static differential::ProcessResult run(const Options& options) {
        std::vector<std::string> command{PES_VP_PATH, "run",       PES_FIRMWARE "/pes_test.elf",
                                         "--quiet",   "--console", "/dev/null"};
        command.insert(command.end(), options.begin(), options.end());
        return differential::run_process(command, std::chrono::seconds(60),
                                         differential::ErrorStream::WithOutput);
    }
    void expect_refused(const Options& options, const std::string& sentence) {
        const differential::ProcessResult result = run(options);
        EXPECT_EQ(result.exit_code, 2) << result.output;
        EXPECT_NE(result.output.find(sentence), std::string::npos) << result.output;
        EXPECT_EQ(std::ranges::count(result.output, '\n'), 1) << result.output;
    }

    const std::filesystem::path folder_ = std::filesystem::path(PES_WORK) / "mistakes";
    const std::filesystem::path file_ = folder_ / "a.ckpt";
};

TEST_F(CheckpointMistakes, SettingsThatDifferAreNamed) {
    expect_refused({"--restore", file_.string(), "--set", "hart.pmp_entries=16"},
                   "hart.pmp_entries is 8 in the checkpoint and 16 here");
}

TEST_F(CheckpointMistakes, AProfileCannotBeginInTheMiddle) {
    expect_refused({"--restore", file_.string(), "--truth", (folder_ / "truth").string()},
                   "--truth is not given in the checkpoint and given here");
}

TEST_F(CheckpointMistakes, ATraceCannotBeginInTheMiddle) {
    expect_refused({"--restore", file_.string(), "--trace", (folder_ / "trace").string()},
                   "--trace is not given in the checkpoint and given with program htm, "
                   "stimuli, stall here");
}

TEST_F(CheckpointMistakes, AWaveformCannotBeginInTheMiddle) {
    expect_refused({"--restore", file_.string(), "--vcd", (folder_ / "wave").string(),
                    "--vcd-groups", "hpm", "--vcd-from", "7000"},
                   "--vcd is not given in the checkpoint and given with groups hpm from cycle 7000 "
                   "to the end here");
}

TEST_F(CheckpointMistakes, AnotherProgramIsNamed) {
    const differential::ProcessResult result = differential::run_process(
        {PES_VP_PATH, "run", PES_FIRMWARE "/hello.elf", "--restore", file_.string()},
        std::chrono::seconds(60), differential::ErrorStream::WithOutput);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.output.find("the program is crc32"), std::string::npos) << result.output;
}

TEST_F(CheckpointMistakes, CyclesThatArePast) {
    expect_refused({"--restore", file_.string(), "--max-cycles", "5000"}, "expected a later one");
    const std::filesystem::path other = folder_ / "b.ckpt";
    expect_refused({"--restore", file_.string(), "--checkpoint-at", "77", other.string()},
                   "--checkpoint-at 77: the checkpoint that is restored is of cycle 500");
    EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(CheckpointMistakes, ForeignAndMissingFiles) {
    expect_refused({"--restore", PES_FIRMWARE "/hello.elf"}, "is no checkpoint of pes-vp");
    expect_refused({"--restore", (folder_ / "none").string()}, "none");
    std::filesystem::resize_file(file_, std::filesystem::file_size(file_) - 1);
    expect_refused({"--restore", file_.string()}, "is damaged: its checksum is wrong");
}

TEST_F(CheckpointMistakes, PlacesThatAreNone) {
    const std::filesystem::path other = folder_ / "b.ckpt";
    for (const auto& [when, sentence] :
         {std::pair{"no_such_symbol", "there is no symbol 'no_such_symbol'"},
          std::pair{"12x", "got '12x', expected a number of cycles"},
          std::pair{"pc=main", "expected an address behind pc="}}) {
        expect_refused({"--checkpoint-at", when, other.string()}, sentence);
    }
    EXPECT_FALSE(std::filesystem::exists(other));
}

TEST_F(CheckpointMistakes, AnEndBeforeTheCheckpointIsTold) {
    const std::filesystem::path other = folder_ / "b.ckpt";
    const differential::ProcessResult result =
        run({"--checkpoint-at", "9000000000", other.string()});
    EXPECT_EQ(result.exit_code, 0) << result.output;
    EXPECT_NE(result.output.find("no checkpoint, because the run has ended"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(other));
}

} // namespace
} // namespace pes::paths
