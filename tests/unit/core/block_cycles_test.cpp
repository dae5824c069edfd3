// SPDX-License-Identifier: Apache-2.0
// The bound of a block's cycles: what can delay the decode of its last instruction counts, and
// nothing else. That it holds, each recorded block checks (the hart aborts if one takes longer).
#include "assembler.h"

#include "hw/core/arch/decode.h"
#include "hw/core/blocks/block_cycles.h"
#include "hw/core/blocks/memo.h"
#include "hw/core/timing/tables/cache.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace pes::test {
namespace {

constexpr Address kLine = 0x8000'0100; ///< the first instruction of a line of four

class BlockCycle : public testing::Test {
  protected:
    Cycle until_last_decode(std::initializer_list<Word> words, Address pc = kLine) const {
        return sum(words, pc).until_last_decode();
    }
    Cycle until_done(std::initializer_list<Word> words) const {
        return sum(words, kLine).until_done();
    }
    std::vector<Instruction> decoded(std::initializer_list<Word> words) const {
        std::vector<Instruction> instructions;
        for (const Word word : words) {
            instructions.push_back(decode(word));
        }
        return instructions;
    }

    TimingConfig config;

  private:
    BlockCycles sum(std::initializer_list<Word> words, Address pc) const {
        instructions_ = decoded(words);
        BlockCycles cycles(config);
        for (const Instruction& instruction : instructions_) {
            cycles.add(instruction, pc);
            pc += instruction.length;
        }
        return cycles;
    }
    mutable std::vector<Instruction> instructions_;
};

TEST_F(BlockCycle, AResultThatNobodyAwaitsDelaysNothing) {
    const Cycle plain = until_last_decode({addi(t0, t0, 1), addi(t1, t1, 1), addi(t2, t2, 1)});
    EXPECT_EQ(until_last_decode({ld(t0, a0, 0), addi(t1, t1, 1), addi(t2, t2, 1)}), plain);
    EXPECT_EQ(until_last_decode({sd(t0, a0, 0), addi(t1, t1, 1), addi(t2, t2, 1)}), plain);
    EXPECT_EQ(until_last_decode({addi(t1, t1, 1), addi(t2, t2, 1), ld(t0, a0, 0)}), plain)
        << "it is decoded, and that is all";
    EXPECT_EQ(until_last_decode({ld(t0, a0, 0), addi(t1, t1, 1), beq(t0, t2, 8)}), plain)
        << "the last one decodes before it waits";
}

TEST_F(BlockCycle, AMissCountsIfAnInstructionInBetweenAwaitsIt) {
    const Cycle plain = until_last_decode({ld(t0, a0, 0), addi(t1, t1, 1), addi(t2, t2, 1)});
    const Cycle miss = config.load_hit_cycles + config.miss_cycles();
    EXPECT_GE(until_last_decode({ld(t0, a0, 0), addi(t1, t0, 1), addi(t2, t2, 1)}), plain + miss)
        << "reads the result";
    EXPECT_GE(until_last_decode({ld(t0, a0, 0), addi(t0, t1, 1), addi(t2, t2, 1)}), plain + miss)
        << "writes the register, once the load has retired";
    EXPECT_GE(until_last_decode({ld(t0, a0, 0), ld(t1, a1, 0), addi(t2, t2, 1)}), plain + miss)
        << "uses the same port";
    EXPECT_GE(until_last_decode({ld(t0, a0, 0), sd(t1, a1, 0), addi(t2, t2, 1)}), plain + miss);
}

TEST_F(BlockCycle, ASecondWriterWaitsForRetirementInOrder) {
    const Cycle once =
        until_last_decode({ld(t0, a0, 0), addi(t1, t1, 1), addi(t2, t1, 1), addi(t3, t3, 1)});
    const Cycle twice =
        until_last_decode({ld(t0, a0, 0), addi(t1, t1, 1), addi(t1, t1, 1), addi(t3, t3, 1)});
    EXPECT_GE(twice, once + config.load_hit_cycles + config.miss_cycles());
}

TEST_F(BlockCycle, ALineBehindAnAccessIsFetchedBehindIt) {
    const auto words = {sd(t0, a0, 0), addi(t1, t1, 1), addi(t2, t2, 1)};
    EXPECT_GE(until_last_decode(words, kLine + 8),
              until_last_decode(words, kLine) + config.miss_cycles() + config.write_interval);
}

TEST_F(BlockCycle, AFullScoreboardWaitsForTheOldest) {
    config.scoreboard_entries = 2;
    const auto words = {ld(t0, a0, 0), addi(t1, t1, 1), addi(t2, t2, 1), addi(t3, t3, 1)};
    const Cycle few = until_last_decode(words);
    config.scoreboard_entries = 8;
    EXPECT_GE(few, until_last_decode(words) + config.load_hit_cycles + config.miss_cycles());
}

TEST_F(BlockCycle, WhatTheLastOneDoesMayWaitForAll) {
    const auto words = {ld(t0, a0, 0), sd(t1, a1, 0)};
    const Cycle write = config.write_interval + config.write_return_cycles + config.memory_latency;
    EXPECT_GE(until_done(words),
              until_last_decode(words) + config.load_hit_cycles + config.miss_cycles() + write);
}

/// A queue that is soon empty can make each instruction wait for its fetch.
TEST_F(BlockCycle, AShortQueueCanRunEmpty) {
    const auto words = {addi(t0, t0, 1), addi(t1, t1, 1), addi(t2, t2, 1)};
    const Cycle usual = until_last_decode(words);
    config.queue_entries = 2;
    EXPECT_EQ(until_last_decode(words),
              usual + words.size() * (config.lookup_cycles + config.queue_cycles));
}

/// A block as the memo has it, at kLine, whose lines of 16 bytes may be in L1I.
class BlockInLines : public BlockCycle {
  protected:
    BlockInLines()
        : words_(decoded({ld(t0, a0, 0), addi(t1, t0, 1), sd(t1, a0, 0), addi(a0, a0, 8),
                          addi(t2, t2, 1), ld(t0, a0, 0), addi(t3, t3, 1), addi(t4, t4, 1),
                          beq(t0, t1, 8)})) {
        BlockCycles cycles(config);
        for (const Instruction& instruction : words_) {
            cycles.add(instruction, kLine + 4 * bounds_.size());
            bounds_.push_back(static_cast<std::uint32_t>(cycles.until_last_decode()));
        }
    }
    const Block& block(bool across_pages = false) {
        return memo_.add_block({.pc = kLine,
                                .end = kLine + 4 * words_.size(),
                                .across_pages = across_pages,
                                .physical = kLine,
                                .longest = bounds_.back()},
                               words_, bounds_);
    }
    /// Its lines with these numbers are there.
    Cache with(std::initializer_list<unsigned> numbers) const {
        Cache lines(config.l1i);
        for (const unsigned number : numbers) {
            lines.access(kLine + number * config.l1i.line_bytes);
        }
        return lines;
    }
    Cycle bound(std::size_t count) const { return bounds_[count]; }

