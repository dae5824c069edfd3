// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/kanata_writer.h"

#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

#include <utility>

namespace pes {
namespace {

using End = KanataInstruction::End;

class Kanata : public ::testing::Test {
  protected:
    /// What `record` does to a writer, as the finished file.
    template <typename Record>
    std::string file_of(unsigned threads, Record record) {
        OutputFile file(directory_ / "pipeline.kanata");
        KanataWriter writer(file, threads);
        record(writer, file);
        writer.finish();
        file.commit();
        return test::read_file(directory_ / "pipeline.kanata");
    }

    /// Fetched in `from`, executed in the next cycle.
    static KanataInstruction simple(const char* label, Cycle from, Cycle end, unsigned thread = 0,
                                    End how = End::Retired) {
        return {.thread = thread,
                .label = label,
                .detail = "d",
                .stages = {{.from = from, .name = "F"}, {.from = from + 1, .name = "X"}},
                .end = end,
                .how = how};
    }

    test::TemporaryDirectory directory_;
};

TEST_F(Kanata, AnEmptyLogHasAHeader) {
    EXPECT_EQ(file_of(1, [](KanataWriter&, OutputFile&) {}), "Kanata\t0004\n");
}

TEST_F(Kanata, EventsOfOverlappingInstructionsAreInTheOrderOfCycles) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        writer.add(simple("a", 7, 12));
        writer.add(simple("b", 8, 12));
        writer.add(simple("c", 9, 11, 0, End::Flushed));
    });
    EXPECT_EQ(text, "Kanata\t0004\n"
                    "C=\t7\n"
                    "I\t0\t0\t0\nL\t0\t0\ta\nL\t0\t1\td\nS\t0\t0\tF\n"
                    "C\t1\n"
                    "S\t0\t0\tX\n"
                    "I\t1\t1\t0\nL\t1\t0\tb\nL\t1\t1\td\nS\t1\t0\tF\n"
                    "C\t1\n"
                    "S\t1\t0\tX\n"
                    "I\t2\t2\t0\nL\t2\t0\tc\nL\t2\t1\td\nS\t2\t0\tF\n"
                    "C\t1\n"
                    "S\t2\t0\tX\n"
                    "C\t1\n"
                    "R\t2\t0\t1\n"
                    "C\t1\n"
                    "R\t0\t0\t0\n"
                    "R\t1\t1\t0\n");
}

TEST_F(Kanata, IdsFollowTheFileAndNotTheHarts) {
    const std::string text = file_of(2, [](KanataWriter& writer, OutputFile&) {
        writer.add(simple("late", 50, 52, 1));
        writer.add(simple("early", 10, 12, 0));
    });
    EXPECT_LT(text.find("I\t0\t1\t0\nL\t0\t0\tearly"), text.find("I\t1\t0\t1\nL\t1\t0\tlate"));
    EXPECT_THAT(text, ::testing::HasSubstr("R\t0\t0\t0\nC\t38\nI\t1"));
    EXPECT_THAT(text, ::testing::HasSubstr("R\t1\t1\t0\n"));
}

TEST_F(Kanata, WhatNoThreadCanPrecedeIsWrittenAtOnce) {
    file_of(2, [](KanataWriter& writer, OutputFile& file) {
        writer.add(simple("a", 10, 12, 0));
        writer.add(simple("b", 20, 22, 0));
        EXPECT_EQ(file.bytes(), 0U); // the other hart has not said anything
        writer.add(simple("c", 15, 17, 1));
        const std::uint64_t first = file.bytes();
        EXPECT_GT(first, 0U); // "a"
        writer.end(1);
        EXPECT_GT(file.bytes(), first); // "c", too
    });
}

TEST_F(Kanata, TabsAndNewlinesOfTextsBecomeBlanks) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        KanataInstruction instruction = simple("add\ta0,\na1", 1, 4);
        instruction.detail = "x\ty";
        writer.add(std::move(instruction));
    });
    EXPECT_THAT(text, ::testing::HasSubstr("\tadd a0, a1\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("\tx y\n"));
}

} // namespace
} // namespace pes
