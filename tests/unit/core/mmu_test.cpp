// SPDX-License-Identifier: Apache-2.0
// Sv39 against privileged specification 1.12, sections 4.3.2 and 4.4: each reason for a fault, and
// what a walk reads. The page tables lie in a sparse memory of the test.
#include "hw/core/arch/csr_numbers.h"
#include "hw/core/memory/mmu.h"

#include <gtest/gtest.h>

#include <array>
#include <map>

namespace pes {
namespace {

constexpr Address kRoot = 0x8000'1000, kMiddle = 0x8000'2000, kLowest = 0x8000'3000;
constexpr std::uint64_t kLeafBits = pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;
constexpr std::uint64_t kUserLeafBits = kLeafBits | pte::kU;

/// Root entry 1, middle entry 2, lowest entry 3.
constexpr Address kVirtual = Address{1} << 30 | Address{2} << 21 | Address{3} << 12 | 0x123;
constexpr Address kPageBytes = 0x8765'4000;

class Tables : public PageTableMemory {
  public:
    std::optional<std::uint64_t> read_pte(Address address) override {
        reads.push_back(address);
        const auto found = memory.find(address);
        return found == memory.end() ? std::nullopt : std::optional(found->second);
    }
    bool write_pte(Address address, std::uint64_t value) override {
        writes.push_back(address);
        memory[address] = value;
        return !read_only;
    }
    std::map<Address, std::uint64_t> memory;
    std::vector<Address> reads;
    std::vector<Address> writes;
    bool read_only = false;
};

constexpr std::uint64_t pointer_to(Address table) {
    return table >> 12 << pte::kPpnShift | pte::kV;
}
constexpr std::uint64_t leaf_of(Address page, std::uint64_t bits) {
    return page >> 12 << pte::kPpnShift | bits;
}
constexpr Address root_entry(unsigned index) {
    return kRoot + Address{8} * index;
}
constexpr Address middle_entry(unsigned index) {
    return kMiddle + Address{8} * index;
}
constexpr Address lowest_entry(unsigned index) {
    return kLowest + Address{8} * index;
}

Cause page_fault(Access access) {
    return std::array{Cause::InstructionPage, Cause::LoadPage,
                      Cause::StorePage}[static_cast<unsigned>(access)];
}
Cause access_fault(Access access) {
    return std::array{Cause::InstructionAccess, Cause::LoadAccess,
                      Cause::StoreAccess}[static_cast<unsigned>(access)];
}
constexpr std::array kKinds{Access::Fetch, Access::Load, Access::Store};

class MmuTest : public testing::Test {
  protected:
    MmuTest() {
        use_address_space(1);
        csr_.write(csr::kPmpaddr0, ~std::uint64_t{0});
        csr_.write(csr::kPmpcfg0, 0x1F); // NAPOT, R, W, X over everything
        tables_.memory[root_entry(1)] = pointer_to(kMiddle);
        tables_.memory[middle_entry(2)] = pointer_to(kLowest);
        map(kLeafBits);
    }

    void use_address_space(std::uint64_t asid) {
        csr_.write(csr::kSatp,
                   satp::kModeSv39 << satp::kModeShift | asid << satp::kAsidShift | kRoot >> 12);
    }
    void map(std::uint64_t bits) { tables_.memory[lowest_entry(3)] = leaf_of(kPageBytes, bits); }
    void set_status(std::uint64_t bits) { csr_.write(csr::kMstatus, bits); }

    Translation translate(Access access, Privilege privilege = Privilege::Supervisor,
                          Address address = kVirtual) {
        return mmu_.translate(address, access, privilege);
    }
    /// After a flush, so that the answer is that of a walk.
    std::optional<Cause> fault(Access access, Privilege privilege = Privilege::Supervisor,
                               Address address = kVirtual) {
        mmu_.flush(std::nullopt, std::nullopt);
        return translate(access, privilege, address).fault;
    }
    void expect_page_faults(const char* why) {
        for (const Access access : kKinds) {
            EXPECT_EQ(fault(access), page_fault(access)) << why;
        }
    }

