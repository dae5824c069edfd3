// SPDX-License-Identifier: Apache-2.0
// Smctr and Ssctr in a whole hart: who may access what, SCTRCLR, and records of short programs.
// The rules of the records themselves: transfer_records_test.cpp.
#include "tests/unit/core/extension_bench.h"

#include <gtest/gtest.h>

#include <vector>

namespace pes::test {
namespace {

constexpr Extensions kPresent{.smcsrind = true, .smctr = true};
constexpr Extensions kWithStates{.smcsrind = true, .smstateen = true, .smctr = true};
constexpr std::uint16_t kMctrctl = 0x34E, kSctrctl = 0x14E, kSctrstatus = 0x14F, kSctrdepth = 0x15F;
constexpr std::uint16_t kAliases[] = {0x151, 0x152, 0x153, 0x155, 0x156, 0x157};
constexpr Word kSctrclr = 0x1040'0073; // SYSTEM, func12 = 0x104
constexpr std::uint64_t kCtr = std::uint64_t{1} << 54, kCsrind = std::uint64_t{1} << 60;
constexpr std::uint64_t kU = 1, kM = 4, kRasEmu = 1U << 7, kLcofiFrz = 1U << 12,
                        kNtbrEn = std::uint64_t{1} << 36;
constexpr std::uint64_t kFrozen = 1U << 31, kV = 1;

const TransferEntry& entry(BareMachine& machine, std::uint64_t logical) {
    return machine.hart().transfer_records()->buffer().entry(logical);
}

unsigned recorded(BareMachine& machine) {
    unsigned count = 0;
    while (count < 256 && (entry(machine, count).source & kV) != 0) {
        ++count;
    }
    return count;
}

// --- Rights -------------------------------------------------------------------------------------

TEST(HartCtr, NothingOfItExistsWithoutTheExtension) {
    constexpr Extensions kAbsent{.smcsrind = true, .smstateen = true};
    for (const std::uint16_t number : {kMctrctl, kSctrctl, kSctrstatus, kSctrdepth}) {
        ExtensionBench bench(kAbsent);
        bench.set_csr(csr::kMstateen0, kAll);
        EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, number)));
    }
    for (const std::uint16_t number : kAliases) {
        ExtensionBench bench(kAbsent);
        bench.set_csr(csr::kSiselect, 0x200);
        EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, number)));
    }
    EXPECT_TRUE(ExtensionBench(kAbsent).is_illegal(Privilege::Machine, kSctrclr));
    ExtensionBench bench(kAbsent);
    bench.set_csr(csr::kMstateen0, kAll);
    EXPECT_EQ(bench.csr(csr::kMstateen0) & kCtr, 0U);
    EXPECT_EQ(bench.hart().transfer_records(), nullptr);
}

TEST(HartCtr, EachRegisterIsOpenToItsModes) {
    for (const Privilege mode : kModes) {
        for (const std::uint16_t number : {kMctrctl, kSctrctl, kSctrstatus, kSctrdepth}) {
            const bool machine_only = number == kMctrctl;
            const bool open =
                mode == Privilege::Machine || (mode == Privilege::Supervisor && !machine_only);
            for (const Word word : {csrr(a0, number), csrw(number, zero)}) {
                EXPECT_EQ(ExtensionBench(kPresent).is_illegal(mode, word), !open) << number;
            }
        }
        EXPECT_EQ(ExtensionBench(kPresent).is_illegal(mode, kSctrclr), mode == Privilege::User);
    }
    EXPECT_TRUE(ExtensionBench(kPresent).is_illegal(Privilege::Machine, csrr(a0, 0x24E)))
        << "vsctrctl needs H";
}

TEST(HartCtr, EntriesAreBehindSupervisorSelects) {
    for (const std::uint64_t select : {0x1FFU, 0x200U, 0x2FFU, 0x300U}) {
        for (unsigned alias = 0; alias < 6; ++alias) {
            for (const Privilege mode : kModes) {
                ExtensionBench bench(kPresent);
                bench.set_csr(csr::kSiselect, select);
                const bool open = (select >> 8) == 2 && mode != Privilege::User;
                EXPECT_EQ(bench.is_illegal(mode, csrrw(a0, kAliases[alias], zero)), !open);
            }
            ExtensionBench bench(kPresent);
            bench.set_csr(csr::kMiselect, select);
            const auto machine_alias = static_cast<std::uint16_t>(kAliases[alias] + 0x200);
            EXPECT_TRUE(bench.is_illegal(Privilege::Machine, csrr(a0, machine_alias)));
        }
    }
}

