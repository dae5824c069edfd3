// SPDX-License-Identifier: Apache-2.0
// Loads, stores and atomics of a whole hart: devices, watched words, misaligned addresses, faults.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

using End = BareMachine::End;
constexpr Address kDevice = BareMachine::kDevice;

HartConfig misaligned_config() {
    HartConfig config = BareMachine::default_config();
    config.misaligned_access = true;
    return config;
}

/// Sv39 tables that map two neighbouring virtual pages, user accessible, to two pages of RAM that
/// are not neighbours; the upper one can be taken away.
class PagedMachine : public BareMachine {
  public:
    static constexpr Address kRoot = kRam + 0x1'0000, kMiddle = kRam + 0x1'1000,
                             kLowest = kRam + 0x1'2000;
    static constexpr Address kFirstPage = kRam + 0x2'0000, kSecondPage = kRam + 0x3'0000;
    static constexpr Address kVirtual = 0x10'0000;
    static constexpr std::uint64_t kAllRights =
        pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;

    explicit PagedMachine(const HartConfig& config = misaligned_config()) : BareMachine(config) {
        open_protection();
        poke(kRoot, pointer(kMiddle));
        poke(kRoot + 16, leaf(kRam)); // identity for code: 1 GiB at 0x8000'0000
        poke(kMiddle, pointer(kLowest));
        map_first(kAllRights);
        map_second(kAllRights);
        set_csr(csr::kSatp, satp::kModeSv39 << satp::kModeShift | kRoot >> 12);
        stop_at_traps();
    }
    void map_first(std::uint64_t bits) { poke(entry(kVirtual), leaf(kFirstPage, bits)); }
    void map_second(std::uint64_t bits) { poke(entry(kVirtual + 0x1000), leaf(kSecondPage, bits)); }

  private:
    static Address entry(Address address) { return kLowest + (address >> 12 & 0x1FF) * 8; }
    static std::uint64_t pointer(Address table) { return table >> 12 << pte::kPpnShift | pte::kV; }
    static std::uint64_t leaf(Address page, std::uint64_t bits = kAllRights) {
        return page >> 12 << pte::kPpnShift | bits;
    }
};

void expect_trap(const BareMachine& machine, Cause cause, std::uint64_t tval) {
    ASSERT_TRUE(machine.trap().has_value());
    EXPECT_EQ(machine.trap()->cause, static_cast<std::uint64_t>(cause));
    EXPECT_EQ(machine.trap()->tval, tval);
}

// --- Devices ------------------------------------------------------------------------------------

