// SPDX-License-Identifier: Apache-2.0
// The bound of a block's cycles: what can delay the decode of its last instruction counts, and
// nothing else. That it holds, each recorded block checks (the hart aborts if one takes longer).
#include "assembler.h"

#include "hw/core/arch/decode.h"
#include "hw/core/blocks/block_cycles.h"

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

TEST_F(BlockCycle, AsManyFitAsHaveRoom) {
    const std::vector<Instruction> block =
        decoded({ld(t0, a0, 0), addi(t1, t0, 1), sd(t1, a0, 0), addi(a0, a0, 8), addi(t2, t2, 1),
                 ld(t0, a0, 0), beq(t0, t1, 8)});
    BlockCycles cycles(config);
    Address pc = kLine;
    std::vector<std::uint32_t> decoded_within;
    for (const Instruction& instruction : block) {
        cycles.add(instruction, pc);
        pc += instruction.length;
        decoded_within.push_back(static_cast<std::uint32_t>(cycles.until_last_decode()));
    }
    for (std::size_t count = 0; count != block.size(); ++count) {
        const Cycle most = decoded_within[count];
        EXPECT_EQ(most_within(decoded_within, most), count) << "ends in the last cycle";
        EXPECT_EQ(most_within(decoded_within, most + 1), count + 1);
    }
}

} // namespace
} // namespace pes::test
