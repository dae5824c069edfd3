// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/waves/o3_writer.h"

#include "tests/unit/common/temporary_directory.h"

#include <gmock/gmock.h>

namespace pes {
namespace {

using End = LoggedInstruction::End;

class O3 : public ::testing::Test {
  protected:
    template <typename Record>
    std::string file_of(unsigned threads, Record record) {
        OutputFile file(directory_ / "pipeline.o3");
        O3Writer writer(file, threads);
        record(writer, file);
        writer.finish();
        file.commit();
        return test::read_file(directory_ / "pipeline.o3");
    }

    static LoggedInstruction retired(Cycle from, unsigned thread = 0) {
        return {.thread = thread,
                .pc = 0x8000'0000,
                .text = "addi a0,a0,1",
                .fetched = from,
                .offered = from + 3,
                .decode = from + 4,
                .issue = from + 6,
                .complete = from + 8,
                .last = from + 9};
    }

    test::TemporaryDirectory directory_;
};

TEST_F(O3, AnEmptyLogIsEmpty) {
    EXPECT_EQ(file_of(1, [](O3Writer&, OutputFile&) {}), "");
}

TEST_F(O3, TicksAreThousandsOfCycles) {
    EXPECT_EQ(file_of(1, [](O3Writer& writer, OutputFile&) { writer.add(retired(10)); }),
              "O3PipeView:fetch:10000:0x80000000:0:1:  addi a0,a0,1\n"
              "O3PipeView:decode:14000\n"
              "O3PipeView:rename:15000\n"
              "O3PipeView:dispatch:15000\n"
              "O3PipeView:issue:16000\n"
              "O3PipeView:complete:18000\n"
              "O3PipeView:retire:19000:store:0\n");
}

TEST_F(O3, WhereAFlushedInstructionDoesNotGetTheTickIsZero) {
    const std::string text = file_of(1, [](O3Writer& writer, OutputFile&) {
        LoggedInstruction traps = retired(10); // its trap is taken
        traps.how = End::Flushed;
        writer.add(traps);
        LoggedInstruction waits = retired(11); // in front of issue
        waits.how = End::Flushed;
        waits.issue = kNever;
        waits.complete.reset();
        writer.add(waits);
        waits.last = waits.decode; // just decoded
        writer.add(waits);
    });
    EXPECT_THAT(text, ::testing::HasSubstr("issue:16000\nO3PipeView:complete:18000\n"
                                           "O3PipeView:retire:0:store:0\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("dispatch:16000\nO3PipeView:issue:0\n"
                                           "O3PipeView:complete:0\nO3PipeView:retire:0:store:0\n"));
    EXPECT_THAT(text, ::testing::HasSubstr("decode:15000\nO3PipeView:rename:0\n"
                                           "O3PipeView:dispatch:0\nO3PipeView:issue:0\n"));
}

TEST_F(O3, InstructionsOfSeveralHartsAreInTheOrderOfTheirFetches) {
    const std::string text = file_of(2, [](O3Writer& writer, OutputFile& file) {
        writer.add(retired(50, 1));
        EXPECT_EQ(file.bytes(), 0U); // the other hart has not said anything
        writer.add(retired(10, 0));
        EXPECT_GT(file.bytes(), 0U);
    });
    EXPECT_THAT(text, ::testing::HasSubstr(":0:1:  addi a0,a0,1\nO3PipeView:thread:10000:0\n"));
    EXPECT_THAT(text, ::testing::HasSubstr(":0:2:  addi a0,a0,1\nO3PipeView:thread:50000:1\n"));
}

} // namespace
} // namespace pes
