// SPDX-License-Identifier: Apache-2.0
// BufferedStores against a list of writes that is searched from its end.
#include "hw/core/timing/tables/buffered_stores.h"
#include "hw/core/timing/tables/questions.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace pes {
namespace {

/// Double words, the youngest last.
class ListOfWrites {
  public:
    std::uint64_t find(Address physical, std::uint64_t ages) const {
        for (std::uint64_t age = 1; age <= size(); ++age) {
            if ((ages >> age & 1) != 0 && words_[words_.size() - age] == physical / 8) {
                return age;
            }
        }
        return 0;
    }
    void push(Address physical, std::uint64_t behind) {
        words_.insert(words_.end() - static_cast<std::ptrdiff_t>(behind), physical / 8);
        if (size() > BufferedStores::kWrites) {
            words_.erase(words_.begin());
        }
    }
    void drop(std::uint64_t age) { words_.erase(words_.end() - static_cast<std::ptrdiff_t>(age)); }
    std::size_t size() const { return words_.size(); }

  private:
    std::vector<Address> words_;
};

/// Few words, near each other and far away.
Address any_address(std::mt19937_64& random) {
    return 0x8000'0000 + (random() % 3 << 31) + random() % 3 * 0x800 + random() % 4 * 8;
}

TEST(BufferedStores, FindsTheYoungestWriteToAWord) {
    constexpr unsigned kLineBytes = 16;
    constexpr std::uint64_t kMostAges = 20;
    for (std::uint64_t seed = 0; seed != 200; ++seed) {
        std::mt19937_64 random(seed);
        BufferedStores stores(kLineBytes);
        ListOfWrites writes;
        for (unsigned step = 0; step != 200; ++step) {
            const Address physical = any_address(random);
            const std::uint64_t known = std::min<std::uint64_t>(writes.size(), kMostAges);
            const std::uint64_t ages = random() & random() & ((2ULL << known) - 2);
            ASSERT_EQ(stores.find_word(physical, ages), writes.find(physical, ages))
                << "seed " << seed << ", step " << step;
            switch (random() % 8) {
            case 0: {
                const std::uint64_t behind = random() % (std::min<std::uint64_t>(known, 4) + 1);
                stores.push(physical, behind | store_size(8));
                writes.push(physical, behind);
                break;
            }
            case 1:
                if (known != 0) {
                    const std::uint64_t age = 1 + random() % known;
                    stores.drop(age);
                    writes.drop(age);
                }
                break;
            default:
                stores.push(physical, store_size(8));
                writes.push(physical, 0);
            }
        }
    }
}

TEST(BufferedStores, JoinsAWriteThatIsNotSent) {
    BufferedStores stores(16);
    for (Address word = 0; word != 12; ++word) {
        stores.push(0x8000'0000 + 8 * word, store_size(1));
    }
    const auto join = [&stores](Address physical, std::uint64_t held, std::uint64_t waiting) {
        return stores.join(physical, held | not_sent(waiting) | store_size(1));
    };
    constexpr std::uint64_t kAll = 0x1FFE, kPieceMore = 1 << 8;
    EXPECT_EQ(join(0x8000'0100, kAll, 12), 0);
    EXPECT_EQ(join(0x1'8000'0000, kAll, 12), 0) << "only the highest bit is another";
    EXPECT_EQ(join(0x8000'0058, kAll, 12), 1) << "byte 0 again";
    EXPECT_EQ(join(0x8000'0052, kAll, 12), 2 | kPieceMore) << "bytes 0 and 2 are two pieces";
    EXPECT_EQ(join(0x8000'0001, kAll, 12), 12) << "bytes 0 and 1 are one; older than eight";
    EXPECT_EQ(join(0x8000'0001, kAll, 4), 12) << "is sent already";
    EXPECT_EQ(join(0x8000'0001, 0x0FFE, 12), 0) << "is not held any more";
}

} // namespace
} // namespace pes
