// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/kanata_writer.h"

#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

#include <utility>

namespace pes {
namespace {

using End = LoggedInstruction::End;

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

    /// Fetched in `from`, decoded in the next cycle, then thrown away.
    static LoggedInstruction decoded(const char* text, Cycle from, unsigned thread = 0) {
        return {.thread = thread,
                .text = text,
                .detail = "d",
                .fetched = from,
                .offered = from + 1,
                .decode = from + 1,
                .last = from + 1,
                .how = End::Flushed};
    }
    /// Issued in the cycle after that, executed in the next, retired in `last`.
    static LoggedInstruction simple(const char* text, Cycle from, Cycle last) {
        LoggedInstruction instruction = decoded(text, from);
        instruction.issue = from + 2;
        instruction.complete = from + 4;
        instruction.last = last;
        instruction.how = End::Retired;
        return instruction;
    }

    test::TemporaryDirectory directory_;
};

TEST_F(Kanata, AnEmptyLogHasAHeader) {
    EXPECT_EQ(file_of(1, [](KanataWriter&, OutputFile&) {}), "Kanata\t0004\n");
}

TEST_F(Kanata, EventsOfOverlappingInstructionsAreInTheOrderOfCycles) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        writer.add(simple("a", 7, 11));
        writer.add(decoded("b", 8));
        writer.add(simple("c", 9, 14));
    });
    EXPECT_EQ(text, "Kanata\t0004\n"
                    "C=\t7\n"
                    "I\t0\t0\t0\nL\t0\t0\t0x0: a\nL\t0\t1\td\nS\t0\t0\tF\n"
                    "C\t1\n"
                    "S\t0\t0\tDc\n"
                    "I\t1\t1\t0\nL\t1\t0\t0x0: b\nL\t1\t1\td\nS\t1\t0\tF\n"
                    "C\t1\n"
                    "S\t0\t0\tIs\n"
                    "S\t1\t0\tDc\n"
                    "I\t2\t2\t0\nL\t2\t0\t0x0: c\nL\t2\t1\td\nS\t2\t0\tF\n"
                    "C\t1\n"
                    "S\t0\t0\tX\n"
                    "R\t1\t0\t1\n"
                    "S\t2\t0\tDc\n"
                    "C\t1\n"
                    "S\t0\t0\tCm\n"
                    "S\t2\t0\tIs\n"
                    "C\t1\n"
                    "R\t0\t0\t0\n"
                    "S\t2\t0\tX\n"
                    "C\t1\n"
                    "S\t2\t0\tWt\n"
                    "C\t1\n"
                    "S\t2\t0\tCm\n"
                    "C\t1\n"
                    "R\t2\t1\t0\n");
}

TEST_F(Kanata, AnArrowIsDrawnWhenTheReaderExecutes) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        const LoggedInstruction::Handle writes = writer.add(simple("writes", 1, 5));
        const LoggedInstruction::Handle other = writer.add(simple("other", 2, 6));
        LoggedInstruction reads = simple("reads", 3, 7);
        reads.producers = {writes, other};
        writer.add(std::move(reads));
    });
    EXPECT_THAT(text, ::testing::HasSubstr("W\t2\t0\t0\nW\t2\t1\t0\nS\t2\t0\tX\n"));
}

/// A load that is asked for in the cycle of its issue, and one without a stage behind issue.
TEST_F(Kanata, AnArrowNeedsNoStageOfItsOwn) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        const LoggedInstruction::Handle writes = writer.add(simple("writes", 1, 5));
        LoggedInstruction load = simple("load", 2, 9);
        load.request = 5;
        load.complete = 9;
        load.producers = {writes};
        writer.add(std::move(load));
        LoggedInstruction traps = simple("traps", 3, 5);
        traps.complete.reset();
        traps.how = End::Flushed;
        traps.producers = {writes};
        writer.add(std::move(traps));
    });
    EXPECT_THAT(text, ::testing::HasSubstr("W\t1\t0\t0\nS\t1\t0\tXm\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("W\t2\t0\t0\nR\t2\t"));
}

TEST_F(Kanata, IdsFollowTheFileAndNotTheHarts) {
    const std::string text = file_of(2, [](KanataWriter& writer, OutputFile&) {
        writer.add(decoded("late", 50, 1));
        writer.add(decoded("early", 10, 0));
    });
    EXPECT_LT(text.find("I\t0\t1\t0\nL\t0\t0\t0x0: early"),
              text.find("I\t1\t0\t1\nL\t1\t0\t0x0: late"));
    EXPECT_THAT(text, ::testing::HasSubstr("R\t0\t0\t1\nC\t38\nI\t1"));
}

TEST_F(Kanata, WhatNoThreadCanPrecedeIsWrittenAtOnce) {
    file_of(2, [](KanataWriter& writer, OutputFile& file) {
        writer.add(decoded("a", 10, 0));
        writer.add(decoded("b", 20, 0));
        EXPECT_EQ(file.bytes(), 0U); // the other hart has not said anything
        writer.add(decoded("c", 15, 1));
        const std::uint64_t first = file.bytes();
        EXPECT_GT(first, 0U); // "a"
        writer.end(1);
        EXPECT_GT(file.bytes(), first); // "c", too
    });
}

TEST_F(Kanata, TabsAndNewlinesOfTextsBecomeBlanks) {
    const std::string text = file_of(1, [](KanataWriter& writer, OutputFile&) {
        LoggedInstruction instruction = decoded("add\ta0,\na1", 1);
        instruction.detail = "x\ty";
        writer.add(std::move(instruction));
    });
    EXPECT_THAT(text, ::testing::HasSubstr(": add a0, a1\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("\tx y\n"));
}

} // namespace
} // namespace pes
