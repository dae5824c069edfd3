// SPDX-License-Identifier: Apache-2.0
// The decode cache has a bound, and what a hart does is the same whatever the bound, also where
// stores change code and no fence.i tells the hart about it.
#include "hw/core/arch/decode.h"
#include "hw/core/memory/code_memory.h"
#include "hw/core/memory/decode_cache.h"
#include "hw/core/timing/tables/tables.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

namespace pes::test {
namespace {

constexpr Address kPage = 0x1000;

/// Memory behind one page, whose decoded instructions are looked at as a hart does.
class OnePage {
  public:
    explicit OnePage(DecodeCache& cache, Address physical = kPage)
        : cache_(cache), physical_(physical) {}

    void store(std::size_t slot, std::uint32_t word, unsigned length = 4) {
        std::memcpy(memory_.data() + 2 * slot, &word, length);
    }
    /// What a slot gets when it is executed for the first time.
    void run(std::size_t slot) {
        std::uint32_t word = 0;
        std::memcpy(&word, memory_.data() + 2 * slot, sizeof word);
        page().fill(slot, decode(length_of(word) == 2 ? word & 0xFFFF : word));
    }
    DecodedPage& page() {
        DecodedPage& page = cache_.page(physical_);
        if (cache_.stale(page)) {
            cache_.renew(page, memory_);
        }
        return page;
    }
    bool decoded(std::size_t slot) { return page()[slot].execute != nullptr; }
    std::optional<std::uint32_t> condensed(std::size_t slot) {
        const CondensedPage* const condensed = page().condensed;
        return condensed == nullptr ? std::nullopt : condensed->word(slot);
    }
    PageBytes memory() const { return memory_; }

