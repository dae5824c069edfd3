// SPDX-License-Identifier: Apache-2.0
// Physical memory protection against privileged specification 1.12, section 3.7.
#include "hw/core/memory/pmp.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

namespace pes {
namespace {

constexpr std::uint64_t kR = 1, kW = 2, kX = 4, kTor = 1 << 3, kNa4 = 2 << 3, kNapot = 3 << 3,
                        kL = 1 << 7;
constexpr std::uint64_t kRwx = kR | kW | kX;
constexpr Address kBase = 0x8000'0000;

void configure(Pmp& pmp, unsigned entry, std::uint64_t config) {
    const unsigned index = entry / 8 * 2;
    const unsigned shift = entry % 8 * 8;
    const std::uint64_t others = pmp.read_config(index) & ~(std::uint64_t{0xFF} << shift);
    pmp.write_config(index, others | config << shift);
}
std::uint64_t config_of(const Pmp& pmp, unsigned entry) {
    return pmp.read_config(entry / 8 * 2) >> (entry % 8 * 8) & 0xFF;
}
/// pmpaddr of the naturally aligned power-of-two region [base, base + size), size >= 8.
std::uint64_t napot(Address base, std::uint64_t size) {
    return base >> 2 | (size / 8 - 1);
}
bool user_loads(const Pmp& pmp, Address address, unsigned size = 1) {
    return pmp.allows(address, size, Access::Load, Privilege::User);
}

TEST(Pmp, WithoutAMatchOnlyMachineModeMayAccess) {
    const Pmp pmp(8);
    for (const Access access : {Access::Fetch, Access::Load, Access::Store}) {
        EXPECT_TRUE(pmp.allows(kBase, 4, access, Privilege::Machine));
        EXPECT_FALSE(pmp.allows(kBase, 4, access, Privilege::Supervisor));
        EXPECT_FALSE(pmp.allows(kBase, 4, access, Privilege::User));
    }
}

TEST(Pmp, WithoutEntriesEveryModeMayAccess) {
    Pmp pmp(0);
    EXPECT_TRUE(pmp.allows(kBase, 8, Access::Store, Privilege::User));
    pmp.write_address(0, 123);
    pmp.write_config(0, kNapot | kL);
    EXPECT_EQ(pmp.read_address(0), 0U);
    EXPECT_EQ(pmp.read_config(0), 0U);
    EXPECT_TRUE(pmp.allows(kBase, 8, Access::Store, Privilege::User));
}

TEST(Pmp, WithoutNapotTheModeStays) {
    Pmp pmp(64, 8, PmpNapot::Absent);
    configure(pmp, 63, kTor | kRwx);
    configure(pmp, 63, kNapot | kR);
    EXPECT_EQ(config_of(pmp, 63), kTor | kR);
    configure(pmp, 0, kNapot | kRwx);
    EXPECT_EQ(config_of(pmp, 0), kRwx);
    pmp.write_address(62, kBase >> 2);
    pmp.write_address(63, (kBase + 0x1000) >> 2);
    EXPECT_TRUE(user_loads(pmp, kBase));
    EXPECT_FALSE(user_loads(pmp, kBase + 0x1000));
}

TEST(Pmp, EntriesBeyondTheImplementedOnesAreZero) {
    Pmp pmp(8);
    pmp.write_address(8, ~std::uint64_t{0});
    pmp.write_config(2, ~std::uint64_t{0});
    EXPECT_EQ(pmp.read_address(8), 0U);
    EXPECT_EQ(pmp.read_config(2), 0U);
}

TEST(Pmp, AddressRegistersHold54Bits) {
    Pmp pmp(16);
    pmp.write_address(15, ~std::uint64_t{0});
    EXPECT_EQ(pmp.read_address(15), (std::uint64_t{1} << 54) - 1);
}

TEST(Pmp, ReservedConfigurationBitsReadZero) {
    Pmp pmp(16);
    configure(pmp, 9, 0x60 | kRwx);
    EXPECT_EQ(config_of(pmp, 9), kRwx);
}

TEST(Pmp, WriteWithoutReadIsReservedAndLosesTheWrite) {
    Pmp pmp(8);
    configure(pmp, 0, kW | kNa4);
    EXPECT_EQ(config_of(pmp, 0), kNa4);
    configure(pmp, 0, kW | kX | kNa4);
    EXPECT_EQ(config_of(pmp, 0), kX | kNa4);
    configure(pmp, 0, kR | kW | kNa4);
    EXPECT_EQ(config_of(pmp, 0), kR | kW | kNa4);
}

TEST(Pmp, OffEntriesMatchNothingButTheirAddressBoundsTheNextOne) {
    Pmp pmp(8);
    pmp.write_address(0, kBase >> 2);
    configure(pmp, 0, kRwx);
    EXPECT_FALSE(user_loads(pmp, kBase));
    pmp.write_address(1, (kBase + 16) >> 2);
    configure(pmp, 1, kTor | kRwx);
    EXPECT_FALSE(user_loads(pmp, kBase - 1));
    EXPECT_TRUE(user_loads(pmp, kBase));
    EXPECT_TRUE(user_loads(pmp, kBase + 15));
    EXPECT_FALSE(user_loads(pmp, kBase + 16));
}

TEST(Pmp, TheFirstTopOfRangeEntryStartsAtZero) {
    Pmp pmp(8);
    pmp.write_address(0, kBase >> 2);
    configure(pmp, 0, kTor | kR);
    EXPECT_TRUE(user_loads(pmp, 0));
    EXPECT_TRUE(user_loads(pmp, kBase - 1));
    EXPECT_FALSE(user_loads(pmp, kBase));
}

TEST(Pmp, ATopOfRangeAtOrBelowItsBottomMatchesNothing) {
    Pmp pmp(8);
    pmp.write_address(0, (kBase + 64) >> 2);
    pmp.write_address(1, (kBase + 64) >> 2);
    pmp.write_address(2, kBase >> 2);
    configure(pmp, 1, kTor | kR);
    configure(pmp, 2, kTor | kR);
    for (Address address = kBase - 8; address < kBase + 80; ++address) {
        EXPECT_FALSE(user_loads(pmp, address)) << address;
    }
}

TEST(Pmp, FourByteEntryCoversFourBytes) {
    Pmp pmp(8);
    pmp.write_address(0, kBase >> 2);
    configure(pmp, 0, kNa4 | kR);
    EXPECT_FALSE(user_loads(pmp, kBase - 1));
    EXPECT_TRUE(user_loads(pmp, kBase, 4));
    EXPECT_TRUE(user_loads(pmp, kBase + 3));
    EXPECT_FALSE(user_loads(pmp, kBase + 4));
}

/// Sections 3.7.1 and 3.7.1.1, "Address Matching".
TEST(Pmp, ACoarserGrainHasNoFourByteEntries) {
    Pmp pmp(8, 8);
    configure(pmp, 0, kNa4 | kR);
    EXPECT_EQ(config_of(pmp, 0), kR);
    configure(pmp, 0, kNapot | kR);
    configure(pmp, 0, kNa4 | kR | kX);
    EXPECT_EQ(config_of(pmp, 0), kNapot | kR | kX);
}

TEST(Pmp, ACoarserGrainShowsInTheAddressRegister) {
    constexpr std::uint64_t kAll = (std::uint64_t{1} << 54) - 1;
    for (const unsigned grain : {1U, 2U, 4U, 10U}) {
        Pmp pmp(8, 4U << grain);
        const std::uint64_t below = (std::uint64_t{1} << grain) - 1;
        pmp.write_address(0, ~std::uint64_t{0});
        EXPECT_EQ(pmp.read_address(0), kAll & ~below) << "lowest bit set tells G: " << grain;
        configure(pmp, 0, kTor);
        EXPECT_EQ(pmp.read_address(0), kAll & ~below);
        configure(pmp, 0, kNapot);
        EXPECT_EQ(pmp.read_address(0), kAll) << "the mode does not change what was written";
        pmp.write_address(0, 0);
        EXPECT_EQ(pmp.read_address(0), below >> 1);
    }
}

TEST(Pmp, PowerOfTwoRegionsHaveExactEdges) {
    for (std::uint64_t size = 8; size <= (std::uint64_t{1} << 30); size *= 2) {
        Pmp pmp(8);
        pmp.write_address(0, napot(kBase, size));
        configure(pmp, 0, kNapot | kR);
        EXPECT_FALSE(user_loads(pmp, kBase - 1)) << size;
        EXPECT_TRUE(user_loads(pmp, kBase)) << size;
        EXPECT_TRUE(user_loads(pmp, kBase + size - 1)) << size;
        EXPECT_FALSE(user_loads(pmp, kBase + size)) << size;
    }
}

TEST(Pmp, AnAddressOfAllOnesCoversThePhysicalAddressSpace) {
    Pmp pmp(8);
    pmp.write_address(0, ~std::uint64_t{0});
    configure(pmp, 0, kNapot | kR);
    EXPECT_TRUE(user_loads(pmp, 0));
    EXPECT_TRUE(user_loads(pmp, (Address{1} << 56) - 1));
}

TEST(Pmp, EachPermissionGuardsItsOwnKindOfAccess) {
    for (const std::uint64_t permission : {kR, kX, kR | kW, kR | kX, kRwx, std::uint64_t{0}}) {
        Pmp pmp(8);
        pmp.write_address(0, kBase >> 2);
        configure(pmp, 0, kNa4 | permission);
        for (const Privilege mode : {Privilege::User, Privilege::Supervisor}) {
            EXPECT_EQ(pmp.allows(kBase, 4, Access::Load, mode), (permission & kR) != 0);
            EXPECT_EQ(pmp.allows(kBase, 4, Access::Store, mode), (permission & kW) != 0);
            EXPECT_EQ(pmp.allows(kBase, 4, Access::Fetch, mode), (permission & kX) != 0);
        }
        EXPECT_TRUE(pmp.allows(kBase, 4, Access::Store, Privilege::Machine));
    }
}

TEST(Pmp, LockedEntriesBindMachineModeToo) {
    Pmp pmp(8);
    pmp.write_address(3, kBase >> 2);
    configure(pmp, 3, kNa4 | kR | kL);
    EXPECT_TRUE(pmp.allows(kBase, 4, Access::Load, Privilege::Machine));
    EXPECT_FALSE(pmp.allows(kBase, 4, Access::Store, Privilege::Machine));
    EXPECT_FALSE(pmp.allows(kBase, 4, Access::Fetch, Privilege::Machine));
    EXPECT_TRUE(pmp.allows(kBase + 4, 4, Access::Store, Privilege::Machine));
}

TEST(Pmp, LockedEntriesCannotBeWritten) {
    Pmp pmp(8);
    pmp.write_address(2, kBase >> 2);
    configure(pmp, 2, kNa4 | kR | kL);
    configure(pmp, 2, kRwx);
    pmp.write_address(2, 0);
    EXPECT_EQ(config_of(pmp, 2), kNa4 | kR | kL);
    EXPECT_EQ(pmp.read_address(2), kBase >> 2);
    configure(pmp, 3, kRwx);
    EXPECT_EQ(config_of(pmp, 3), kRwx) << "its neighbours can";
}

TEST(Pmp, EntriesThatAreOffCanBeLocked) {
    Pmp pmp(8);
    configure(pmp, 0, kL);
    pmp.write_address(0, 5);
    EXPECT_EQ(pmp.read_address(0), 0U);
}

TEST(Pmp, ALockedTopOfRangeLocksTheAddressBelow) {
    Pmp pmp(8);
    pmp.write_address(4, kBase >> 2);
    pmp.write_address(5, (kBase + 64) >> 2);
    configure(pmp, 5, kTor | kR | kL);
    pmp.write_address(4, 0);
    EXPECT_EQ(pmp.read_address(4), kBase >> 2);
    configure(pmp, 4, kR);
    EXPECT_EQ(config_of(pmp, 4), kR) << "the configuration below stays free";
}

TEST(Pmp, OtherLockedModesLeaveTheAddressBelowFree) {
    Pmp pmp(8);
    pmp.write_address(5, kBase >> 2);
    configure(pmp, 5, kNa4 | kR | kL);
    pmp.write_address(4, 7);
    EXPECT_EQ(pmp.read_address(4), 7U);
}

TEST(Pmp, TheLowestMatchingEntryDecides) {
    Pmp pmp(8);
    pmp.write_address(1, kBase >> 2);
    pmp.write_address(2, napot(kBase, 4096));
    configure(pmp, 1, kNa4);
    configure(pmp, 2, kNapot | kRwx);
    EXPECT_FALSE(user_loads(pmp, kBase));
    EXPECT_TRUE(user_loads(pmp, kBase + 4));
    configure(pmp, 1, 0);
    EXPECT_TRUE(user_loads(pmp, kBase));
}

TEST(Pmp, APartialMatchFailsWhateverThePermissions) {
    Pmp pmp(8);
    pmp.write_address(0, (kBase + 4) >> 2);
    pmp.write_address(1, napot(kBase, 4096));
    configure(pmp, 0, kNa4 | kRwx);
    configure(pmp, 1, kNapot | kRwx);
    EXPECT_FALSE(user_loads(pmp, kBase, 8)) << "upper half";
    EXPECT_TRUE(user_loads(pmp, kBase, 4));
    EXPECT_TRUE(user_loads(pmp, kBase + 4, 4));
    EXPECT_FALSE(user_loads(pmp, kBase + 4, 8)) << "lower half";
}

TEST(Pmp, APartialMatchFailsInMachineModeWithoutLock) {
    Pmp pmp(8);
    pmp.write_address(0, kBase >> 2);
    configure(pmp, 0, kNa4 | kRwx);
    for (const Access access : {Access::Load, Access::Store}) {
        EXPECT_FALSE(pmp.allows(kBase, 8, access, Privilege::Machine));
        EXPECT_TRUE(pmp.allows(kBase, 4, access, Privilege::Machine));
        EXPECT_TRUE(pmp.allows(kBase + 8, 8, access, Privilege::Machine));
    }
}

/// One answer for each aligned access of 1, 2, 4 and 8 bytes to the page, or none.
bool one_answer(const Pmp& pmp, Address page, Access access, Privilege privilege) {
    const bool first = pmp.allows(page, 1, access, privilege);
    for (unsigned size = 1; size <= 8; size *= 2) {
        for (Address address = page; address < page + 0x1000; address += size) {
            if (pmp.allows(address, size, access, privilege) != first) {
                return false;
            }
        }
    }
    return true;
}

class RandomPmp {
  public:
    explicit RandomPmp(unsigned seed) : random_(seed) {}

