// SPDX-License-Identifier: Apache-2.0
// The write buffer and its port to memory: CVA6 v5.3.0 sends a write every 3 cycles, holds two in
// the queue in front of the port, and keeps memory busy for 3 cycles with a refill of 16 bytes.
#include "hw/core/timing/memory/write_buffer.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

constexpr Address kWord = 0x8000'0000;

struct BufferBench : WriteBuffer {
    BufferBench() : WriteBuffer(TimingConfig{}, tables) {}
    Tables tables{TimingConfig{}};
};

/// `count` stores to as many words, one a cycle; the first is sent one cycle after `from`.
void store_run(BufferBench& buffer, unsigned count, Cycle from) {
    for (Cycle index = 0; index < count; ++index) {
        buffer.accept(kWord + index * 8, 8, from + index, 0);
    }
}

TEST(WriteBufferPort, ARefillOfAnIdlePortGoesOutAtOnce) {
    BufferBench buffer;
    EXPECT_EQ(buffer.refill_data(100), 100u);
    EXPECT_EQ(buffer.refill_instructions(200), 200u);
}

TEST(WriteBufferPort, ADataRefillWaitsForTheWriteThatMemoryIsBusyWith) {
    BufferBench buffer;
    store_run(buffer, 1, 99); // sent in 100
    EXPECT_EQ(buffer.refill_data(101), 103u);
}

TEST(WriteBufferPort, ADataRefillOvertakesTheLastWriteInFrontOfMemory) {
    BufferBench buffer;
    store_run(buffer, 4, 99); // sent in 100, 103, 106, 109
    EXPECT_EQ(buffer.refill_data(104), 109u);
}

TEST(WriteBufferPort, AnInstructionRefillWaitsForTheWritesThatHaveTheirTurn) {
    BufferBench buffer;
    store_run(buffer, 4, 99);                         // sent in 100, 103, 106, 109
    EXPECT_EQ(buffer.refill_instructions(103), 109u); // the third has its turn from 102 on
}

/// With writes sent in 0, 3, 6 the core sends a refill that asks in 3 in 9: the second write was at
/// the front already, and the third is there too when the second has gone, with no refill waiting
/// when that was chosen.
TEST(WriteBufferPort, AnInstructionRefillThatComesWithAWriteGoesBehindTheNext) {
    BufferBench buffer;
    store_run(buffer, 4, 99); // sent in 100, 103, 106, 109
    EXPECT_EQ(buffer.refill_instructions(104), 109u);
    EXPECT_EQ(buffer.empty_from(), 117u); // the last write in 112
}

TEST(WriteBufferPort, CodeGoesBeforeDataIfItWaitedWhenTheWriteBeforeThemWasChosen) {
    BufferBench idle;
    EXPECT_EQ(idle.code_before_data(100), 99u);
    BufferBench buffer;
    store_run(buffer, 2, 99); // sent in 100, 103, the second offered in 102
    EXPECT_EQ(buffer.code_before_data(103), 102u);
}

TEST(WriteBufferPort, CodeThatWentLastGoesFirstAgainWhenBothComeTogether) {
    BufferBench buffer;
    buffer.refill_instructions(90);
    EXPECT_EQ(buffer.code_before_data(100), 100u);
}

TEST(WriteBufferPort, AnAtomicKeepsMemoryBusy) {
    BufferBench buffer;
    AtomicRequest atomic{.head = 99, .interval = 6};
    buffer.send(atomic);
    EXPECT_EQ(buffer.refill_instructions(102), 106u);
}

/// A store that retired in 597 behind a load of the same line that asked memory in 599.
TEST(WriteBufferPort, AWriteToALineThatIsReadWaitsForTheData) {
    BufferBench buffer;
    buffer.accept(kWord, 8, 598, 0);
    buffer.refill_data(599);
    buffer.read_line(kWord + 8, 599, 604);
    EXPECT_EQ(buffer.empty_from(), 609u);
}

TEST(WriteBufferPort, AWriteThatARefillOvertakesIsSentLater) {
    BufferBench plain;
    store_run(plain, 4, 99);
    BufferBench delayed;
    store_run(delayed, 4, 99);
    delayed.refill_data(104);
    EXPECT_EQ(delayed.empty_from(), plain.empty_from() + 3);
}

TEST(WriteBufferPort, RefillsOfBothCachesFollowEachOtherInThreeCycles) {
    BufferBench buffer;
    buffer.refill_instructions(100);
    EXPECT_EQ(buffer.refill_data(101), 103u);
}

TEST(WriteBufferPort, ARefillThatAskedEarlierIsNotHeldByALaterOne) {
    BufferBench buffer;
    buffer.refill_data(102);
    EXPECT_EQ(buffer.refill_instructions(101), 101u);
}