  private:
    DecodeCache& cache_;
    Address physical_;
    std::array<std::byte, DecodedPage::kBytes> memory_{};
};

TEST(DecodeCache, CondensedSlotsKeepTheirWords) {
    DecodeCache cache(2);
    OnePage code(cache), other(cache, 2 * kPage);
    code.store(0, addi(a0, a0, 1));
    code.store(7, kCompressedNop, 2);
    for (const std::size_t slot : {0, 7, 2047}) { // the last one is illegal, but decoded
        code.run(slot);
    }
    cache.condense();
    EXPECT_FALSE(code.decoded(0));
    EXPECT_EQ(code.condensed(0), addi(a0, a0, 1));
    EXPECT_EQ(code.condensed(7), kCompressedNop);
    EXPECT_EQ(code.condensed(2047), 0U);
    EXPECT_EQ(code.condensed(1), std::nullopt);
    EXPECT_EQ(other.page().condensed, nullptr);
}

TEST(DecodeCache, ASecondCondensationAddsToTheFirst) {
    DecodeCache cache(2);
    OnePage code(cache);
    code.store(5, addi(a0, a0, 1));
    code.run(5);
    code.store(9, addi(a0, a0, 2));
    code.run(9);
    cache.condense();
    code.store(5, addi(a0, a0, 3)); // as where protection is not uniform
    code.run(5);
    code.store(7, addi(a0, a0, 4));
    code.run(7);
    cache.condense();
    EXPECT_EQ(code.condensed(5), addi(a0, a0, 3));
    EXPECT_EQ(code.condensed(7), addi(a0, a0, 4));
    EXPECT_EQ(code.condensed(9), addi(a0, a0, 2));
}

TEST(DecodeCache, WhatIsStillInMemorySurvivesAFlush) {
    DecodeCache cache(2);
    OnePage code(cache);
    code.store(4, addi(a0, a0, 1));
    code.store(8, addi(a0, a0, 2));
    code.run(4);
    code.run(8);
    const std::uint64_t version = code.page().version;
    cache.flush();
    EXPECT_TRUE(code.decoded(4));
    EXPECT_EQ(code.page().version, version);
    code.store(100, addi(a0, a0, 3)); // is not decoded
    cache.flush();
    EXPECT_TRUE(code.decoded(8));
    EXPECT_EQ(code.page().version, version);
    code.store(9, 0x1234, 2); // second half of one that is
    EXPECT_TRUE(code.decoded(8)) << "no fence.i yet";
    cache.flush();
    EXPECT_TRUE(code.decoded(4));
    EXPECT_FALSE(code.decoded(8));
    EXPECT_NE(code.page().version, version);
}

/// The words of overlapping instructions that were decoded before and after a store.
TEST(DecodeCache, ASlotIsComparedWithItsOwnWord) {
    DecodeCache cache(2);
    OnePage code(cache);
    code.store(4, addi(a0, a0, 1));
    code.run(4);
    code.store(5, kCompressedNop, 2);
    code.run(5);
    cache.flush();
    EXPECT_FALSE(code.decoded(4));
    EXPECT_TRUE(code.decoded(5));
    code.store(20, addi(a0, a0, 3)); // and away again, before anybody compares
    code.run(20);
    code.store(20, 0);
    cache.flush();
    EXPECT_FALSE(code.decoded(20));
}

TEST(DecodeCache, AFlushComparesWhatIsCondensedToo) {
    DecodeCache cache(2);
    OnePage code(cache), kept(cache, 2 * kPage);
    for (OnePage* const page : {&code, &kept}) {
        page->store(4, addi(a0, a0, 1));
        page->store(8, addi(a0, a0, 2));
        page->run(4);
        page->run(8);
    }
    const std::uint64_t version = code.page().version, kept_version = kept.page().version;
    cache.condense();
    code.store(8, addi(a0, a0, 3));
    cache.flush();
    cache.condense(); // nobody has looked since
    EXPECT_EQ(code.condensed(4), addi(a0, a0, 1));
    EXPECT_EQ(code.condensed(8), std::nullopt);
    EXPECT_NE(code.page().version, version);
    EXPECT_EQ(kept.condensed(8), addi(a0, a0, 2));
    EXPECT_EQ(kept.page().version, kept_version);
}

TEST(DecodeCache, APageThatIsNotMemoryThroughoutIsEmptiedByAFlush) {
    DecodeCache cache(2);
    DecodedPage& page = cache.page(kPage);
    cache.renew(page, {});
    page.fill(3, decode(addi(a0, a0, 1)));
    const std::uint64_t version = page.version;
    cache.flush();
    cache.renew(page, {});
    EXPECT_EQ(page[3].execute, nullptr);
    EXPECT_NE(page.version, version);
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

// --- The hart's view of it ----------------------------------------------------------------------

/// One page of RAM.
class OnePageBus final : public HartBus, public PageTableMemory {
  public:
    void place(std::uint32_t word) { std::memcpy(bytes_.data(), &word, sizeof word); }

    BusResult load(Address, void*, unsigned, Cycle) override { return {}; }
    BusResult store(Address, const void*, unsigned, Cycle) override { return {}; }
    bool direct_memory(Address, DirectMemory& region) override {
        region = {.data = bytes_.data(),
                  .start = BareMachine::kRam,
                  .end = BareMachine::kRam + bytes_.size()};
        return true;
    }
    std::uint64_t time(Cycle) const override { return 0; }
    std::optional<std::uint64_t> read_pte(Address) override { return std::nullopt; }
    bool write_pte(Address, std::uint64_t) override { return false; }

  private:
    std::array<std::byte, kPage> bytes_{};
};

/// Blocks that have looked at a page on the wrong path know it by its version.
TEST(CodeMemory, AnotherPageHasAnotherVersionOnceItsCodeHasChanged) {
    const HartConfig config = BareMachine::default_config();
    OnePageBus memory;
    const ArchState arch(config, OverflowInterrupt::Absent);
    Mmu mmu(config, arch.csr, memory);
    HostMemory host(memory);
    const HartTime time;
    CodeMemory code(config, arch, mmu, host, time);
    const auto look = [&] {
        EXPECT_NE(code.instruction_at(BareMachine::kRam), nullptr);
        return code.code_page(BareMachine::kRam)->version;
    };
    memory.place(addi(a0, a0, 1));
    const std::uint64_t version = look();
    EXPECT_NE(version, Tables::kNoPage);
    code.flush();
    EXPECT_EQ(look(), version);
    memory.place(addi(a0, a0, 2));
    EXPECT_EQ(look(), version) << "no fence.i yet";
    code.flush();
    EXPECT_NE(look(), version);
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

/// A function leaves for another page and comes back a few times; then its branch is mispredicted,
/// and that page is looked at only. Its first word is patched between the calls: it is a call,
/// which leaves a wrong address on the return stack, or none.
TEST(HartDecodeCache, PatchesOfPagesThatAreLookedAtActOnBothPaths) {
    constexpr Address kOther = kFirst + kPage, kFunction = kFirst + 0x100;
    constexpr Address kBranch = kFunction + 8, kBack = kFunction + 20;
    const auto life = [](ExecutionPath path) {
        HartConfig config = BareMachine::default_config();
        config.path = path;
        config.sources = kAllEvents;
        const auto place = [](BareMachine& machine) {
            machine.set(s3, jal(ra, 4));
            machine.set(s4, kOther);
            machine.set(s6, kNop);
            machine.set(a4, 800);
            machine.place(BareMachine::kCode, {jump_from(BareMachine::kCode, kFirst)});
            machine.place(kFirst,
                          {andi(t1, a4, 4), addi(t2, s6, 0), bne(t1, zero, 8), addi(t2, s3, 0),
                           sw(t2, s4, 0), kFenceI, jal(ra, kFunction - (kFirst + 24)),
                           addi(a4, a4, -1), bne(a4, zero, -32), jal(zero, 0)});
            machine.place(kFunction, {addi(s7, ra, 0), addi(t0, zero, 12),
                                      bne(t0, zero, static_cast<std::int32_t>(kOther - kBranch)),
                                      addi(ra, s7, 0), jalr(zero, ra, 0), //
                                      addi(t0, t0, -1), jump_from(kBack + 4, kBranch)});
            machine.place(kOther, {kNop, jump_from(kOther + 4, kBack)});
        };
        return live_unobserved(config, place, kLifetime);
    };
    const Life stepped = life(ExecutionPath::Step);
    EXPECT_GT(stepped.instret, 2000U);
    expect_equal(stepped, life(ExecutionPath::Fast));
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
