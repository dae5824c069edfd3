// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/job_runner.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

namespace pes::lab {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

class LabJobRunner : public ::testing::Test {
  protected:
    Job shell(const std::string& label, const std::string& script) {
        return {
            label, {"/bin/sh", "-c", script}, [this, label](double) { done_.push_back(label); }};
    }

    TemporaryDirectory directory_;
    Progress progress_{true};
    JobRunner runner_{2, directory_.path(), progress_};
    std::vector<std::string> done_;
};

TEST_F(LabJobRunner, EveryJobIsRunOnce) {
    EXPECT_TRUE(runner_.run({shell("a", "exit 0"), shell("b", ":"), shell("c", ":")}));
    EXPECT_THAT(done_, UnorderedElementsAre("a", "b", "c"));
    EXPECT_TRUE(runner_.run({}));
}

TEST_F(LabJobRunner, AFailureWaitsForWhatRunsAndStartsNothingMore) {
    // The good one ends behind the bad one: /proc has a process until the runner knows of its end.
    const std::string pid = (directory_.path() / "pid").string();
    const std::string said = user_error([&] {
        runner_.run(
            {shell("good", "while [ ! -e " + pid + " ]; do :; done; while [ -d /proc/$(cat " + pid +
                               ") ]; do :; done"),
             shell("bad", "echo why >&2; echo $$ >" + pid + ".new; mv " + pid + ".new " + pid +
                              "; exit 3"),
             shell("never", ":")});
    });
    EXPECT_THAT(said, HasSubstr("bad: exit code 3 of '/bin/sh -c "));
    EXPECT_THAT(said, HasSubstr("': why"));
    EXPECT_EQ(done_.size(), std::size_t(std::ranges::count(done_, "good")));
    EXPECT_EQ(std::ranges::count(done_, "never"), 0);
}

TEST_F(LabJobRunner, ASignalIsAFailureToo) {
    EXPECT_THAT(user_error([&] { runner_.run({shell("shot", "kill -9 $$")}); }),
                HasSubstr("shot: exit code 137"));
    EXPECT_THAT(user_error([&] {
                    runner_.run({{"none", {"/nowhere/command"}, [](double) {}}});
                }),
                HasSubstr("none: exit code 127"));
}

} // namespace
} // namespace pes::lab
