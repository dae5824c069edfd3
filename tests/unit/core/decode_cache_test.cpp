// SPDX-License-Identifier: Apache-2.0
// The decode cache has a bound, and what a hart does is the same whatever the bound, also where
// stores change code and no fence.i tells the hart about it.
#include "hw/core/arch/decode.h"
#include "hw/core/memory/decode_cache.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

constexpr Address kPage = 0x1000;

// --- The cache ----------------------------------------------------------------------------------

TEST(DecodeCache, CondensedSlotsKeepTheirWords) {
    DecodeCache cache(2);
    DecodedPage& page = cache.page(kPage);
    page.slots[0] = decode(addi(a0, a0, 1));
    page.slots[7] = decode(kCompressedNop);
    page.slots[2047] = decode(0); // illegal, but decoded
    cache.condense();
    const DecodedPage& again = cache.page(kPage);
    EXPECT_EQ(again.slots[0].execute, nullptr);
    ASSERT_NE(again.condensed, nullptr);
    EXPECT_EQ(again.condensed->word(0), addi(a0, a0, 1));
    EXPECT_EQ(again.condensed->word(7), kCompressedNop);
    EXPECT_EQ(again.condensed->word(2047), 0U);
    EXPECT_EQ(again.condensed->word(1), std::nullopt);
    EXPECT_EQ(cache.page(2 * kPage).condensed, nullptr);
}

TEST(DecodeCache, ASecondCondensationAddsToTheFirst) {
    DecodeCache cache(2);
    cache.page(kPage).slots[5] = decode(addi(a0, a0, 1));
    cache.page(kPage).slots[9] = decode(addi(a0, a0, 2));
    cache.condense();
    cache.page(kPage).slots[5] = decode(addi(a0, a0, 3)); // as where protection is not uniform
    cache.page(kPage).slots[6] = decode(addi(a0, a0, 4));
    cache.condense();
    const CondensedPage& condensed = *cache.page(kPage).condensed;
    EXPECT_EQ(condensed.word(5), addi(a0, a0, 3));
    EXPECT_EQ(condensed.word(6), addi(a0, a0, 4));
    EXPECT_EQ(condensed.word(9), addi(a0, a0, 2));
}

TEST(DecodeCache, AFlushForgetsWhatIsCondensedToo) {
    DecodeCache cache(2);
    cache.page(kPage).slots[5] = decode(addi(a0, a0, 1));
    cache.condense();
    cache.page(kPage).slots[6] = decode(addi(a0, a0, 1));
    cache.page(2 * kPage).slots[6] = decode(addi(a0, a0, 1));
    cache.flush();
    cache.page(2 * kPage).slots[7] = decode(addi(a0, a0, 1));
    cache.condense(); // the first page is from before the flush
    EXPECT_EQ(cache.page(kPage).condensed, nullptr);
    const CondensedPage& condensed = *cache.page(2 * kPage).condensed;
    EXPECT_EQ(condensed.word(6), std::nullopt);
    EXPECT_NE(condensed.word(7), std::nullopt);
}

TEST(DecodeCache, IsFullAtItsBound) {
    DecodeCache cache(3);
    for (Address page = 0; page < 3; ++page) {
        EXPECT_FALSE(cache.full());
        cache.page(page * kPage);
    }
    EXPECT_TRUE(cache.full());
    cache.condense();
    EXPECT_FALSE(cache.full());
}

// --- A hart -------------------------------------------------------------------------------------

constexpr Address kFirst = BareMachine::kRam + 0x2'0000;
constexpr unsigned kPages = 24;
constexpr unsigned kTargets = 40; ///< words into a page, at most, where it is entered

Address somewhere(std::mt19937& random) {
    return kFirst + random() % kPages * kPage + Address{4} * (random() % kTargets);
}

Word jump_from(Address pc, Address to) {
    return jal(zero, static_cast<std::int32_t>(to) - static_cast<std::int32_t>(pc));
}

/// Arithmetic, accesses to RAM and to a device, reads of a counter, stores of `addi a3, a3, 16`
/// into code, and now and then a fence.i.
Word random_instruction(std::mt19937& random) {
    switch (random() % 24) {
    case 0:
    case 1:
        return sw(s3, s4, static_cast<std::int32_t>(4 * (random() % kTargets)));
    case 2:
        return sw(s3, s5, static_cast<std::int32_t>(4 * (random() % kTargets)));
    case 3:
        return lw(a2, a6, 0);
    case 4:
        return csrr(a1, csr::kMcycle);
    case 5:
        return random() % 8 == 0 ? kFenceI : kNop;
    default:
        return random_plain_instruction(random);
    }
}

/// Pages that jump to one another, and change one another.
void place_pages(BareMachine& machine, unsigned seed) {
    std::mt19937 random(seed);
    machine.set(s3, addi(a3, a3, 16));
    machine.set(s4, kFirst + random() % kPages * kPage);
    machine.set(s5, kFirst + random() % kPages * kPage);
    machine.place(BareMachine::kCode, {jump_from(BareMachine::kCode, kFirst)});
    for (unsigned page = 0; page < kPages; ++page) {
        const Address begin = kFirst + page * kPage;
        std::vector<Word> words(kTargets + random() % 16);
        std::ranges::generate(words, [&] { return random_instruction(random); });
        words.push_back(kNop); // where a branch at the end lands
        words.push_back(kNop);
        const Address end = machine.place(begin, words);
        machine.place(end, {jump_from(end, somewhere(random))});
    }
}

TEST(HartDecodeCache, LivesDoNotDependOnTheBound) {
    for (unsigned seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        const auto live = [seed](std::size_t decoded_pages, ExecutionPath path, Cycle step) {
            HartConfig config = BareMachine::default_config();
            config.decoded_pages = decoded_pages;
            config.path = path;
            config.sources = kAllEvents;
            return live_unobserved(
                config, [seed](BareMachine& machine) { place_pages(machine, seed); }, step);
        };
        const Life unbounded = live(1000, ExecutionPath::Step, kLifetime);
        EXPECT_GT(unbounded.instret, 1000U);
        for (const std::size_t pages : {1, 2, 5}) {
            SCOPED_TRACE(pages);
            expect_equal(unbounded, live(pages, ExecutionPath::Step, kLifetime));
            expect_equal(unbounded, live(pages, ExecutionPath::Fast, kLifetime));
            expect_equal(unbounded, live(pages, ExecutionPath::Fast, 211));
        }
    }
}

TEST(HartDecodeCache, StaleCodeStaysUntilFenceI) {
    for (const bool fence : {false, true}) {
        HartConfig config = BareMachine::default_config();
        config.decoded_pages = 1;
        BareMachine machine(config);
        constexpr Address kOther = kFirst + kPage;
        // Twice through both pages, which evict each other; in between the first is overwritten.
        machine.set(s3, addi(a3, a3, 16));
        machine.set(s4, kFirst);
        machine.set(a4, 2);
        const Word barrier = fence ? kFenceI : kNop;
        machine.place(kFirst, {addi(a3, a3, 1), jump_from(kFirst + 4, kOther)});
        const Address end =
            machine.place(kOther, {sw(s3, s4, 0), barrier, addi(a4, a4, -1), beq(a4, zero, 8),
                                   jump_from(kOther + 16, kFirst), kNop});
        ASSERT_EQ(machine.run(kFirst, end - 4), BareMachine::End::Reached);
        EXPECT_EQ(machine.get(a3), fence ? 17U : 2U);
    }
}

} // namespace
} // namespace pes::test
