// SPDX-License-Identifier: Apache-2.0
// What TranslatedPages finds is what a TLB alone would have found: two MMUs, one of them asked for
// the page in one look first, get the same accesses in a random order, with pages mapped anew,
// fences, other address spaces, and other rights. Each must walk when the other does, so their TLBs
// have replaced the same entries.
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/memory/mmu.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace pes {
namespace {

constexpr Address kRootTable = 0x8000'1000, kMiddleTable = 0x8000'2000, kLowestTable = 0x8000'3000;
constexpr Address kRegion = Address{1} << 30; ///< root entry 1
constexpr Address kSuperpage = Address{1} << 21;
constexpr unsigned kSmallPages = 24; ///< more than the TLB has, in the first superpage's place
constexpr unsigned kSuperpages = 4;
constexpr std::uint64_t kEveryRight = pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;

class PlainTables final : public PageTableMemory {
  public:
    std::optional<std::uint64_t> read_pte(Address address) override { return memory[address]; }
    bool write_pte(Address address, std::uint64_t value) override {
        memory[address] = value;
        return true;
    }
    std::map<Address, std::uint64_t> memory;
};

class TranslatedPagesTest : public testing::Test {
  protected:
    TranslatedPagesTest() {
        csr_.write(csr::kPmpaddr0, ~std::uint64_t{0});
        csr_.write(csr::kPmpcfg0, 0x1F); // NAPOT, R, W, X over everything
        use_address_space(1);
        tables_.memory[kRootTable + 8] = kMiddleTable >> 12 << pte::kPpnShift | pte::kV;
        for (unsigned page = 0; page < kSmallPages; ++page) {
            map_small(page);
        }
        small_pages();
        for (unsigned page = 1; page < kSuperpages; ++page) {
            map_super(page);
        }
    }

    std::uint64_t pick(std::uint64_t below) { return random_() % below; }

    void use_address_space(std::uint64_t asid) {
        csr_.write(csr::kSatp, satp::kModeSv39 << satp::kModeShift | asid << satp::kAsidShift |
                                   kRootTable >> 12);
        quick_.pages().forget();
    }
    std::uint64_t some_rights() {
        constexpr std::array kRights{kEveryRight,
                                     kEveryRight | pte::kU,
                                     kEveryRight & ~pte::kW,
                                     kEveryRight & ~pte::kD,
                                     pte::kV | pte::kX | pte::kA,
                                     kEveryRight | pte::kG};
        return kRights[pick(kRights.size())];
    }
    void map_small(unsigned page) {
        tables_.memory[kLowestTable + 8 * page] =
            (0x90000 + pick(64)) << pte::kPpnShift | some_rights();
    }
    void map_super(unsigned page) {
        tables_.memory[kMiddleTable + 8 * page] =
            (0xA0000 + 512 * pick(8)) << pte::kPpnShift | some_rights();
    }
    void small_pages() {
        tables_.memory[kMiddleTable] = kLowestTable >> 12 << pte::kPpnShift | pte::kV;
    }
    Address some_address() {
        const bool small = pick(2) == 0;
        const Address page = small ? pick(kSmallPages) << 12
                                   : pick(kSuperpages) * kSuperpage + (pick(3) * 100 << 12);
        return kRegion + page + 8 * (pick(4) == 0 ? 16 : pick(512));
    }

    /// As DataMemory: first in one look, then in the TLB, then by a walk.
    Translation quickly(Address address, Access access, Privilege privilege) {
        TranslatedPages& pages = quick_.pages();
        pages.select(privilege);
        if (const TranslatedPages::Page* const page = pages.find(address, access)) {
            ++found_;
            quick_.data_tlb().touch(page->entry, page->path);
            EXPECT_EQ(page->host(address), host_of(page->physical(address)));
            EXPECT_FALSE(is_watched(page->physical(address)));
            EXPECT_TRUE(access == Access::Load || !is_read_only(page->physical(address)));
            return {.physical = page->physical(address)};
        }
        if (const auto known = quick_.translate_known(address, access, privilege)) {
            quick_.remember(address, privilege, *known, host_page(*known));
            return {.physical = *known};
        }
        const Translation walked = quick_.translate(address, access, privilege);
        if (!walked.fault) {
            quick_.remember(address, privilege, walked.physical, host_page(walked.physical));
        }
        return walked;
    }
    /// Every second page has a watched word.
    static bool is_watched(Address physical) {
        return (physical >> kPageShift) % 2 == 1 && (physical & kPageOffset & ~Address{7}) == 0x80;
    }
    static HostMemory::Page host_page(Address physical) {
        HostMemory::Page host{.to_host = kToHost};
        if ((physical >> kPageShift) % 2 == 1) {
            host.hole = 0x80;
            host.hole_bytes = 8;
        }
        host.remember(physical & ~kPageOffset, Access::Load);
        if (!is_read_only(physical)) {
            host.remember(physical & ~kPageOffset, Access::Store);
        }
        return host;
    }
    /// Of every third page the host's memory is known for loads alone.
    static bool is_read_only(Address physical) { return (physical >> kPageShift) % 3 == 2; }
    static std::byte* host_of(Address physical) {
        return reinterpret_cast<std::byte*>(physical + kToHost);
    }

    void access() {
        const Address address = some_address();
        const Access access = pick(2) == 0 ? Access::Load : Access::Store;
        const Privilege privilege = pick(4) == 0 ? Privilege::User : Privilege::Supervisor;
        const Translation expected = plain_.translate(address, access, privilege);
        const bool walked = expected.walk != nullptr;
        const Translation result = quickly(address, access, privilege);
        ASSERT_EQ(result.fault, expected.fault)
            << std::hex << address << (access == Access::Load ? " load" : " store")
            << (privilege == Privilege::User ? " U" : " S");
        ASSERT_EQ(result.walk != nullptr, walked);
        if (!expected.fault) {
            ASSERT_EQ(result.physical, expected.physical);
        }
    }
    void change() {
        switch (pick(6)) {
        case 0:
            return map_small(static_cast<unsigned>(pick(kSmallPages)));
        case 1:
            return map_super(static_cast<unsigned>(1 + pick(kSuperpages - 1)));
        case 2: // without a fence, so that the TLB may hold both
            return pick(2) == 0 ? map_super(0) : small_pages();
        case 3:
            return use_address_space(1 + pick(2));
        case 4:
            csr_.write(csr::kMstatus, pick(2) * mstatus::kSum | pick(2) * mstatus::kMxr);
            return;
        default: {
            const std::optional address =
                pick(2) == 0 ? std::optional(some_address()) : std::nullopt;
            quick_.flush(address, std::nullopt);
            plain_.flush(address, std::nullopt);
        }
        }
    }

    static constexpr std::uintptr_t kToHost = 0x7000'0000'0000;
    std::mt19937_64 random_{39};
    CsrFile csr_{0, Pmp(8), OverflowInterrupt::Absent, {}};
    PlainTables tables_;
    Mmu quick_{HartConfig{}, csr_, tables_};
    Mmu plain_{HartConfig{}, csr_, tables_};
    std::uint64_t found_ = 0;
};

TEST_F(TranslatedPagesTest, FindWhatTheTlbWouldHaveFound) {
    constexpr unsigned kAccesses = 300'000;
    for (unsigned number = 0; number < kAccesses; ++number) {
        ASSERT_NO_FATAL_FAILURE(access()) << "access " << number;
        if (pick(40) == 0) {
            change();
        }
    }
    EXPECT_GT(found_, kAccesses / 20);
}

TEST_F(TranslatedPagesTest, ForgetStoresToAPhysicalPage) {
    for (const Access access : {Access::Load, Access::Store}) {
        tables_.memory[kLowestTable] = Address{0x90000} << pte::kPpnShift | kEveryRight;
        quickly(kRegion, access, Privilege::Supervisor);
        quickly(kRegion, access, Privilege::Supervisor);
        ASSERT_NE(quick_.pages().find(kRegion, access), nullptr);
    }
    quick_.pages().forget_stores(0x90001);
    EXPECT_NE(quick_.pages().find(kRegion, Access::Store), nullptr);
    quick_.pages().forget_stores(0x90000);
    EXPECT_EQ(quick_.pages().find(kRegion, Access::Store), nullptr);
    EXPECT_NE(quick_.pages().find(kRegion, Access::Load), nullptr);
}

} // namespace
} // namespace pes
