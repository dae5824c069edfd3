// SPDX-License-Identifier: Apache-2.0
// Instruction fetch of a whole hart: page borders, protection, self-modified code, trap values, and
// a trap handler that cannot run.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

using End = BareMachine::End;

void expect_trap(const BareMachine& machine, Cause cause, Address epc, std::uint64_t tval) {
    ASSERT_TRUE(machine.trap().has_value());
    EXPECT_EQ(machine.trap()->cause, static_cast<std::uint64_t>(cause));
    EXPECT_EQ(machine.trap()->epc, epc);
    EXPECT_EQ(machine.trap()->tval, tval);
}

TEST(HartFetch, ResetStartsInMachineModeAtTheResetAddress) {
    HartConfig config = BareMachine::default_config();
    config.reset_pc = kCode + 0x40;
    BareMachine machine(config);
    machine.place(kCode + 0x40, {csrr(a0, csr::kMisa), j(0)});
    EXPECT_EQ(machine.hart().state().pc, kCode + 0x40);
    ASSERT_EQ(machine.resume(kCode + 0x44), End::Reached);
    EXPECT_NE(machine.get(a0), 0U);
}

TEST(HartFetch, ANewProgramCounterAfterAStopIsObeyed) {
    BareMachine machine;
    machine.place(kCode, {addi(a0, a0, 1), addi(a2, a2, 1)});
    ASSERT_EQ(machine.run(kCode, kCode + 4), End::Reached);
    machine.place(kCode + 0x100, {addi(a1, a1, 1), j(0)});
    ASSERT_EQ(machine.run(kCode + 0x100, kCode + 0x104), End::Reached);
    EXPECT_EQ(machine.get(a0), 1U);
    EXPECT_EQ(machine.get(a1), 1U);
    EXPECT_EQ(machine.get(a2), 0U) << "fetched before the stop, never executed";
}

TEST(HartFetch, CompressedAndWideInstructionsMix) {
    BareMachine machine;
    machine.poke<std::uint16_t>(kCode, 0x0505); // c.addi a0, 1
    machine.poke<Word>(kCode + 2, addi(a1, a0, 4));
    machine.poke<std::uint16_t>(kCode + 6, 0x0505);
    machine.place(kCode + 8, {j(0)});
    ASSERT_EQ(machine.run(kCode, kCode + 8), End::Reached);
    EXPECT_EQ(machine.get(a0), 2U);
    EXPECT_EQ(machine.get(a1), 5U);
    ASSERT_EQ(machine.retirements().size(), 3U);
    EXPECT_EQ(machine.retirements()[0].length, 2);
    EXPECT_EQ(machine.retirements()[1].length, 4);
}

TEST(HartFetch, AnInstructionMayCrossAPage) {
    BareMachine machine;
    machine.place(kCode + 0xFFE, {addi(a0, zero, 42), j(0)});
    for (unsigned round = 0; round < 2; ++round) {
        machine.set(a0, 0);
        ASSERT_EQ(machine.run(kCode + 0xFFE, kCode + 0x1002), End::Reached);
        EXPECT_EQ(machine.get(a0), 42U);
    }
}

/// Two virtual pages next to each other on code pages that are not; the second may be absent.
class PagedCode : public BareMachine {
  public:
    static constexpr Address kRoot = kRam + 0x1'0000, kMiddle = kRam + 0x1'1000,
                             kLowest = kRam + 0x1'2000;
    static constexpr Address kFirst = kRam + 0x2'0000, kSecond = kRam + 0x3'0000;
    static constexpr Address kVirtual = 0x10'0000;
    static constexpr Address kAcross = kVirtual + 0xFFE;
    static constexpr std::uint64_t kCodeRights = pte::kV | pte::kR | pte::kX | pte::kA;

    PagedCode() {
        open_protection();
        stop_at_traps();
        poke(kRoot, kMiddle >> 12 << pte::kPpnShift | pte::kV);
        poke(kMiddle, kLowest >> 12 << pte::kPpnShift | pte::kV);
        map(0, kFirst, kCodeRights);
        map(1, kSecond, kCodeRights);
        set_csr(csr::kSatp, satp::kModeSv39 << satp::kModeShift | kRoot >> 12);
        set_csr(csr::kMstatus, std::uint64_t{1} << mstatus::kMppShift);
        set_csr(csr::kMepc, kAcross);
        place(kRam + 0x3000, {kMret});
    }
    void map(unsigned page, Address to, std::uint64_t rights) {
        const Address entry = kLowest + ((kVirtual >> 12) + page) * 8;
        poke(entry, to >> 12 << pte::kPpnShift | rights);
    }
    /// A wide instruction over the border of the two pages, then an ecall.
    void place_across(Word word) {
        poke<std::uint16_t>(kFirst + 0xFFE, static_cast<std::uint16_t>(word));
        poke<std::uint16_t>(kSecond, static_cast<std::uint16_t>(word >> 16));
        poke<Word>(kSecond + 2, kEcall);
    }
    End start() { return run(kRam + 0x3000, stop_address()); }
};