TEST(WriteBuffer, AReadWaitsForAWriteToItsLineThatIsOnItsWayOnly) {
    BufferBench buffer;
    store_run(buffer, 1, 99); // sent in 100, back in 105
    EXPECT_EQ(buffer.line_written_by(kWord + 8, 100), 100u);
    EXPECT_EQ(buffer.line_written_by(kWord + 8, 101), 106u);
    EXPECT_EQ(buffer.line_written_by(kWord + 16, 101), 101u);
    EXPECT_EQ(buffer.line_written_by(kWord, 105), 106u);
    EXPECT_EQ(buffer.line_written_by(kWord, 106), 106u);
}

TEST(WriteBuffer, AStoreToAWordInFlightIsSentAgain) {
    BufferBench buffer;
    buffer.accept(kWord, 8, 99, 0);
    const Cycle once = buffer.empty_from();
    buffer.accept(kWord, 8, 100, 0); // the first write has been taken
    EXPECT_GT(buffer.empty_from(), once);
}

TEST(WriteBuffer, AWordThatIsSentAgainAsksInTheCycleBehindTheFirstAnswer) {
    BufferBench buffer;
    buffer.accept(kWord, 8, 99, 0);  // sent in 100, back in 105
    buffer.accept(kWord, 8, 101, 0); // sent again in 106, back in 111
    EXPECT_EQ(buffer.empty_from(), 111u);
}

TEST(WriteBuffer, ANewWordGoesBeforeOneThatIsSentAgain) {
    BufferBench buffer;
    buffer.accept(kWord, 8, 99, 0);
    buffer.accept(kWord, 8, 101, 0); // to be sent in 106
    EXPECT_EQ(buffer.would_send(kWord + 8, 102), 103u);
    buffer.accept(kWord + 8, 8, 102, 0);
    EXPECT_EQ(buffer.word_free_from(kWord + 8, 103), 108u);
    EXPECT_EQ(buffer.word_free_from(kWord, 103), 111u);
}

TEST(WriteBuffer, StoresToAWordKeepItsAnswerWaitingForTheTags) {
    BufferBench buffer;
    for (Cycle cycle = 99; cycle < 120; ++cycle) {
        buffer.accept(kWord, 8, cycle, 0); // the last in 119: the lookup under way ends in 121
    }
    EXPECT_EQ(buffer.empty_from(), 127u);
}

unsigned pieces_of(unsigned bytes) {
    return kPieces.count[bytes];
}

/// toSize64() in wt_cache_pkg.sv; the last one is the example of wt_dcache_wbuffer.sv.
TEST(WritePieces, AlignedOnesGoAsOneOthersByteByByte) {
    EXPECT_EQ(pieces_of(0b1111'1111), 1u);
    EXPECT_EQ(pieces_of(0b1111'0000), 1u);
    EXPECT_EQ(pieces_of(0b0000'1100), 1u);
    EXPECT_EQ(pieces_of(0b0100'0000), 1u);
    EXPECT_EQ(pieces_of(0b0000'0110), 2u);
    EXPECT_EQ(pieces_of(0b0011'1100), 3u);
    EXPECT_EQ(pieces_of(0b0011'1001), 3u);
}

/// The answer takes 5 cycles, and the next piece is sent in the cycle behind it.
constexpr Cycle kPiece = 6;

TEST(WriteBuffer, AWordThatIsNotAlignedIsSentInPieces) {
    BufferBench buffer;
    buffer.accept(kWord + 2, 4, 99, 0); // 2, 3 and 4..5, the first in 100
    EXPECT_EQ(buffer.empty_from(), 105u + 2 * kPiece);
    buffer.accept(kWord + 8 + 2, 8, 199, 0); // all of a double word, wherever it begins
    EXPECT_EQ(buffer.empty_from(), 205u);
}

TEST(WriteBuffer, OtherWordsGoBetweenThePieces) {
    BufferBench buffer;
    buffer.accept(kWord + 1, 2, 99, 0); // 1 in 100, 2 in 106
    buffer.accept(kWord + 8, 8, 100, 0);
    EXPECT_EQ(buffer.word_free_from(kWord + 8, 101), 108u); // sent in 103
    EXPECT_EQ(buffer.word_free_from(kWord, 101), 105u + kPiece);
}

TEST(WriteBuffer, BytesThatJoinAWordThatWaitsAreSentWithIt) {
    BufferBench buffer;
    buffer.accept(kWord, 1, 99, 0);      // sent in 100
    buffer.accept(kWord + 2, 1, 101, 0); // to be sent in 106
    buffer.accept(kWord + 3, 1, 102, 0); // with it
    EXPECT_EQ(buffer.empty_from(), 105u + kPiece);
    buffer.accept(kWord + 5, 1, 103, 0); // 2, 3 and 5 are pieces now
    EXPECT_EQ(buffer.empty_from(), 105u + 3 * kPiece);
    buffer.accept(kWord + 4, 1, 104, 0); // 2, 3 and 4..5; the first answer waits for the tags
    EXPECT_EQ(buffer.empty_from(), 106u + 3 * kPiece);
    buffer.accept(kWord, 8, 105, 0); // one again
    EXPECT_EQ(buffer.empty_from(), 107u + kPiece);
}

} // namespace
} // namespace pes
