// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/store.h"

#include "tests/unit/common/temporary_directory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

namespace pes::lab {
namespace {

using test::TemporaryDirectory;
using test::user_error;
using ::testing::HasSubstr;

PointResult point(const std::string& key) {
    return {.key = key,
            .run = "r",
            .method = "exact",
            .event = "load",
            .period = 7,
            .spread = 20,
            .seed = ~std::uint64_t{0} >> 1,
            .samples = 3,
            .lost = 1,
            .host_seconds = 0.5,
            .errors = {{GroupBy::Block, {0.5, 0.25, 0.375, 0.25}}}};
}

class LabStore : public ::testing::Test {
  protected:
    std::filesystem::path file(const char* name) const { return directory_.path() / name; }

    TemporaryDirectory directory_;
};

TEST_F(LabStore, WhatIsStoredComesBack) {
    {
        Store store(file("a.sqlite"));
        store.add(RunResult{"r", "p", "s", 10, 9, 8, 0.25, {}});
        store.add_event("r", "load", 5);
        store.add(point("k"));
        store.add(CostResult{"c", "lcofi", 300, 100, 4, 1});
        store.add_skids("d", {{.key = "d",
                               .name = "n",
                               .event = "cycle",
                               .crossings = 2,
                               .delivered = 2,
                               .located = 2,
                               .at_cause = 1,
                               .wrong_line = 1,
                               .wrong_block = 1,
                               .wrong_function = 0,
                               .instructions = {{-1, 1}, {3, 1}},
                               .cycles = {{9, 2}}}});
    }
    Store store(file("a.sqlite"));
    EXPECT_EQ(store.run("r")->half_words, 8U);
    EXPECT_EQ(store.run("r")->events, (std::map<std::string, std::uint64_t>{{"load", 5}}));
    const PointResult found = store.point("k").value();
    EXPECT_EQ(found.seed, point("k").seed);
    EXPECT_EQ(found.errors, point("k").errors);
    EXPECT_EQ(store.cost("c")->cycles_per_sample(), 50);
    const SkidResult skid = store.skids("d").at(0);
    EXPECT_EQ(skid.instructions, (SkidResult::Histogram{{-1, 1}, {3, 1}}));
    EXPECT_EQ(skid.cycles, (SkidResult::Histogram{{9, 2}}));
    EXPECT_EQ(skid.at_cause, 1U);
    EXPECT_TRUE(store.has_point("k"));
    EXPECT_FALSE(store.has_point("l"));
    EXPECT_FALSE(store.run("x"));
    EXPECT_FALSE(store.cost("x"));
    EXPECT_TRUE(store.skids("x").empty());
}

TEST_F(LabStore, AKilledProcessLosesNothingThatWasAdded) {
    const pid_t child = ::fork();
    if (child == 0) {
        Store store(file("a.sqlite"));
        store.add(point("k"));
        ::kill(::getpid(), SIGKILL);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(Store(file("a.sqlite")).has_point("k"));
}

TEST_F(LabStore, MergingTakesWhatIsNotThere) {
    {
        Store other(file("b.sqlite"));
        other.add(point("k"));
        other.add(point("l"));
    }
    Store store(file("a.sqlite"));
    store.add(point("k"));
    store.merge(file("b.sqlite"));
    store.merge(file("b.sqlite"));
    EXPECT_TRUE(store.has_point("l"));
    EXPECT_EQ(store.point("l")->errors, point("l").errors);
}

TEST_F(LabStore, WhatIsNotAFileOfResultsIsRefused) {
    directory_.write("text", std::string(4096, 'x'));
    EXPECT_THAT(user_error([&] { Store store(file("text")); }), HasSubstr("not a database"));
    {
        Store store(file("a.sqlite"));
        Database database(file("a.sqlite"));
        database.execute("UPDATE lab SET value = '9'");
    }
    EXPECT_THAT(user_error([&] { Store store(file("a.sqlite")); }),
                HasSubstr("are of version 9, expected 1"));
}

TEST_F(LabStore, ATransactionThatIsNotCommittedIsUndone) {
    Database database(file("a.sqlite"));
    database.execute("CREATE TABLE t (n INTEGER)");
    {
        const Transaction transaction(database);
        database.execute("INSERT INTO t VALUES (1)");
    }
    EXPECT_FALSE(Statement(database, "SELECT n FROM t").step());
}

} // namespace
} // namespace pes::lab