  private:
    std::vector<Instruction> words_;
    std::vector<std::uint32_t> bounds_;
    Memo memo_;
};

TEST_F(BlockInLines, AsManyFitAsHaveRoom) {
    const Cache lines = with({});
    const PresentLines present(lines, config);
    for (std::size_t count = 0; count != block().size(); ++count) {
        EXPECT_EQ(present.most_within(block(), bound(count)), count) << "ends in the last cycle";
        EXPECT_EQ(present.most_within(block(), bound(count) + 1), count + 1);
    }
    EXPECT_EQ(present.spared(block()), 0);
}

TEST_F(BlockInLines, ALineThatIsThereCannotMiss) {
    const Cache lines = with({0, 1, 2});
    const PresentLines present(lines, config);
    const Cycle miss = config.miss_cycles();
    EXPECT_EQ(present.spared(block()), 3 * miss);
    EXPECT_EQ(present.most_within(block(), bound(3) - miss), 3);
    EXPECT_EQ(present.most_within(block(), bound(3) - miss + 1), 4) << "the first line's last one";
    EXPECT_EQ(present.most_within(block(), bound(4) - 2 * miss), 4);
    EXPECT_EQ(present.most_within(block(), bound(4) - 2 * miss + 1), 5);
    EXPECT_EQ(present.most_within(block(), bound(8) - 3 * miss + 1), block().size());
}

/// The fill of a line can evict those that are fetched after it.
TEST_F(BlockInLines, BehindOneThatIsNotThereEachLineMayMiss) {
    const Cycle miss = config.miss_cycles();
    const Cache later = with({1, 2});
    EXPECT_EQ(PresentLines(later, config).spared(block()), 0);
    EXPECT_EQ(PresentLines(later, config).most_within(block(), bound(4)), 4);
    const Cache around = with({0, 2});
    EXPECT_EQ(PresentLines(around, config).spared(block()), miss);
    EXPECT_EQ(PresentLines(around, config).most_within(block(), bound(8) - miss), 8);
}

/// Whose second part is in a page that lies elsewhere.
TEST_F(BlockInLines, AnInstructionAcrossPagesIsTakenToMiss) {
    const Cache lines = with({0, 1, 2});
    EXPECT_EQ(PresentLines(lines, config).spared(block(true)), 0);
}

} // namespace
} // namespace pes::test
