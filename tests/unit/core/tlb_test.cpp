// SPDX-License-Identifier: Apache-2.0
// The TLB against a model that keeps the replacement tree as nested intervals, and the flush rules
// of sfence.vma (privileged specification 4.2.1).
#include "hw/common/archive.h"
#include "hw/core/memory/tlb.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace pes {
namespace {

constexpr std::uint64_t kAllBits = ~std::uint64_t{0};
constexpr std::uint64_t k2M = kAllBits << 9;
constexpr std::uint64_t k1G = kAllBits << 18;

TlbEntry entry_of(std::uint64_t page, std::uint16_t asid = 1, std::uint64_t mask = kAllBits,
                  std::uint64_t flags = pte::kV | pte::kR | pte::kA) {
    return {.page = page & mask,
            .page_mask = mask,
            .leaf = (page & mask) << pte::kPpnShift | flags,
            .asid = asid,
            .global = (flags & pte::kG) != 0,
            .valid = true};
}
bool holds(Tlb& tlb, std::uint64_t page, std::uint16_t asid = 1) {
    return tlb.lookup(page, asid) != nullptr;
}

/// Tree pseudo-LRU told as a halving game: every interval of ways remembers which half was used
/// last; the victim is found by always going to the other half. At reset the lower half is next.
class PlruModel {
  public:
    explicit PlruModel(unsigned ways) : ways_(ways) {}

    void use(unsigned way) {
        unsigned low = 0;
        for (unsigned high = ways_; high - low > 1;) {
            const unsigned middle = (low + high) / 2;
            const bool upper = way >= middle;
            upper_is_next_[{low, high}] = !upper;
            (upper ? low : high) = middle;
        }
    }
    unsigned victim() {
        unsigned low = 0;
        for (unsigned high = ways_; high - low > 1;) {
            const unsigned middle = (low + high) / 2;
            (upper_is_next_[{low, high}] ? low : high) = middle;
        }
        return low;
    }