    Pmp make(unsigned granularity = 4) {
        Pmp pmp(16, granularity);
        for (unsigned entry = 0; entry < 16; ++entry) {
            pmp.write_address(entry, address());
        }
        for (unsigned entry = 0; entry < 16; ++entry) {
            const bool off = below(2) == 0;
            configure(pmp, entry, below(8) | (off ? 0 : below(4) << 3) | (below(8) == 0 ? kL : 0));
        }
        return pmp;
    }
    Address page() { return kBase + below(4) * 0x1000; }

  private:
    std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
    /// Near the pages under test, often exactly on their edges, with random low ones for NAPOT.
    std::uint64_t address() {
        const std::uint64_t ones = (std::uint64_t{1} << below(14)) - 1;
        const std::uint64_t near = (kBase + below(5) * 0x1000) >> 2;
        switch (below(4)) {
        case 0:
            return near | ones;
        case 1:
            return near + below(1024);
        case 2:
            return near;
        default:
            return random_();
        }
    }
    std::mt19937_64 random_;
};

TEST(Pmp, PagesCalledUniformHaveOneAnswer) {
    RandomPmp source(1);
    unsigned uniform = 0;
    for (unsigned trial = 0; trial < 400; ++trial) {
        const Pmp pmp = source.make();
        const Address page = source.page();
        if (!pmp.uniform_in_page(page + trial)) {
            continue;
        }
        ++uniform;
        for (const Access access : {Access::Fetch, Access::Load, Access::Store}) {
            for (const Privilege mode : {Privilege::User, Privilege::Machine}) {
                ASSERT_TRUE(one_answer(pmp, page, access, mode)) << "trial " << trial;
            }
        }
    }
    EXPECT_GT(uniform, 50U) << "the trials must exercise both answers";
    EXPECT_LT(uniform, 350U);
}

/// Section 3.7.1 word by word, one byte at a time.
bool allowed_by_specification(const Pmp& pmp, unsigned granularity, Address address, unsigned size,
                              std::uint64_t needed, Privilege privilege) {
    for (unsigned entry = 0; entry < 16; ++entry) {
        const std::uint64_t config = config_of(pmp, entry);
        const std::uint64_t top = pmp.read_address(entry);
        const auto covers = [&](Address byte) {
            const std::uint64_t word = byte >> 2;
            const auto bound = [&](std::uint64_t value) {
                return value & ~(granularity / 4 - 1ULL);
            };
            switch (config & kNapot) {
            case kTor:
                return (entry == 0 || word >= bound(pmp.read_address(entry - 1))) &&
                       word < bound(top);
            case kNa4:
                return word == top;
            case kNapot: {
                unsigned ignored = 1; // word-address bits: trailing ones and the zero above them
                while (ignored < 55 && (top >> (ignored - 1) & 1) != 0) {
                    ++ignored;
                }
                return word >> ignored == top >> ignored;
            }
            default:
                return false;
            }
        };
        unsigned matched = 0;
        for (unsigned byte = 0; byte < size; ++byte) {
            matched += covers(address + byte) ? 1 : 0;
        }
        if (matched != 0) {
            const bool bound = privilege != Privilege::Machine || (config & kL) != 0;
            return matched == size && (!bound || (config & needed) != 0);
        }
    }
    return privilege == Privilege::Machine;
}

TEST(Pmp, RandomConfigurationsAgreeWithTheSpecificationByteByByte) {
    RandomPmp source(2);
    std::mt19937_64 random(3);
    constexpr std::array kNeeded{kX, kR, kW};
    constexpr std::array kGranularities{4U, 8U, 64U, 4096U};
    for (unsigned trial = 0; trial < 6000; ++trial) {
        const unsigned granularity = kGranularities[trial % kGranularities.size()];
        const Pmp pmp = source.make(granularity);
        for (unsigned probe = 0; probe < 20; ++probe) {
            const unsigned size = 1U << random() % 4;
            const Address address = (source.page() + random() % 0x1000) & ~Address{size - 1};
            const auto access = static_cast<Access>(random() % 3);
            const Privilege mode = std::array{Privilege::User, Privilege::Supervisor,
                                              Privilege::Machine}[random() % 3];
            ASSERT_EQ(pmp.allows(address, size, access, mode),
                      allowed_by_specification(pmp, granularity, address, size,
                                               kNeeded[static_cast<unsigned>(access)], mode))
                << "trial " << trial << " address " << std::hex << address << " size " << size;
        }
    }
}

} // namespace
} // namespace pes