TEST(HartDevice, SeesSizeValueAndOrderOfEveryAccess) {
    BareMachine machine;
    machine.set_device_value(0x8877'6655'4433'2211);
    machine.set(a0, kDevice);
    machine.set(a1, 0xFFFF'FFFF'FFFF'FF80);
    ASSERT_EQ(machine.execute({sb(a1, a0, 1), lh(a2, a0, 2), sw(a1, a0, 4), ld(a3, a0, 8)}),
              End::Reached);
    ASSERT_EQ(machine.accesses().size(), 4U);
    const auto& log = machine.accesses();
    EXPECT_EQ(log[0].kind, Access::Store);
    EXPECT_EQ(log[0].address, kDevice + 1);
    EXPECT_EQ(log[0].size, 1U);
    EXPECT_EQ(log[0].value, 0x80U);
    EXPECT_EQ(log[1].kind, Access::Load);
    EXPECT_EQ(log[1].size, 2U);
    EXPECT_EQ(log[2].value, 0xFFFF'FF80U);
    EXPECT_EQ(log[3].size, 8U);
    EXPECT_EQ(machine.get(a2), 0x2211U);
    EXPECT_EQ(machine.get(a3), 0x8877'6655'4433'2211U);
    for (std::size_t index = 1; index < log.size(); ++index) {
        EXPECT_GE(log[index].at, log[index - 1].at);
    }
}

TEST(HartDevice, LatencyDelaysTheLoadThatPaysIt) {
    const auto cycles = [](std::uint32_t latency) {
        BareMachine machine;
        machine.set_device_latency(latency);
        machine.set(a0, kDevice);
        machine.execute({lw(a1, a0, 0), addi(a1, a1, 1)});
        return machine.hart().last_retirement();
    };
    EXPECT_EQ(cycles(25), cycles(0) + 25);
}

TEST(HartDevice, HasSeenTheCounterEdgesBeforeItsAccess) {
    BareMachine machine;
    machine.set(a0, 40);
    machine.set(a1, kDevice);
    machine.set(a2, 0);
    // The threshold on mcycle is passed while the loop runs, long before the store.
    machine.execute({csrw(csr::kMhpmthresholdCycle, a0), addi(a2, a2, 1), addi(a3, a2, -100),
                     bne(a3, zero, -8), sw(a2, a1, 0)});
    ASSERT_EQ(machine.line_edges().size(), 1U);
    ASSERT_EQ(machine.accesses().size(), 1U);
    EXPECT_LT(machine.line_edges()[0].at, machine.accesses()[0].at);
}

TEST(HartDevice, SeesTheEdgeOfACounterThatItsOwnStoreCannotHavePassed) {
    // At each access the bank is at most at the access's own cycle: the past is complete, the
    // future is not touched.
    BareMachine machine;
    std::vector<Cycle> behind;
    machine.on_access([&](const BusAccess& access) {
        EXPECT_LT(machine.bank().now(), access.at);
        behind.push_back(access.at - machine.bank().now());
    });
    machine.set(a0, kDevice);
    machine.execute({lw(a1, a0, 0), addi(a2, zero, 1), lw(a1, a0, 0), lw(a1, a0, 0)});
    EXPECT_EQ(behind.size(), 3U);
}

TEST(HartDevice, BusErrorsBecomeAccessFaultsWithTheAddress) {
    for (const bool is_store : {false, true}) {
        BareMachine machine;
        machine.stop_at_traps();
        machine.set(a0, BareMachine::kDeviceError);
        machine.set(a1, 77);
        machine.execute({is_store ? sw(a1, a0, 4) : lw(a1, a0, 4)});
        expect_trap(machine, is_store ? Cause::StoreAccess : Cause::LoadAccess,
                    BareMachine::kDeviceError + 4);
        EXPECT_EQ(machine.trap()->epc, BareMachine::kCode);
        EXPECT_EQ(machine.get(a1), 77U) << "a load that faults leaves its register";
    }
}

TEST(HartDevice, CodeCannotRunFromADevice) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set(a0, kDevice + 0x10);
    machine.execute({jalr(zero, a0, 0)});
    expect_trap(machine, Cause::InstructionAccess, kDevice + 0x10);
    EXPECT_EQ(machine.trap()->epc, kDevice + 0x10);
    EXPECT_TRUE(machine.accesses().empty());
}

TEST(HartDevice, TakesNoAtomics) {
    for (const Word word : {lr(Width::Word, a1, a0), sc(Width::Word, a1, a2, a0),
                            amoadd(Width::Double, a1, a2, a0)}) {
        BareMachine machine;
        machine.stop_at_traps();
        machine.set(a0, kDevice + 0x20);
        machine.execute({word});
        const bool reads = word == lr(Width::Word, a1, a0);
        expect_trap(machine, reads ? Cause::LoadAccess : Cause::StoreAccess, kDevice + 0x20);
        EXPECT_TRUE(machine.accesses().empty());
    }
}

TEST(HartDevice, WatchedWordsReachTheBusAndTheirNeighboursDoNot) {
    BareMachine machine;
    machine.watch(kData + 8);
    machine.set(a0, kData);
    machine.set(a1, 0x1234);
    machine.execute({sd(a1, a0, 0), sd(a1, a0, 16), sd(a1, a0, 8), sw(a1, a0, 12), sd(a1, a0, 0),
                     ld(a2, a0, 8)});
    ASSERT_EQ(machine.accesses().size(), 3U);
    EXPECT_EQ(machine.accesses()[0].address, kData + 8);
    EXPECT_EQ(machine.accesses()[0].size, 8U);
    EXPECT_EQ(machine.accesses()[1].address, kData + 12);
    EXPECT_EQ(machine.accesses()[2].kind, Access::Load);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0x1234U);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData + 16), 0x1234U);
    EXPECT_EQ(machine.get(a2), 0x1234'0000'1234U);
}