/// "State Enable Access Control": mstateen0.CTR, and CSRIND for the aliases. Never M-mode.
TEST(HartCtr, StateEnablesCloseItToSupervisorMode) {
    for (const std::uint64_t states : {std::uint64_t{0}, kCtr, kCsrind, kCtr | kCsrind, ~kCtr}) {
        for (const Privilege mode : {Privilege::Supervisor, Privilege::Machine}) {
            const bool machine = mode == Privilege::Machine;
            const bool open = machine || (states & kCtr) != 0;
            const auto illegal = [&](Word word, std::uint64_t select) {
                ExtensionBench bench(kWithStates);
                bench.set_csr(csr::kMstateen0, states);
                bench.set_csr(csr::kSiselect, select);
                return bench.is_illegal(mode, word);
            };
            for (const std::uint16_t number : {kSctrctl, kSctrstatus, kSctrdepth}) {
                EXPECT_EQ(illegal(csrr(a0, number), 0), !open);
                EXPECT_EQ(illegal(csrw(number, zero), 0), !open);
            }
            EXPECT_EQ(illegal(kSctrclr, 0), !open);
            const bool indirect = machine || (states & kCsrind) != 0;
            for (const std::uint16_t number : kAliases) {
                EXPECT_EQ(illegal(csrr(a0, number), 0x200), !open || !indirect);
                EXPECT_EQ(illegal(csrr(a0, number), 0x2FF), !open || !indirect);
            }
            EXPECT_EQ(illegal(csrr(a0, csr::kSiselect), 0x200), !indirect)
                << "the select itself is not CTR's";
        }
    }
}

/// "Qualified control transfers ... will continue to implicitly update" the state.
TEST(HartCtr, StateThatIsClosedIsStillRecorded) {
    ExtensionBench bench(kWithStates);
    bench.set_csr(kMctrctl, 2);
    bench.execute_in(Privilege::Supervisor, {j(4), j(4)});
    EXPECT_EQ(recorded(bench), 2U);
}

TEST(HartCtr, IsNoCustomState) {
    ExtensionBench bench(kWithStates);
    bench.set_csr(csr::kMstateen0, kAll);
    EXPECT_EQ(bench.csr(csr::kMstateen0) & 1, 0U) << "mstateen0.C is of custom CSRs";
}

// --- Instructions -------------------------------------------------------------------------------