TEST(HartFetch, HalvesOfAnInstructionAreTranslatedSeparately) {
    PagedCode machine;
    machine.place_across(addi(a0, zero, 42));
    machine.start();
    EXPECT_EQ(machine.get(a0), 42U);
    expect_trap(machine, Cause::EcallFromSupervisor, PagedCode::kVirtual + 0x1002, 0);
}

TEST(HartFetch, AFaultOfTheSecondHalfReportsItsAddress) {
    PagedCode machine;
    machine.place_across(addi(a0, zero, 42));
    machine.map(1, PagedCode::kSecond, 0);
    machine.start();
    expect_trap(machine, Cause::InstructionPage, PagedCode::kAcross, PagedCode::kVirtual + 0x1000);
    EXPECT_EQ(machine.get(a0), 0U);
}

TEST(HartFetch, ASecondHalfOutsideOfMemoryIsAnAccessFault) {
    PagedCode machine;
    machine.place_across(addi(a0, zero, 42));
    machine.map(1, BareMachine::kDevice, PagedCode::kCodeRights);
    machine.start();
    expect_trap(machine, Cause::InstructionAccess, PagedCode::kAcross,
                PagedCode::kVirtual + 0x1000);
}

TEST(HartFetch, ACompressedInstructionAtTheEndOfAPageNeedsOnlyThatPage) {
    PagedCode machine;
    machine.poke<std::uint16_t>(PagedCode::kFirst + 0xFFE, 0x0505); // c.addi a0, 1
    machine.map(1, PagedCode::kSecond, 0);
    machine.start();
    EXPECT_EQ(machine.get(a0), 1U);
    expect_trap(machine, Cause::InstructionPage, PagedCode::kVirtual + 0x1000,
                PagedCode::kVirtual + 0x1000);
}

TEST(HartFetch, ANonCanonicalTargetFaultsAtTheTarget) {
    PagedCode machine;
    constexpr Address kNowhere = Address{1} << 40;
    machine.set(a0, kNowhere);
    machine.place_across(jalr(ra, a0, 0));
    machine.start();
    expect_trap(machine, Cause::InstructionPage, kNowhere, kNowhere);
    EXPECT_EQ(machine.get(ra), PagedCode::kVirtual + 0x1002) << "the jump itself retired";
}

TEST(HartFetch, JumpsOutsideOfMemoryFaultAtTheTarget) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set(a0, 0x4000'0000);
    machine.execute({jalr(zero, a0, 2)});
    expect_trap(machine, Cause::InstructionAccess, 0x4000'0002, 0x4000'0002);
}

TEST(HartFetch, ProtectionInsideAPageIsSeenByEveryInstruction) {
    BareMachine machine;
    machine.stop_at_traps();
    // S and U may run everything but one word.
    machine.set_csr(csr::kPmpaddr0, (kCode + 8) >> 2);
    machine.set_csr(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
    machine.set_csr(csr::kPmpcfg0, 0x1F11); // NA4 R; NAPOT RWX
    machine.execute_in(Privilege::User, {kNop, kNop, kNop, kNop});
    expect_trap(machine, Cause::InstructionAccess, kCode + 8, kCode + 8);
}

/// A function in another page is called many times before one of its words is locked away. What
/// comes before the call is long enough to bring the pipeline into the same state each time.
TEST(HartFetch, ProtectionThatComesLaterHoldsInAPageThatTheFastPathKnows) {
    constexpr Address kFunction = kCode + 0x1000;
    constexpr unsigned kCalls = 200;
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.set(s0, (kFunction + 8) >> 2);
        machine.set(s1, 0x90); // locked, NA4, no rights: holds for machine mode too
        machine.set(a0, kCalls);
        constexpr int kCall = 40 * sizeof(Word);
        std::vector<Word> caller(40, kNop);
        caller.insert(caller.end(),
                      {jal(ra, 0x1000 - kCall), addi(a0, a0, -1), bne(a0, zero, -kCall - 8),
                       csrw(csr::kPmpaddr0, s0), csrw(csr::kPmpcfg0, s1), addi(a0, zero, kCalls),
                       j(-kCall - 24)});
        machine.place(kCode, caller);
        machine.place(kFunction, {kNop, addi(a1, a1, 1), addi(a2, a2, 1), jalr(zero, ra, 0)});
        machine.set_csr(csr::kMtvec, BareMachine::kHandler);
        machine.place(BareMachine::kHandler, {csrw(csr::kMepc, ra), kMret});
    });
    EXPECT_GT(life.traps, 100u);
    EXPECT_EQ(life.registers[a2], kCalls) << "the word is locked from then on";
}