// The RTL of v5.3.0 checks an AMO as a load: docs/hart.md, hart.pmp_check.
TEST(HartProtection, RefusedAtomicHasTheCauseOfWhatItIsCheckedAs) {
    constexpr std::uint64_t kLockedNapot = 0x98;
    for (const auto& [check, cause] : {std::pair{UpstreamDefect::Corrected, Cause::StoreAccess},
                                       {UpstreamDefect::Reproduced, Cause::LoadAccess}}) {
        HartConfig config = BareMachine::default_config();
        config.pmp_check = check;
        BareMachine machine(config);
        machine.set_csr(csr::kPmpaddr0, kData >> 2 | 0x1FF); // 4 KiB without rights
        machine.set_csr(csr::kPmpcfg0, kLockedNapot);
        machine.stop_at_traps();
        machine.set(a0, kData + 0x20);
        machine.execute({amoadd(Width::Double, a1, a2, a0)});
        expect_trap(machine, cause, kData + 0x20);
    }
}

// --- Misaligned addresses -----------------------------------------------------------------------

TEST(HartMisaligned, TrapsByDefaultWithTheAddress) {
    struct Case {
        Word word;
        Cause cause;
        std::int64_t offset;
    };
    for (const Case& one : {Case{lh(a1, a0, 1), Cause::LoadMisaligned, 1},
                            Case{lw(a1, a0, 2), Cause::LoadMisaligned, 2},
                            Case{ld(a1, a0, 4), Cause::LoadMisaligned, 4},
                            Case{sh(a1, a0, 3), Cause::StoreMisaligned, 3},
                            Case{sw(a1, a0, 1), Cause::StoreMisaligned, 1},
                            Case{sd(a1, a0, 7), Cause::StoreMisaligned, 7}}) {
        BareMachine machine;
        machine.stop_at_traps();
        machine.set(a0, kData);
        machine.set(a1, ~std::uint64_t{0});
        machine.execute({one.word});
        expect_trap(machine, one.cause, kData + static_cast<Address>(one.offset));
        EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0U);
        EXPECT_EQ(machine.peek<std::uint64_t>(kData + 8), 0U);
    }
}