    CsrFile csr_{0, Pmp(8), OverflowInterrupt::Absent, {.svadu = true}};
    Tables tables_;
    Mmu mmu_{HartConfig{}, csr_, tables_};
};

TEST_F(MmuTest, WalksThreeLevelsAndKeepsThePageOffset) {
    const Translation result = translate(Access::Load);
    ASSERT_FALSE(result.fault);
    EXPECT_EQ(result.physical, kPageBytes | 0x123);
    EXPECT_EQ(tables_.reads,
              (std::vector<Address>{root_entry(1), middle_entry(2), lowest_entry(3)}));
    ASSERT_NE(result.walk, nullptr);
    EXPECT_EQ(result.walk->reads, 3);
    EXPECT_EQ(result.walk->pte,
              (std::array<Address, 3>{root_entry(1), middle_entry(2), lowest_entry(3)}));
}

TEST_F(MmuTest, ASecondAccessToThePageNeedsNoWalk) {
    translate(Access::Load);
    tables_.reads.clear();
    const Translation again = translate(Access::Store, Privilege::Supervisor, kVirtual + 8);
    EXPECT_FALSE(again.fault);
    EXPECT_EQ(again.physical, (kPageBytes | 0x123) + 8);
    EXPECT_EQ(again.walk, nullptr);
    EXPECT_TRUE(tables_.reads.empty());
}

TEST_F(MmuTest, FetchesAndDataHaveTheirOwnTlb) {
    translate(Access::Load);
    EXPECT_NE(translate(Access::Fetch).walk, nullptr);
    EXPECT_EQ(translate(Access::Fetch).walk, nullptr);
}

TEST_F(MmuTest, SixteenPagesStayInTheTlb) {
    for (unsigned index = 0; index < 16; ++index) {
        tables_.memory[lowest_entry(index)] =
            leaf_of(kPageBytes + Address{0x1000} * index, kLeafBits);
    }
    const auto page = [](unsigned index) {
        return (kVirtual & ~Address{0x1F'FFFF}) + Address{0x1000} * index;
    };
    for (unsigned index = 0; index < 16; ++index) {
        EXPECT_NE(translate(Access::Load, Privilege::Supervisor, page(index)).walk, nullptr);
    }
    for (unsigned index = 0; index < 16; ++index) {
        EXPECT_EQ(translate(Access::Load, Privilege::Supervisor, page(index)).walk, nullptr)
            << index;
    }
}

TEST_F(MmuTest, Bits63To39MustEqualBit38) {
    tables_.memory[root_entry(256)] = leaf_of(0x8000'0000, kLeafBits);
    tables_.memory[root_entry(255)] = leaf_of(0x8000'0000, kLeafBits);
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access, Privilege::Supervisor, 0x0000'0040'0000'0000), page_fault(access));
        EXPECT_EQ(fault(access, Privilege::Supervisor, 0xFFFF'FFBF'FFFF'FFF8), page_fault(access));
        EXPECT_EQ(fault(access, Privilege::Supervisor, 0x8000'0000'4040'3123), page_fault(access));
        EXPECT_EQ(fault(access, Privilege::Supervisor, 0xFFFF'FFC0'0000'0000), std::nullopt);
        EXPECT_EQ(fault(access, Privilege::Supervisor, 0x0000'003F'FFFF'FFF8), std::nullopt);
    }
    tables_.reads.clear();
    fault(Access::Load, Privilege::Supervisor, 0x0000'0040'0000'0000);
    EXPECT_TRUE(tables_.reads.empty()) << "nothing is walked";
}

TEST_F(MmuTest, InvalidEntriesFaultAtEveryLevel) {
    for (const Address entry : {root_entry(1), middle_entry(2), lowest_entry(3)}) {
        const std::uint64_t good = tables_.memory[entry];
        tables_.memory[entry] = good & ~pte::kV;
        expect_page_faults("V = 0");
        tables_.memory[entry] = good;
    }
}

TEST_F(MmuTest, WritableWithoutReadableIsReserved) {
    map(kLeafBits & ~pte::kR);
    expect_page_faults("W, X without R");
    map((kLeafBits & ~pte::kR) & ~pte::kX);
    expect_page_faults("W alone");
}

TEST_F(MmuTest, BitsAbove53AreReserved) {
    for (unsigned bit = 54; bit < 64; ++bit) {
        tables_.memory[lowest_entry(3)] = leaf_of(kPageBytes, kLeafBits) | std::uint64_t{1} << bit;
        expect_page_faults("reserved bit of a leaf");
    }
    map(kLeafBits);
    tables_.memory[root_entry(1)] |= std::uint64_t{1} << 60;
    expect_page_faults("reserved bit of a pointer");
}

TEST_F(MmuTest, SoftwareBitsAreIgnored) {
    map(kLeafBits | 3U << 8);
    EXPECT_EQ(fault(Access::Load), std::nullopt);
}

TEST_F(MmuTest, PointersMustNotHaveAccessedDirtyOrUserBits) {
    for (const std::uint64_t bit : {pte::kA, pte::kD, pte::kU}) {
        tables_.memory[middle_entry(2)] = pointer_to(kLowest) | bit;
        expect_page_faults("bit reserved in a pointer");
    }
    tables_.memory[middle_entry(2)] = pointer_to(kLowest) | pte::kG;
    EXPECT_EQ(fault(Access::Load), std::nullopt);
}

TEST_F(MmuTest, APointerInTheLastLevelFaults) {
    tables_.memory[lowest_entry(3)] = pointer_to(kPageBytes);
    expect_page_faults("no leaf");
}

TEST_F(MmuTest, SuperpagesTakeTheRestOfTheAddress) {
    tables_.memory[middle_entry(2)] = leaf_of(0x8760'0000, kLeafBits);
    EXPECT_EQ(translate(Access::Load).physical, 0x8760'0000U | (kVirtual & 0x1F'FFFF));
    mmu_.flush(std::nullopt, std::nullopt);
    tables_.memory[root_entry(1)] = leaf_of(0xC000'0000, kLeafBits);
    const Translation result = translate(Access::Load);
    EXPECT_EQ(result.physical, 0xC000'0000U | (kVirtual & 0x3FFF'FFFF));
    EXPECT_EQ(result.walk->reads, 1);
}

TEST_F(MmuTest, MisalignedSuperpagesFault) {
    tables_.memory[middle_entry(2)] = leaf_of(0x8760'0000 + 0x1000, kLeafBits);
    expect_page_faults("2 MiB page off by 4 KiB");
    tables_.memory[middle_entry(2)] = leaf_of(0x8760'0000 + 0x10'0000, kLeafBits);
    expect_page_faults("2 MiB page off by 1 MiB");
    tables_.memory[root_entry(1)] = leaf_of(0xC000'0000 + 0x20'0000, kLeafBits);
    expect_page_faults("1 GiB page off by 2 MiB");
}

TEST_F(MmuTest, UserModeNeedsTheUserBit) {
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access, Privilege::User), page_fault(access));
    }
    map(kUserLeafBits);
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access, Privilege::User), std::nullopt);
    }
}

TEST_F(MmuTest, SupervisorTouchesUserPagesOnlyWithSumAndNeverFetchesThem) {
    map(kUserLeafBits);
    expect_page_faults("SUM = 0");
    set_status(mstatus::kSum);
    EXPECT_EQ(fault(Access::Load), std::nullopt);
    EXPECT_EQ(fault(Access::Store), std::nullopt);
    EXPECT_EQ(fault(Access::Fetch), Cause::InstructionPage);
}

TEST_F(MmuTest, PermissionsAreCheckedOnTlbHitsToo) {
    map(kUserLeafBits & ~pte::kW);
    ASSERT_FALSE(translate(Access::Load, Privilege::User).fault);
    EXPECT_EQ(translate(Access::Store, Privilege::User).fault, Cause::StorePage);
    EXPECT_EQ(translate(Access::Load, Privilege::Supervisor).fault, Cause::LoadPage);
    set_status(mstatus::kSum);
    EXPECT_EQ(translate(Access::Load, Privilege::Supervisor).fault, std::nullopt);
}

TEST_F(MmuTest, EachKindOfAccessNeedsItsOwnPermission) {
    map(kLeafBits & ~pte::kW);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
    EXPECT_EQ(fault(Access::Load), std::nullopt);
    map(kLeafBits & ~pte::kX);
    EXPECT_EQ(fault(Access::Fetch), Cause::InstructionPage);
    EXPECT_EQ(fault(Access::Store), std::nullopt);
}

TEST_F(MmuTest, ExecutableOnlyPagesAreReadableWithMxr) {
    map(pte::kV | pte::kX | pte::kA);
    EXPECT_EQ(fault(Access::Fetch), std::nullopt);
    EXPECT_EQ(fault(Access::Load), Cause::LoadPage);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
    set_status(mstatus::kMxr);
    EXPECT_EQ(fault(Access::Load), std::nullopt);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
}

TEST_F(MmuTest, AccessedClearFaultsAndIsNotWritten) {
    map(kLeafBits & ~pte::kA);
    const std::uint64_t before = tables_.memory[lowest_entry(3)];
    expect_page_faults("A = 0");
    EXPECT_EQ(tables_.memory[lowest_entry(3)], before);
}

TEST_F(MmuTest, DirtyClearFaultsOnStoresOnlyAndIsNotWritten) {
    map(kLeafBits & ~pte::kD);
    const std::uint64_t before = tables_.memory[lowest_entry(3)];
    EXPECT_EQ(fault(Access::Fetch), std::nullopt);
    EXPECT_EQ(fault(Access::Load), std::nullopt);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
    EXPECT_EQ(tables_.memory[lowest_entry(3)], before);
    EXPECT_EQ(translate(Access::Load).fault, std::nullopt);
    EXPECT_EQ(translate(Access::Store).fault, Cause::StorePage) << "the load's entry is held";
}

TEST_F(MmuTest, SoftwareThatSetsAccessedNeedsNoFenceAfterTheFault) {
    // Not required by the specification, but CVA6 keeps no entry that has just faulted this way.
    map(kLeafBits & ~pte::kA);
    ASSERT_EQ(translate(Access::Load).fault, Cause::LoadPage);
    map(kLeafBits);
    EXPECT_EQ(translate(Access::Load).fault, std::nullopt);
}

TEST_F(MmuTest, ProtectedPageTablesGiveAnAccessFaultOfTheOriginalKind) {
    for (const Address table : {kRoot, kMiddle, kLowest}) {
        csr_.write(csr::kPmpaddr0, table >> 2 | 0x1FF); // NAPOT 4 KiB without rights, before ...
        csr_.write(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
        csr_.write(csr::kPmpcfg0, 0x1F18); // ... the entry that allows everything
        for (const Access access : kKinds) {
            EXPECT_EQ(fault(access), access_fault(access));
        }
    }
    csr_.write(csr::kPmpcfg0, 0x1F1C); // execute only is not enough: walks are loads
    EXPECT_EQ(fault(Access::Fetch), Cause::InstructionAccess);
    csr_.write(csr::kPmpcfg0, 0x1F19);
    EXPECT_EQ(fault(Access::Fetch), std::nullopt);
}

TEST_F(MmuTest, ABusErrorInAWalkGivesAnAccessFault) {
    tables_.memory.erase(lowest_entry(3));
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access), access_fault(access));
    }
}

TEST_F(MmuTest, AddressSpacesDoNotShareEntriesUnlessGlobal) {
    translate(Access::Load);
    use_address_space(2);
    EXPECT_NE(translate(Access::Load).walk, nullptr);
    use_address_space(1);
    EXPECT_EQ(translate(Access::Load).walk, nullptr);

    mmu_.flush(std::nullopt, std::nullopt);
    map(kLeafBits | pte::kG);
    translate(Access::Load);
    use_address_space(3);
    EXPECT_EQ(translate(Access::Load).walk, nullptr);
}

/// Privileged specification, 4.3.1: G of a pointer makes all that lies below it global.
TEST_F(MmuTest, APointerCanBeGlobal) {
    EXPECT_FALSE(translate(Access::Fetch).global);
    mmu_.flush(std::nullopt, std::nullopt);
    tables_.memory[root_entry(1)] |= pte::kG;
    EXPECT_TRUE(translate(Access::Fetch).global);
    use_address_space(2);
    const Translation shared = translate(Access::Fetch);
    EXPECT_EQ(shared.walk, nullptr);
    EXPECT_TRUE(shared.global);
}

TEST_F(MmuTest, FlushOfOneAddressWorksInBothHalvesOfTheAddressSpace) {
    constexpr Address kUpper = 0xFFFF'FFC0'0000'0000 | 0x40'3123;
    tables_.memory[root_entry(256)] = pointer_to(kMiddle);
    for (const Address address : {kVirtual, kUpper}) {
        ASSERT_FALSE(translate(Access::Load, Privilege::Supervisor, address).fault);
        ASSERT_EQ(translate(Access::Load, Privilege::Supervisor, address).walk, nullptr);
        mmu_.flush(address & ~Address{0xFFF}, std::nullopt);
        EXPECT_NE(translate(Access::Load, Privilege::Supervisor, address).walk, nullptr);
    }
}

TEST_F(MmuTest, FlushReachesBothTlbs) {
    translate(Access::Load);
    translate(Access::Fetch);
    mmu_.flush(kVirtual, std::nullopt);
    EXPECT_NE(translate(Access::Load).walk, nullptr);
    EXPECT_NE(translate(Access::Fetch).walk, nullptr);
}

// --- Svadu --------------------------------------------------------------------------------------

constexpr std::uint64_t kAdueBit = std::uint64_t{1} << 61;

class MmuUpdateTest : public MmuTest {
  protected:
    MmuUpdateTest() { csr_.write(csr::kMenvcfg, kAdueBit); }
    std::uint64_t flags() { return tables_.memory[lowest_entry(3)] & 0x3FF; }
};

/// A for every access, D for a store; the entry is written once and as a whole.
TEST_F(MmuUpdateTest, SetsTheBitsThatAnAccessNeeds) {
    for (const Access access : kKinds) {
        for (const std::uint64_t held : {std::uint64_t{0}, pte::kA, pte::kD, pte::kA | pte::kD}) {
            const std::uint64_t base = kLeafBits & ~(pte::kA | pte::kD);
            const std::uint64_t after =
                base | held | pte::kA | (access == Access::Store ? pte::kD : 0);
            map(base | held);
            tables_.writes.clear();
            EXPECT_FALSE(fault(access));
            EXPECT_EQ(tables_.memory[lowest_entry(3)], leaf_of(kPageBytes, after));
            const bool changes = after != (base | held);
            EXPECT_EQ(tables_.writes,
                      changes ? std::vector<Address>{lowest_entry(3)} : std::vector<Address>{});
            const std::size_t reads = tables_.reads.size();
            EXPECT_EQ(translate(access).physical, kPageBytes | 0x123);
            EXPECT_EQ(tables_.reads.size(), reads) << "the TLB has it";
        }
    }
}

TEST_F(MmuUpdateTest, TellsTheTimingModelOfTheWrite) {
    map(kLeafBits & ~pte::kA);
    EXPECT_TRUE(translate(Access::Load).walk->updates);
    mmu_.flush(std::nullopt, std::nullopt);
    EXPECT_FALSE(translate(Access::Load).walk->updates);
}

TEST_F(MmuUpdateTest, AStoreToACleanPageWalksOnceMore) {
    map(kLeafBits & ~pte::kD);
    EXPECT_FALSE(translate(Access::Load).fault);
    EXPECT_EQ(flags(), kLeafBits & ~pte::kD);
    const Translation store = translate(Access::Store);
    ASSERT_NE(store.walk, nullptr);
    EXPECT_TRUE(store.walk->updates);
    EXPECT_EQ(flags(), kLeafBits);
    EXPECT_EQ(translate(Access::Store).walk, nullptr);
    EXPECT_EQ(translate(Access::Load).walk, nullptr);
    // No second entry is left behind: one flush of the page removes it.
    mmu_.flush(kVirtual, std::nullopt);
    map(kLeafBits & ~pte::kW);
    EXPECT_EQ(translate(Access::Store).fault, Cause::StorePage);
}

/// The tables count, not what the TLB holds.
TEST_F(MmuUpdateTest, TheEntryIsReadAgainBeforeItIsWritten) {
    map(kLeafBits & ~pte::kD);
    EXPECT_FALSE(translate(Access::Load).fault);
    map((kLeafBits & ~pte::kD) & ~pte::kW);
    EXPECT_EQ(translate(Access::Store).fault, Cause::StorePage);
    map(0);
    EXPECT_EQ(translate(Access::Store).fault, Cause::StorePage);
    EXPECT_TRUE(tables_.writes.empty());
}

TEST_F(MmuUpdateTest, AnAccessThatIsRefusedSetsNothing) {
    const std::uint64_t clean = kLeafBits & ~(pte::kA | pte::kD);
    map(clean & ~pte::kW);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
    map(clean & ~pte::kX);
    EXPECT_EQ(fault(Access::Fetch), Cause::InstructionPage);
    map(clean & ~(pte::kR | pte::kW));
    EXPECT_EQ(fault(Access::Load), Cause::LoadPage);
    map(clean);
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access, Privilege::User), page_fault(access));
    }
    map(clean | pte::kU);
    for (const Access access : kKinds) {
        EXPECT_EQ(fault(access), page_fault(access)) << "without SUM";
    }
    tables_.memory[middle_entry(2)] = leaf_of(Address{1} << 21 | Address{1} << 12, clean);
    EXPECT_EQ(fault(Access::Load), Cause::LoadPage) << "a misaligned superpage";
    EXPECT_TRUE(tables_.writes.empty());
}

TEST_F(MmuUpdateTest, MarksTheLeafOfASuperpageAndNoPointer) {
    tables_.memory[middle_entry(2)] = leaf_of(Address{3} << 21, kLeafBits & ~(pte::kA | pte::kD));
    EXPECT_FALSE(fault(Access::Store));
    EXPECT_EQ(tables_.writes, std::vector<Address>{middle_entry(2)});
    EXPECT_EQ(tables_.memory[middle_entry(2)], leaf_of(Address{3} << 21, kLeafBits));
    EXPECT_EQ(tables_.memory[root_entry(1)], pointer_to(kMiddle));
}

/// "If a store to pte would violate a PMA or PMP check, raise an access-fault exception
/// corresponding to the original access type."
TEST_F(MmuUpdateTest, TablesThatCannotBeWrittenAreAccessFaults) {
    csr_.write(csr::kPmpaddr0, kLowest >> 2 | 0x1FF); // 4 KiB, read-only
    csr_.write(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
    csr_.write(csr::kPmpcfg0, 0x1F19);
    for (const bool marked : {false, true}) {
        map(marked ? kLeafBits : kLeafBits & ~(pte::kA | pte::kD));
        for (const Access access : kKinds) {
            EXPECT_EQ(fault(access), marked ? std::nullopt : std::optional(access_fault(access)));
        }
    }
    EXPECT_TRUE(tables_.writes.empty());
    csr_.write(csr::kPmpcfg0, 0x1F1F);
    tables_.read_only = true;
    map(kLeafBits & ~pte::kD);
    EXPECT_EQ(fault(Access::Store), Cause::StoreAccess);
}

TEST_F(MmuUpdateTest, WhatIsFetchedAheadSetsNothing) {
    map(kLeafBits & ~pte::kA);
    ASSERT_NE(mmu_.walk_code(kVirtual), nullptr);
    EXPECT_FALSE(mmu_.walk_code(kVirtual)->fills_tlb);
    EXPECT_TRUE(tables_.writes.empty());
}

TEST_F(MmuUpdateTest, WithoutTheEnableItFaultsAsSvade) {
    csr_.write(csr::kMenvcfg, 0);
    map(kLeafBits & ~pte::kA);
    expect_page_faults("A is clear");
    map(kLeafBits & ~pte::kD);
    EXPECT_EQ(fault(Access::Store), Cause::StorePage);
    EXPECT_FALSE(translate(Access::Load).fault);
    csr_.write(csr::kMenvcfg, kAdueBit);
    EXPECT_FALSE(translate(Access::Store).fault) << "the TLB holds the page without D";
    EXPECT_EQ(flags(), kLeafBits);
}

} // namespace
} // namespace pes