/// Of a page that machine mode has executed, and only it may.
TEST(HartFetch, ProtectionHoldsForUsersOfAPageThatTheFastPathKnowsFromMachineMode) {
    constexpr Address kFunction = kCode + 0x1000, kUser = kCode + 0x2000;
    constexpr unsigned kCalls = 200;
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.set_csr(csr::kPmpaddr0, kFunction >> 2 | 0x1FF);
        machine.set_csr(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
        machine.set_csr(csr::kPmpcfg0, 0x1F18); // a page without rights, not locked; then all
        machine.set(s0, kUser);
        machine.set(a0, kCalls);
        machine.place(kCode, {jal(ra, 0x1000), addi(a0, a0, -1), bne(a0, zero, -8),
                              csrw(csr::kMstatus, zero), csrw(csr::kMepc, s0), kMret});
        machine.place(kFunction, {addi(a1, a1, 1), jalr(zero, ra, 0)});
        machine.place(kUser, {jal(ra, -0x1000), j(-4)});
        machine.set_csr(csr::kMtvec, BareMachine::kHandler);
        machine.place(BareMachine::kHandler, {csrw(csr::kMepc, ra), kMret});
    });
    EXPECT_GT(life.traps, 100u);
    EXPECT_EQ(life.registers[a1], kCalls);
}

TEST(HartFetch, AWideInstructionHalfInsideAForbiddenWordReportsItsSecondHalf) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.set_csr(csr::kPmpaddr0, (kCode + 4) >> 2);
    machine.set_csr(csr::kPmpaddr0 + 1, ~std::uint64_t{0});
    machine.set_csr(csr::kPmpcfg0, 0x1F11);
    const Word first = Word{kCompressedNop} | addi(a0, zero, 1) << 16;
    machine.execute_in(Privilege::User, {first, addi(a0, zero, 1) >> 16});
    expect_trap(machine, Cause::InstructionAccess, kCode + 2, kCode + 4);
}

