// SPDX-License-Identifier: Apache-2.0
// The table of pages that loads and stores look into.
#include "hw/core/memory/host_memory.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>

namespace pes {
namespace {

constexpr Address kPage = kPageOffset + 1;
/// As far from each other as pages are that share an entry.
constexpr Address kSharing = HostMemory::kPages * kPage;

/// Two pages of memory, at 0 and at kSharing.
class TwoPages final : public HartBus {
  public:
    BusResult load(Address, void*, unsigned, Cycle) override { return {}; }
    BusResult store(Address, const void*, unsigned, Cycle) override { return {}; }
    bool direct_memory(Address address, DirectMemory& region) override {
        const Address start = address - address % kSharing;
        if (start > kSharing || address - start >= kPage) {
            return false;
        }
        region = {.data = pages_[start / kSharing].data(), .start = start, .end = start + kPage};
        return true;
    }
    std::uint64_t time(Cycle at) const override { return at; }
    std::byte* data(Address start) { return pages_[start / kSharing].data(); }

  private:
    std::array<std::array<std::byte, kPage>, 2> pages_{};
};

class QuickPages : public testing::Test {
  protected:
    /// Null: the table has no such page.
    const std::byte* look(Address address, Access access) const {
        const HostMemory::Page& page = memory.page(address);
        return page.has(address, access) ? page.host(address) : nullptr;
    }

    TwoPages bus;
    HostMemory memory{bus};
};

TEST_F(QuickPages, HaveNothingAtFirst) {
    for (const Address address : {Address{0}, Address{0x10}, kPage, 7 * kPage + 8, kSharing}) {
        EXPECT_EQ(look(address, Access::Load), nullptr) << address;
        EXPECT_EQ(look(address, Access::Store), nullptr) << address;
    }
}

TEST_F(QuickPages, OfOneEntryTheLastOneIsKnown) {
    memory.remember(0x10, Access::Load, 0);
    EXPECT_EQ(look(0x18, Access::Load), bus.data(0) + 0x18);
    EXPECT_EQ(look(0x18, Access::Store), nullptr) << "only loads were allowed";
    memory.remember(kSharing + 0x10, Access::Store, 0);
    EXPECT_EQ(look(kSharing + 0x18, Access::Store), bus.data(kSharing) + 0x18);
    EXPECT_EQ(look(kSharing + 0x18, Access::Load), nullptr);
    EXPECT_EQ(look(0x18, Access::Load), nullptr);
}

TEST_F(QuickPages, AreForgotten) {
    for (const Privilege mode : {Privilege::Machine, Privilege::User}) {
        memory.select(mode);
        memory.remember(kSharing, Access::Load, 0);
        memory.remember(kSharing, Access::Store, 0);
    }
    memory.forget_stores(kSharing / kPage);
    for (const Privilege mode : {Privilege::Machine, Privilege::User}) {
        memory.select(mode);
        EXPECT_NE(look(kSharing, Access::Load), nullptr);
        EXPECT_EQ(look(kSharing, Access::Store), nullptr);
    }
    memory.forget();
    for (const Privilege mode : {Privilege::Machine, Privilege::User}) {
        memory.select(mode);
        EXPECT_EQ(look(kSharing, Access::Load), nullptr);
        EXPECT_EQ(look(0, Access::Load), nullptr);
    }
}

} // namespace
} // namespace pes