  private:
    unsigned ways_;
    std::map<std::pair<unsigned, unsigned>, bool> upper_is_next_;
};

TEST(Tlb, HoldsAsManyPagesAsItHasEntries) {
    for (const unsigned entries : {2U, 4U, 16U, 64U}) {
        Tlb tlb(entries);
        for (std::uint64_t page = 0; page < entries; ++page) {
            tlb.insert(entry_of(page + 100));
            EXPECT_TRUE(holds(tlb, page + 100));
        }
        for (std::uint64_t page = 0; page < entries; ++page) {
            EXPECT_TRUE(holds(tlb, page + 100)) << "page " << page << " of " << entries;
        }
    }
}

TEST(Tlb, ReplacesWhatTheTreePointsAt) {
    for (const unsigned entries : {2U, 4U, 8U, 16U, 64U}) {
        Tlb tlb(entries);
        PlruModel model(entries);
        std::vector<std::uint64_t> held(entries, ~std::uint64_t{0});
        std::mt19937 random(entries);
        for (unsigned step = 0; step < 20'000; ++step) {
            const std::uint64_t page = random() % (entries + entries / 2 + 1);
            unsigned way = 0;
            while (way < entries && held[way] != page) {
                ++way;
            }
            ASSERT_EQ(holds(tlb, page), way < entries) << "step " << step << " of " << entries;
            if (way == entries) {
                way = model.victim();
                held[way] = page;
                tlb.insert(entry_of(page));
                ASSERT_TRUE(holds(tlb, page));
            }
            model.use(way);
        }
    }
}

TEST(Tlb, SuperpagesMatchAllTheirPagesAndKeepTheLowAddressBits) {
    Tlb tlb(4);
    tlb.insert(entry_of(0x40200, 1, k2M));
    EXPECT_TRUE(holds(tlb, 0x40200));
    ASSERT_TRUE(holds(tlb, 0x403FF));
    EXPECT_FALSE(holds(tlb, 0x40400));
    EXPECT_FALSE(holds(tlb, 0x401FF));
    EXPECT_EQ(tlb.lookup(0x40345, 1)->physical(0x4034'5678), 0x4034'5678U);

    tlb.insert(entry_of(0x80000, 1, k1G));
    ASSERT_TRUE(holds(tlb, 0xBFFFF));
    EXPECT_FALSE(holds(tlb, 0xC0000));
    EXPECT_EQ(tlb.lookup(0x9ABCD, 1)->physical(0x9ABC'DEF0), 0x9ABC'DEF0U);
}

TEST(Tlb, EntriesOfAnotherAddressSpaceDoNotMatchUnlessGlobal) {
    Tlb tlb(4);
    tlb.insert(entry_of(10, 1));
    EXPECT_FALSE(holds(tlb, 10, 2));
    EXPECT_TRUE(holds(tlb, 10, 1));
    tlb.insert(entry_of(11, 1, kAllBits, pte::kV | pte::kR | pte::kA | pte::kG));
    EXPECT_TRUE(holds(tlb, 11, 2));
}

class TlbFlush : public testing::Test {
  protected:
    TlbFlush() {
        for (const TlbEntry& entry : {entry_of(10, 1), entry_of(11, 1), entry_of(11, 2), global(12),
                                      entry_of(0x400, 1, k2M)}) {
            tlb_.insert(entry);
            tlb_.lookup(entry.page, entry.asid);
        }
    }
    static TlbEntry global(std::uint64_t page) {
        return entry_of(page, 1, kAllBits, pte::kV | pte::kR | pte::kA | pte::kG);
    }
    Tlb tlb_{16};
};

TEST_F(TlbFlush, WithoutOperandsRemovesEverything) {
    tlb_.flush(std::nullopt, std::nullopt);
    EXPECT_FALSE(holds(tlb_, 10));
    EXPECT_FALSE(holds(tlb_, 11, 2));
    EXPECT_FALSE(holds(tlb_, 12));
    EXPECT_FALSE(holds(tlb_, 0x400));
}

TEST_F(TlbFlush, WithAnAddressRemovesThatPageOfEverySpaceGlobalOnesToo) {
    tlb_.flush(Address{11} << 12, std::nullopt);
    EXPECT_TRUE(holds(tlb_, 10));
    EXPECT_FALSE(holds(tlb_, 11, 1));
    EXPECT_FALSE(holds(tlb_, 11, 2));
    tlb_.flush(Address{12} << 12, std::nullopt);
    EXPECT_FALSE(holds(tlb_, 12));
}

TEST_F(TlbFlush, WithAnAddressSpaceSparesOthersAndGlobalEntries) {
    tlb_.flush(std::nullopt, std::uint16_t{1});
    EXPECT_FALSE(holds(tlb_, 10));
    EXPECT_FALSE(holds(tlb_, 11, 1));
    EXPECT_FALSE(holds(tlb_, 0x400));
    EXPECT_TRUE(holds(tlb_, 11, 2));
    EXPECT_TRUE(holds(tlb_, 12));
}

TEST_F(TlbFlush, WithBothRemovesOnePageOfOneSpace) {
    tlb_.flush(Address{11} << 12, std::uint16_t{2});
    EXPECT_TRUE(holds(tlb_, 11, 1));
    EXPECT_FALSE(holds(tlb_, 11, 2));
    tlb_.flush(Address{12} << 12, std::uint16_t{1});
    EXPECT_TRUE(holds(tlb_, 12)) << "global";
}

TEST_F(TlbFlush, AnyAddressInsideASuperpageRemovesIt) {
    tlb_.flush(Address{0x5FF} << 12 | 0x123, std::nullopt);
    EXPECT_FALSE(holds(tlb_, 0x400));
}

/// A page has an entry of one address space, then a global one. Where both match, the first entry
/// counts, whoever looked the page up last.
TEST(Tlb, TheFirstOfTwoMatchesCounts) {
    constexpr std::uint64_t kPage = 0x123, kOther = 0x124;
    Tlb tlb(4);
    const TlbEntry own = entry_of(kPage, 1);
    TlbEntry global = entry_of(kPage, 2);
    global.leaf |= pte::kW;
    global.global = true;
    tlb.insert(own);
    tlb.insert(global);
    tlb.insert(entry_of(kOther, 1));
    tlb.insert(entry_of(kOther, 2));
    for (const std::uint16_t asid : {2, 1, 2, 1, 1, 2}) {
        ASSERT_NE(tlb.lookup(kOther, asid), nullptr); // so that the page is not the last one
        const TlbEntry* const found = tlb.lookup(kPage, asid);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->leaf, asid == 1 ? own.leaf : global.leaf);
    }
    ASSERT_EQ(tlb.lookup(kPage, 2)->leaf, global.leaf);
    EXPECT_EQ(tlb.lookup(kPage, 1)->leaf, own.leaf) << "though the global one was found last";
}

TEST(Tlb, APageThatWasNotThereIsFoundOnceItIs) {
    Tlb tlb(4);
    tlb.insert(entry_of(10));
    tlb.insert(entry_of(13));
    for (unsigned time = 0; time != 2; ++time) {
        EXPECT_FALSE(holds(tlb, 10, 2));
        EXPECT_TRUE(holds(tlb, 10)) << "in its own address space";
        EXPECT_TRUE(holds(tlb, 13));
    }
    EXPECT_FALSE(holds(tlb, 11));
    tlb.insert(entry_of(11));
    tlb.insert(entry_of(12));
    EXPECT_TRUE(holds(tlb, 11));
    tlb.flush(std::nullopt, std::nullopt);
    EXPECT_FALSE(holds(tlb, 11));
    tlb.insert(entry_of(11));
    tlb.insert(entry_of(12));
    EXPECT_TRUE(holds(tlb, 11));
}

TEST(Tlb, APageThatWasNotThereComesWithACheckpoint) {
    Tlb saved(4), loaded(4);
    saved.insert(entry_of(11));
    saved.insert(entry_of(12)); // so that the page is not the last one
    ASSERT_FALSE(holds(loaded, 11));
    Archive to;
    to(saved);
    Archive from{std::span(to.bytes())};
    from(loaded);
    EXPECT_TRUE(holds(loaded, 11));
}

/// A superpage takes the place of the first entry, in front of one of its pages that was found
/// before.
TEST(Tlb, AFillInFrontCounts) {
    constexpr std::uint64_t kFirst = 0x991, kPage = 0x200, kOther = 0x992;
    Tlb tlb(4);
    for (const std::uint64_t page : {kFirst, kOther, std::uint64_t{0x993}, kPage}) {
        tlb.insert(entry_of(page));
    }
    for (const std::uint64_t page : {kOther, std::uint64_t{0x993}, kPage}) {
        ASSERT_TRUE(holds(tlb, page)); // so that the first one is replaced
    }
    tlb.insert(entry_of(kPage + 1, 1, k2M));
    ASSERT_FALSE(holds(tlb, kFirst));
    ASSERT_TRUE(holds(tlb, kOther)); // so that neither of the two is the last one
    EXPECT_EQ(tlb.lookup(kPage, 1)->page_mask, k2M);
}

} // namespace
} // namespace pes