TEST(HartFetch, IllegalInstructionsReportTheirOwnBits) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.execute({0xFFFF'FFF3});
    expect_trap(machine, Cause::IllegalInstruction, kCode, 0xFFFF'FFF3);
    machine.execute({Word{0x8000'0000}}); // 16 zero bits: illegal by definition
    expect_trap(machine, Cause::IllegalInstruction, kCode, 0);
    machine.execute({0x1234'9C79}); // reserved in quadrant 1
    expect_trap(machine, Cause::IllegalInstruction, kCode, 0x9C79);
}

TEST(HartFetch, BreakpointsReportTheirAddressAndCallsNothing) {
    BareMachine machine;
    machine.stop_at_traps();
    machine.execute({kNop, kEbreak});
    expect_trap(machine, Cause::Breakpoint, kCode + 4, kCode + 4);
    machine.execute({kEcall});
    expect_trap(machine, Cause::EcallFromMachine, kCode, 0);
    machine.open_protection();
    machine.execute_in(Privilege::Supervisor, {kEcall});
    expect_trap(machine, Cause::EcallFromSupervisor, kCode, 0);
    machine.execute_in(Privilege::User, {kEcall});
    expect_trap(machine, Cause::EcallFromUser, kCode, 0);
}

TEST(HartFetch, StoresToCodeShowAfterFenceI) {
    // A loop runs the word at `patched` twice; in between it is overwritten.
    for (const Word barrier : {kNop, kFenceI}) {
        BareMachine machine;
        machine.set(a0, kCode);
        machine.set(a1, addi(a2, a2, 16));
        machine.set(a3, 2);
        machine.execute({addi(a2, a2, 1), // replaced by addi a2, a2, 16
                         sw(a1, a0, 0), barrier, addi(a3, a3, -1), bne(a3, zero, -16)});
        EXPECT_EQ(machine.get(a2), barrier == kFenceI ? 17U : 2U);
    }
}

TEST(HartFetch, RemappedCodeShowsAfterSfenceVma) {
    PagedCode machine;
    machine.place(PagedCode::kFirst + 0xFF8, {addi(a0, a0, 1)});
    machine.map(1, PagedCode::kFirst, PagedCode::kCodeRights);
    machine.place(PagedCode::kSecond + 0xFF8, {addi(a0, a0, 16)});
    machine.place_across(addi(zero, zero, 0));
    // Supervisor code changes its own mapping: from kFirst to kSecond. Both hold the same
    // instructions except one.
    const std::vector<Word> code{addi(a0, a0, 1), sd(a1, a2, 0), sfence_vma(zero, zero), j(-12)};
    std::vector<Word> other = code;
    other[0] = kEcall;
    machine.place(PagedCode::kFirst, code);
    machine.place(PagedCode::kSecond, other);
    machine.map(0, PagedCode::kFirst, PagedCode::kCodeRights);
    constexpr Address kTableAtVirtual = PagedCode::kVirtual + 0x2000;
    machine.map(2, PagedCode::kLowest, pte::kV | pte::kR | pte::kW | pte::kA | pte::kD);
    machine.set(a1, PagedCode::kSecond >> 12 << pte::kPpnShift | PagedCode::kCodeRights);
    machine.set(a2, kTableAtVirtual + (PagedCode::kVirtual >> 12) * 8);
    machine.set_csr(csr::kMepc, PagedCode::kVirtual);
    machine.start();
    EXPECT_EQ(machine.get(a0), 1U);
    expect_trap(machine, Cause::EcallFromSupervisor, PagedCode::kVirtual, 0);
}

TEST(HartTrapLoop, AHandlerThatFaultsOnItsFirstInstructionEndsTheRun) {
    BareMachine machine;
    machine.set_csr(csr::kMtvec, 0x4000'0000);
    EXPECT_EQ(machine.execute({kNop, addi(a0, zero, 3), kIllegal}), End::TrapLoop);
    const TrapReport report = machine.hart().trap_report();
    EXPECT_EQ(report.cause, static_cast<std::uint64_t>(Cause::IllegalInstruction));
    EXPECT_EQ(report.pc, kCode + 8);
    EXPECT_EQ(report.tval, kIllegal);
    EXPECT_EQ(report.privilege, Privilege::Machine);
    EXPECT_EQ(report.handler, 0x4000'0000U);
    EXPECT_EQ(report.handler_cause, static_cast<std::uint64_t>(Cause::InstructionAccess));
    EXPECT_EQ(report.last_instructions, (std::vector<Address>{kCode, kCode + 4}));
    EXPECT_EQ(machine.hart().run(), HartStop::TrapLoop) << "and stays ended";
}

TEST(HartTrapLoop, AHandlerThatRetiresSomethingBetweenFaultsIsNoLoop) {
    BareMachine machine;
    machine.place(BareMachine::kHandler, {addi(a0, a0, 1), kIllegal});
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    machine.place(kCode, {kIllegal});
    EXPECT_EQ(machine.run(kCode, kData, 2000), End::OutOfCycles);
    EXPECT_GT(machine.get(a0), 10U);
}

TEST(HartTrapLoop, ASupervisorHandlerThatFaultsWithoutDelegationReachesMachineMode) {
    BareMachine machine;
    machine.open_protection();
    machine.stop_at_traps();
    machine.set_csr(csr::kMedeleg, 1U << static_cast<unsigned>(Cause::EcallFromUser));
    machine.set_csr(csr::kStvec, 0x4000'0000);
    EXPECT_EQ(machine.execute_in(Privilege::User, {kEcall}), End::Reached);
    ASSERT_EQ(machine.traps().size(), 2U);
    EXPECT_EQ(machine.traps()[0].to, Privilege::Supervisor);
    expect_trap(machine, Cause::InstructionAccess, 0x4000'0000, 0x4000'0000);
    EXPECT_EQ(machine.traps()[1].to, Privilege::Machine);
}

TEST(HartTrapLoop, TheReportKeepsTheLastSixteenInstructions) {
    BareMachine machine;
    machine.set_csr(csr::kMtvec, 0x4000'0000);
    std::vector<Word> code(40, kNop);
    code.push_back(kIllegal);
    machine.place(kCode, code);
    ASSERT_EQ(machine.run(kCode, kData), End::TrapLoop);
    const TrapReport report = machine.hart().trap_report();
    ASSERT_EQ(report.last_instructions.size(), 16U);
    EXPECT_EQ(report.last_instructions.front(), kCode + Address{24} * 4);
    EXPECT_EQ(report.last_instructions.back(), kCode + Address{39} * 4);
}

} // namespace
} // namespace pes::test