TEST(HartCtr, InstructionsReadAndWriteEntries) {
    ExtensionBench bench(kPresent);
    bench.set(a1, 0x203);
    bench.set(a2, 0x1234'5679);
    bench.set(s2, 0x205);
    bench.execute_in(Privilege::Supervisor,
                     {csrw(csr::kSiselect, a1), csrrw(zero, 0x151, a2), csrrw(zero, 0x152, a2),
                      csrrw(zero, 0x153, a2), csrr(a3, 0x151), csrr(a4, 0x152), csrr(a5, 0x153),
                      csrw(csr::kSiselect, s2), csrr(a6, 0x151), csrr(a7, 0x155)});
    EXPECT_EQ(bench.get(a3), 0x1234'5679U);
    EXPECT_EQ(bench.get(a4), 0x1234'5679U);
    EXPECT_EQ(bench.get(a5), 0x1234'0009U);
    EXPECT_EQ(bench.get(a6), 0U);
    EXPECT_EQ(bench.get(a7), 0U);
    EXPECT_EQ(entry(bench, 3).source, 0x1234'5679U);
}

/// A record of the jump, with nothing left of it behind SCTRCLR.
TEST(HartCtr, SctrclrZeroesRecordsAndCount) {
    for (const Privilege mode : {Privilege::Supervisor, Privilege::Machine}) {
        ExtensionBench bench(kPresent);
        bench.set_csr(kMctrctl, mode == Privilege::Machine ? 4 : 2);
        bench.set(a1, 0x200);
        bench.execute_in(mode,
                         {csrw(csr::kSiselect, a1), j(4), j(4), csrr(a2, 0x151), csrr(a4, 0x153),
                          kSctrclr, csrr(a3, 0x151), j(4), csrr(a5, 0x153), j(4), csrr(a6, 0x153)});
        EXPECT_EQ(bench.get(a2), (BareMachine::kCode + 8) | kV);
        EXPECT_EQ(bench.get(a4) & 0x800F, 0x800BU);
        EXPECT_EQ(bench.get(a3), 0U);
        EXPECT_EQ(bench.get(a5) & 0x800F, 0x000BU);
        EXPECT_EQ(bench.get(a6) & 0x800F, 0x800BU);
        EXPECT_EQ(recorded(bench), 2U);
    }
}

/// With rd, rs1, another function code or funct3 it is another word.
TEST(HartCtr, SctrclrHasOneEncoding) {
    for (const Word field : {Word{1} << 7, Word{1} << 15, Word{1} << 21, Word{4} << 12}) {
        ExtensionBench bench(kPresent);
        const Word word = kSctrclr | field;
        EXPECT_TRUE(bench.is_illegal(Privilege::Machine, word)) << std::hex << word;
    }
}

/// Cycle counts are distances of retirements.
TEST(HartCtr, CountsCyclesBetweenRetirements) {
    ExtensionBench bench(kPresent);
    bench.set_csr(kMctrctl, kM);
    bench.set(a0, 1000);
    bench.set(a1, 7);
    bench.execute({j(4), div(a2, a0, a1), div(a2, a2, a1), j(4), addi(a0, a0, 1), jal(ra, 4)});
    std::vector<Cycle> jumps;
    for (const Retirement& one : bench.retirements()) {
        if ((one.raw & 0x7F) == 0x6F) {
            jumps.push_back(one.cycle);
        }
    }
    ASSERT_EQ(jumps.size(), 3U);
    EXPECT_EQ(entry(bench, 1).data >> 16, jumps[1] - jumps[0]);
    EXPECT_EQ(entry(bench, 0).data >> 16, jumps[2] - jumps[1]);
    EXPECT_GT(jumps[1] - jumps[0], 8U) << "two divisions";
}

/// The bit is set as often as the core counts mispredictions, and at the loop's exit.
TEST(HartCtr, MispIsThePredictorsMistake) {
    ExtensionBench bench(kPresent);
    bench.set_csr(kMctrctl, kM | kNtbrEn);
    bench.set(a0, 40);
    const std::uint64_t before =
        bench.hart().totals().events[static_cast<std::size_t>(Event::BranchMispredict)];
    bench.execute({addi(a0, a0, -1), andi(a1, a0, 3), bne(a1, zero, 8), addi(a2, a2, 1),
                   bne(a0, zero, -16), auipc(a3, 0), addi(a3, a3, 16), jalr(zero, a3, 0), kNop,
                   kNop});
    const std::uint64_t counted =
        bench.hart().totals().events[static_cast<std::size_t>(Event::BranchMispredict)] - before;
    std::uint64_t marked = 0;
    for (unsigned index = 0; index < recorded(bench); ++index) {
        marked += entry(bench, index).target & 1;
    }
    EXPECT_EQ(recorded(bench), 81U);
    EXPECT_EQ(marked, counted);
    EXPECT_GT(marked, 4U);
    EXPECT_EQ(entry(bench, 0).target & 1, 1U) << "nothing knew the target of jalr";
    EXPECT_EQ(entry(bench, 1).target & 1, 1U) << "the exit of the loop";
    EXPECT_EQ(entry(bench, 1).data & 0xF, 4U);
}

/// A branch to the instruction behind it goes there either way.
TEST(HartCtr, TellsADirectionThatMakesNoDifference) {
    ExtensionBench bench(kPresent);
    bench.set_csr(kMctrctl, kM | kNtbrEn);
    bench.set(a1, 1);
    bench.execute({beq(a0, a1, 4), beq(a1, a1, 4), kNop});
    EXPECT_EQ(entry(bench, 1).data & 0xF, 4U);
    EXPECT_EQ(entry(bench, 0).data & 0xF, 5U);
    EXPECT_EQ(entry(bench, 0).target & ~std::uint64_t{1}, BareMachine::kCode + 8);
}

TEST(HartCtr, EnvironmentCallsAndReturnsAreTransfers) {
    ExtensionBench bench(kPresent);
    bench.place(BareMachine::kHandler,
                {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), kMret});
    bench.set_csr(kMctrctl, kM | kU);
    bench.execute_in(Privilege::User, {kEcall, j(4)});
    ASSERT_EQ(recorded(bench), 4U);
    EXPECT_EQ(entry(bench, 3).target, kCode);
    EXPECT_EQ(entry(bench, 3).data & 0xF, 3U) << "the mret that entered";
    EXPECT_EQ(entry(bench, 2).source, kCode | kV);
    EXPECT_EQ(entry(bench, 2).target, kHandler);
    EXPECT_EQ(entry(bench, 2).data & 0xF, 1U);
    EXPECT_EQ(entry(bench, 1).source, (kHandler + 12) | kV);
    EXPECT_EQ(entry(bench, 1).target, kCode + 4);
    EXPECT_EQ(entry(bench, 0).data & 0xF, 11U);
}

/// LCOFIFRZ: what led to the sample stays; the handler's own jumps are not recorded.
TEST(HartCtr, AnOverflowInterruptFreezesTheHistory) {
    ExtensionBench bench(kPresent);
    bench.set_csr(kMctrctl, kM | kLcofiFrz);
    bench.set_csr(csr::kMie, 1U << 13);
    bench.set_csr(csr::kMip, 1U << 13);
    bench.set(a0, 1U << 3);
    bench.execute({j(4), csrrs(zero, csr::kMstatus, a0), j(4), j(4), j(0)});
    ASSERT_TRUE(bench.trap());
    EXPECT_EQ(bench.trap()->cause & 0xFF, 13U);
    const Address pc = bench.trap()->epc;
    EXPECT_EQ(recorded(bench), pc == BareMachine::kCode + 8 ? 1U : 2U);
    bench.set_csr(csr::kMip, 0);
    bench.execute({csrr(a1, kSctrstatus), j(4)});
    EXPECT_EQ(bench.get(a1) & kFrozen, kFrozen);
}

TEST(HartCtr, WithoutOverflowInterruptsNothingFreezesOnThem) {
    ExtensionBench bench(kPresent, {.sscofpmf = false});
    bench.set(a0, kLcofiFrz | kRasEmu);
    bench.execute({csrw(kMctrctl, a0), csrr(a1, kMctrctl)});
    EXPECT_EQ(bench.get(a1), kRasEmu);
}

} // namespace
} // namespace pes::test