TEST(HartBusErrors, AreNotNoticedWithTheDefect) {
    HartConfig config = BareMachine::default_config();
    config.bus_errors = UpstreamDefect::Reproduced;
    BareMachine machine(config);
    machine.set_device_value(0xCA11'AB1E'BADC'AB1E);
    machine.set(a0, BareMachine::kDeviceError);
    ASSERT_EQ(machine.execute({sd(a0, a0, 0), ld(a1, a0, 8), lw(a2, a0, 4)}), End::Reached);
    EXPECT_EQ(machine.get(a1), 0xCA11'AB1E'BADC'AB1EU) << "whatever the bus returns";
    EXPECT_EQ(machine.get(a2), 0xFFFF'FFFF'BADC'AB1EU);
    EXPECT_EQ(machine.hart().traps(), 0U);
}

HartConfig defect_config() {
    HartConfig config = BareMachine::default_config();
    config.misaligned_trap = UpstreamDefect::Reproduced;
    return config;
}

TEST(HartMisalignedDefect, ALoadWithNothingBehindItShiftsItsWord) {
    BareMachine machine(defect_config());
    machine.poke(kData, std::uint64_t{0x8877'6655'4433'2211});
    machine.set(a0, kData);
    ASSERT_EQ(machine.execute({ld(a1, a0, 1), addi(zero, zero, 0), addi(zero, zero, 0),
                               lw(a2, a0, 6), addi(zero, zero, 0)}),
              End::Reached);
    EXPECT_EQ(machine.get(a1), 0x0088'7766'5544'3322U);
    EXPECT_EQ(machine.get(a2), 0x8877U);
}

TEST(HartMisalignedDefect, AStoreWithNothingBehindItStaysInItsWord) {
    BareMachine machine(defect_config());
    machine.set(a0, kData);
    machine.set(a1, 0x8877'6655'4433'2211);
    ASSERT_EQ(machine.execute({sd(a1, a0, 1), addi(zero, zero, 0), addi(zero, zero, 0),
                               sw(a1, a0, 10), addi(zero, zero, 0), addi(zero, zero, 0),
                               sw(a1, a0, 0x15), addi(zero, zero, 0)}),
              End::Reached);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0x7766'5544'3322'1188U) << "rotated";
    EXPECT_EQ(machine.peek<std::uint64_t>(kData + 8), 0x0000'4433'2211'0000U);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData + 16), 0U) << "no byte enable for it";
}

TEST(HartMisalignedDefect, AnAccessTrapsForTheMisalignedOneDirectlyBehindIt) {
    BareMachine machine(defect_config());
    machine.stop_at_traps();
    machine.set(a0, kData);
    machine.set(a1, ~std::uint64_t{0});
    machine.execute({addi(zero, zero, 0), sd(a1, a0, 1), lw(a2, a0, 10), addi(zero, zero, 0)});
    expect_trap(machine, Cause::LoadMisaligned, kData + 10);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0U) << "it is the store that trapped";
}

TEST(HartMisalignedDefect, AnAlignedAccessDirectlyBehindItRaisesNothing) {
    BareMachine machine(defect_config());
    machine.set(a0, kData);
    machine.set(a1, ~std::uint64_t{0});
    EXPECT_EQ(
        machine.execute({addi(zero, zero, 0), sd(a1, a0, 1), sd(a1, a0, 8), addi(zero, zero, 0)}),
        End::Reached);
}

TEST(HartMisaligned, WorksByConfiguration) {
    BareMachine machine(misaligned_config());
    machine.set(a0, kData);
    machine.set(a1, 0x8877'6655'4433'2211);
    ASSERT_EQ(machine.execute({sd(a1, a0, 3), ld(a2, a0, 3), lw(a3, a0, 7), lh(a4, a0, 5),
                               sh(a1, a0, 0x11), sw(a1, a0, 0x16)}),
              End::Reached);
    EXPECT_EQ(machine.get(a2), 0x8877'6655'4433'2211U);
    EXPECT_EQ(machine.get(a3), 0xFFFF'FFFF'8877'6655U) << "sign-extended";
    EXPECT_EQ(machine.get(a4), 0x4433U);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0x5544'3322'1100'0000U);
    EXPECT_EQ(machine.peek<std::uint32_t>(kData + 8), 0x0088'7766U);
    EXPECT_EQ(machine.peek<std::uint32_t>(kData + 0x10), 0x0022'1100U);
    EXPECT_EQ(machine.peek<std::uint32_t>(kData + 0x16), 0x4433'2211U);
}

TEST(HartMisaligned, AccessesToDevicesAndWatchedWordsFault) {
    for (const Address address : {kDevice + 1, kData + 6}) {
        BareMachine machine(misaligned_config());
        machine.watch(kData + 8);
        machine.stop_at_traps();
        machine.set(a0, address);
        machine.execute({sw(a1, a0, 0)});
        EXPECT_TRUE(machine.accesses().empty());
        const Address first_bad = address == kDevice + 1 ? address : kData + 8;
        expect_trap(machine, Cause::StoreAccess, first_bad);
    }
}

TEST(HartMisaligned, AtomicsTrapEvenThen) {
    for (const Word word : {lr(Width::Double, a1, a0), sc(Width::Double, a1, a2, a0),
                            amoadd(Width::Word, a1, a2, a0)}) {
        BareMachine machine(misaligned_config());
        machine.stop_at_traps();
        machine.set(a0, kData + 2);
        machine.execute({word});
        const bool reads = word == lr(Width::Double, a1, a0);
        expect_trap(machine, reads ? Cause::LoadMisaligned : Cause::StoreMisaligned, kData + 2);
    }
}

TEST(HartMisaligned, CrossesPagesThatAreNotNeighboursInMemory) {
    PagedMachine machine;
    machine.set(a0, PagedMachine::kVirtual + 0xFFC);
    machine.set(a1, 0x8877'6655'4433'2211);
    machine.execute_in(Privilege::Supervisor, {sd(a1, a0, 0), ld(a2, a0, 0)});
    EXPECT_FALSE(machine.trap());
    EXPECT_EQ(machine.get(a2), 0x8877'6655'4433'2211U);
    EXPECT_EQ(machine.peek<std::uint32_t>(PagedMachine::kFirstPage + 0xFFC), 0x4433'2211U);
    EXPECT_EQ(machine.peek<std::uint32_t>(PagedMachine::kSecondPage), 0x8877'6655U);
}

TEST(HartMisaligned, AFaultInTheSecondPageReportsItAndStoresNothing) {
    for (const bool is_store : {false, true}) {
        PagedMachine machine;
        machine.map_second(0);
        machine.set(a0, PagedMachine::kVirtual + 0xFFD);
        machine.set(a1, ~std::uint64_t{0});
        machine.execute_in(Privilege::Supervisor, {is_store ? sd(a1, a0, 0) : ld(a1, a0, 0)});
        expect_trap(machine, is_store ? Cause::StorePage : Cause::LoadPage,
                    PagedMachine::kVirtual + 0x1000);
        EXPECT_EQ(machine.peek<std::uint32_t>(PagedMachine::kFirstPage + 0xFFC), 0U);
    }
}

TEST(HartMisaligned, ReadOnlySecondPageLeavesNoPartialStore) {
    PagedMachine machine;
    machine.map_second(pte::kV | pte::kR | pte::kA);
    machine.set(a0, PagedMachine::kVirtual + 0xFFE);
    machine.set(a1, ~std::uint64_t{0});
    machine.execute_in(Privilege::Supervisor, {sw(a1, a0, 0)});
    expect_trap(machine, Cause::StorePage, PagedMachine::kVirtual + 0x1000);
    EXPECT_EQ(machine.peek<std::uint32_t>(PagedMachine::kFirstPage + 0xFFC), 0U);
}

TEST(HartMisalignedDefect, AnAccessToAPageThatIsNotInTheTlbTrapsByItself) {
    for (const bool known : {false, true}) {
        PagedMachine machine(defect_config());
        machine.set(a0, PagedMachine::kVirtual);
        const std::uint32_t first = known ? ld(a2, a0, 0) : addi(a2, zero, 0);
        machine.execute_in(Privilege::Supervisor, {first, addi(zero, zero, 0), ld(a1, a0, 1),
                                                   addi(zero, zero, 0), addi(zero, zero, 0)});
        EXPECT_EQ(machine.trap().has_value(), !known);
        if (!known) {
            expect_trap(machine, Cause::LoadMisaligned, PagedMachine::kVirtual + 1);
        }
    }
}

// --- Protection and translation of data ---------------------------------------------------------

/// The address is translated before PMP looks at it.
TEST(HartProtection, RefusesAnAccessBehindItsPageWalk) {
    constexpr std::uint64_t kOpenBehindFour = std::uint64_t{0x1F} << 8 | 0x10; // NA4, no rights
    const auto cycles = [](bool known) {
        PagedMachine machine;
        machine.set_csr(csr::kPmpaddr0, PagedMachine::kFirstPage >> 2);
        machine.set_csr(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
        machine.set_csr(csr::kPmpcfg0, kOpenBehindFour);
        machine.set(a0, PagedMachine::kVirtual);
        const std::uint32_t first = known ? lw(a2, a0, 64) : addi(a2, zero, 0);
        machine.execute_in(Privilege::Supervisor, {first, addi(a2, a2, 0), lw(a1, a0, 0)});
        expect_trap(machine, Cause::LoadAccess, PagedMachine::kVirtual);
        return machine.trap()->cycle;
    };
    EXPECT_GT(cycles(false) + 16, cycles(true)); // one walk of three reads in either
}

TEST(HartProtection, AppliesToTheModeAndSurvivesTheQuickWay) {
    BareMachine machine;
    machine.stop_at_traps();
    constexpr std::uint64_t kReadExecute = 0x1D;
    machine.set_csr(csr::kPmpaddr0, ~std::uint64_t{0});
    machine.set_csr(csr::kPmpcfg0, kReadExecute);
    machine.set(a0, kData);
    machine.execute({sw(a0, a0, 0), lw(a1, a0, 0)});
    EXPECT_FALSE(machine.trap()) << "M-mode is not bound, and its page is now known";
    machine.execute_in(Privilege::User, {lw(a1, a0, 0), sw(a0, a0, 0)});
    expect_trap(machine, Cause::StoreAccess, kData);
    EXPECT_EQ(machine.trap()->epc, BareMachine::kCode + 4);
}

TEST(HartProtection, ANewEntryHoldsForTheNextAccess) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set(a0, kData);
    machine.set(a1, kData >> 2);
    machine.set(a2, 0x90); // locked, NA4, no rights
    machine.execute({sw(zero, a0, 0), csrw(csr::kPmpaddr0, a1), csrw(csr::kPmpcfg0, a2),
                     sw(zero, a0, 4), sw(zero, a0, 0)});
    expect_trap(machine, Cause::StoreAccess, kData);
    EXPECT_EQ(machine.trap()->epc, BareMachine::kCode + 16);
}

TEST(HartProtection, ModifyPrivilegeUsesTheRightsOfThePreviousMode) {
    PagedMachine machine;
    machine.set(a0, PagedMachine::kVirtual);
    machine.set(a1, 0x55);
    machine.set_csr(csr::kMstatus, mstatus::kMprv | std::uint64_t{1} << mstatus::kMppShift);
    ASSERT_EQ(machine.execute({sw(a1, a0, 0)}), End::Reached);
    EXPECT_FALSE(machine.trap());
    EXPECT_EQ(machine.peek<std::uint32_t>(PagedMachine::kFirstPage), 0x55U);
    // MPP = U: the page has no U bit
    machine.set_csr(csr::kMstatus, mstatus::kMprv);
    machine.execute({sw(a1, a0, 0)});
    expect_trap(machine, Cause::StorePage, PagedMachine::kVirtual);
}

TEST(HartProtection, TranslationFaultsReportTheVirtualAddress) {
    PagedMachine machine;
    machine.map_first(pte::kV | pte::kR | pte::kA);
    machine.set(a0, PagedMachine::kVirtual + 0x40);
    machine.execute_in(Privilege::Supervisor, {lw(a1, a0, 8), sw(a1, a0, 16)});
    expect_trap(machine, Cause::StorePage, PagedMachine::kVirtual + 0x50);
}

// --- LR, SC, AMO --------------------------------------------------------------------------------

TEST(HartAtomic, StoreConditionalAfterLoadReservedSucceedsOnce) {
    BareMachine machine;
    machine.poke<std::uint32_t>(kData, 0x8000'0005);
    machine.set(a0, kData);
    machine.set(a2, 7);
    machine.execute({lr(Width::Word, a1, a0), sc(Width::Word, a3, a2, a0), addi(a2, a2, 1),
                     sc(Width::Word, a4, a2, a0)});
    EXPECT_EQ(machine.get(a1), 0xFFFF'FFFF'8000'0005U);
    EXPECT_EQ(machine.get(a3), 0U);
    EXPECT_EQ(machine.get(a4), 1U) << "the reservation is used up";
    EXPECT_EQ(machine.peek<std::uint32_t>(kData), 7U);
}

TEST(HartAtomic, StoreConditionalWithoutReservationFails) {
    BareMachine machine;
    machine.set(a0, kData);
    machine.set(a2, 7);
    machine.execute({sc(Width::Double, a3, a2, a0)});
    EXPECT_EQ(machine.get(a3), 1U);
    EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0U);
}

TEST(HartAtomic, AnyStoreConditionalEndsTheReservation) {
    BareMachine machine;
    machine.set(a0, kData);
    machine.set(a1, kData + 64);
    machine.set(a2, 7);
    machine.execute(
        {lr(Width::Word, a5, a0), sc(Width::Word, a3, a2, a1), sc(Width::Word, a4, a2, a0)});
    EXPECT_EQ(machine.get(a3), 1U) << "another address";
    EXPECT_EQ(machine.get(a4), 1U);
    EXPECT_EQ(machine.peek<std::uint32_t>(kData), 0U);
    EXPECT_EQ(machine.peek<std::uint32_t>(kData + 64), 0U);
}

TEST(HartAtomic, OnlyTheLatestReservationCounts) {
    BareMachine machine;
    machine.set(a0, kData);
    machine.set(a1, kData + 64);
    machine.set(a2, 7);
    machine.execute({lr(Width::Word, a5, a0), lr(Width::Word, a5, a1), sc(Width::Word, a3, a2, a0),
                     lr(Width::Word, a5, a0), lr(Width::Word, a5, a1),
                     sc(Width::Word, a4, a2, a1)});
    EXPECT_EQ(machine.get(a3), 1U);
    EXPECT_EQ(machine.get(a4), 0U);
}

TEST(HartAtomic, OperationsReturnTheOldValueAndStoreTheNew) {
    struct Case {
        Word funct5;
        std::uint32_t expected; ///< of memory 0x8000'0003 and register 0x0000'0006
    };
    for (const Case& one : {Case{0x01, 6}, Case{0x00, 0x8000'0009}, Case{0x04, 0x8000'0005},
                            Case{0x0C, 2}, Case{0x08, 0x8000'0007}, Case{0x10, 0x8000'0003},
                            Case{0x14, 6}, Case{0x18, 6}, Case{0x1C, 0x8000'0003}}) {
        BareMachine machine;
        machine.poke<std::uint64_t>(kData, 0x1111'1111'8000'0003);
        machine.set(a0, kData);
        machine.set(a2, 0xABCD'0000'0000'0006); // upper half is not looked at
        machine.execute({atomic(one.funct5, Width::Word, a1, a2, a0)});
        EXPECT_EQ(machine.get(a1), 0xFFFF'FFFF'8000'0003U);
        EXPECT_EQ(machine.peek<std::uint64_t>(kData), 0x1111'1111'0000'0000U | one.expected)
            << one.funct5;
    }
}

TEST(HartAtomic, AnAmoThatMayNotWriteFaultsAsAStore) {
    PagedMachine machine;
    machine.map_first(pte::kV | pte::kR | pte::kA);
    machine.set(a0, PagedMachine::kVirtual);
    machine.execute_in(Privilege::Supervisor, {amoadd(Width::Word, a1, a2, a0)});
    expect_trap(machine, Cause::StorePage, PagedMachine::kVirtual);
}

} // namespace
} // namespace pes::test
