// SPDX-License-Identifier: Apache-2.0
// Fences, atomics, writes of mstatus and page walks at the ends of blocks: the same cycles and
// values as from a hart that steps. What is thrown away reads registers, so it differs from time to
// time.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

constexpr Word kMie = 8;                        ///< mstatus.MIE as an immediate
constexpr std::uint64_t kFloatState = 3U << 13; ///< mstatus.FS

/// s3 moves through RAM behind sp, 8 bytes at a time.
std::vector<Word> moved_address() {
    return {andi(s3, a1, 0x3F8), add(s3, s3, sp)};
}

Word random_system_instruction(std::mt19937& random) {
    const auto reg = [&random] { return random_register(random); };
    switch (random() % 8) {
    case 0:
        return kFence;
    case 1:
        return random() % 4 == 0 ? kFenceI : sfence_vma(zero, zero);
    case 2:
        return amoadd(Width::Double, reg(), reg(), s3);
    case 3:
        return lr(Width::Double, reg(), s3);
    case 4:
        return sc(Width::Double, reg(), reg(), s3);
    case 5:
        return csrrs(reg(), csr::kMstatus, s4);
    case 6:
        return csrrc(reg(), csr::kMstatus, s4);
    default:
        return csrrsi(zero, csr::kMstatus, 0x10); // MIE stays off
    }
}

/// Behind a system instruction lie loads and branches on what the loop computes.
Word random_mixed_instruction(std::mt19937& random) {
    switch (random() % 6) {
    case 0:
        return random_system_instruction(random);
    case 1:
        return ld(random_register(random), s3, static_cast<std::int32_t>(8 * (random() % 16)));
    case 2:
        return sd(random_register(random), s3, static_cast<std::int32_t>(8 * (random() % 16)));
    default:
        return random_plain_instruction(random);
    }
}

std::vector<Word> random_system_loop(std::mt19937& random) {
    std::vector<Word> words = random_loop(random, random_mixed_instruction);
    words.pop_back(); // the jump
    for (const Word word : moved_address()) {
        words.push_back(word);
    }
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    return words;
}

class HartSystemPathSeeds : public testing::TestWithParam<unsigned> {};

TEST_P(HartSystemPathSeeds, RandomLoopsAreTheSame) {
    for (unsigned seed = GetParam(); seed < GetParam() + 40; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const std::vector<Word> words = random_system_loop(random);
        const Life life = live_on_both_paths([&words](BareMachine& machine) {
            machine.set(s3, BareMachine::kData);
            machine.set(s4, kFloatState);
            machine.place(kCode, words);
        });
        EXPECT_GT(life.instret, 300U);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, HartSystemPathSeeds, testing::Values(0U, 1000U, 2000U, 3000U));

/// A loop stays on the fast path whatever system instruction is in it.
TEST(HartSystemPath, AreInBlocks) {
    for (const Word word : {kFence, amoadd(Width::Word, a0, a1, sp), lr(Width::Double, a0, sp),
                            csrrs(a0, csr::kMstatus, zero), csrrsi(zero, csr::kMstatus, 0x10),
                            csrrc(a0, csr::kSstatus, s4)}) {
        BareMachine machine(counting_everything(ExecutionPath::Fast));
        machine.set(sp, BareMachine::kData);
        machine.set(s4, kFloatState);
        machine.place(kCode, {addi(a1, a1, 1), ld(a2, sp, 8), word, addi(a3, a3, 1), j(-16)});
        machine.stop_observing();
        machine.hart().set_pc(kCode);
        machine.hart().set_horizon(kLifetime);
        machine.hart().run();
        const PathStatistics& path = machine.hart().path_statistics();
        EXPECT_GT(path.in_blocks, machine.hart().instret() * 9 / 10) << std::hex << word;
    }
}

/// The instruction behind FENCE.I becomes a jump into another line, or a simple one again, each
/// 16th time; in between the same word is written. It is fetched before it is seen to be another
/// one.
TEST(HartSystemPath, CodeBehindAFenceIChanges) {
    constexpr std::int32_t kSlot = 6 * 4, kFar = 256;
    live_on_both_paths([](BareMachine& machine) {
        machine.poke(BareMachine::kData, std::uint64_t{j(kFar)});
        machine.poke(BareMachine::kData + 16, std::uint64_t{kNop});
        machine.set(s3, kCode + kSlot);
        machine.place(kCode,
                      {addi(a1, a1, 1), andi(a2, a1, 16), add(a2, a2, sp), lw(t0, a2, 0),
                       sw(t0, s3, 0), kFenceI, kNop, mul(a3, a1, a1), addi(a4, a3, 7), j(-36)});
        machine.place(kCode + kSlot + kFar, {addi(a5, a5, 1), j(-kFar)});
    });
}

/// A branch that is thrown away goes now one way, now the other, into a line of its own. The fence
/// waits for the store.
TEST(HartSystemPath, ADiscardedBranchGoesBothWays) {
    live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode, {addi(a1, a1, 1), andi(a2, a1, 4), sd(a1, sp, 0), kFence,
                              bne(a2, zero, 256), addi(a4, a4, 1), j(-24)});
        machine.place(kCode + 16 + 256, {addi(a5, a5, 1), j(-(16 + 256 + 4))});
    });
}

/// A load that is thrown away waits for a store that is too, if they are to the same word.
TEST(HartSystemPath, ADiscardedLoadMeetsADiscardedStore) {
    live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode, {addi(a1, a1, 1), andi(a2, a1, 8), add(t1, a2, sp), addi(s3, s3, 64),
                              andi(s3, s3, 0x7C0), add(t2, s3, sp), sd(a1, sp, 1024), kFence,
                              sd(a1, t1, 0), ld(a3, sp, 8), ld(a4, t2, 0), j(-44)});
    });
}

/// Floating point is off twice and on twice, so that the same write in the same state does either;
/// the instructions at the end are passed by while it is off. The branch comes too late to be among
/// what the write of mstatus throws away.
TEST(HartSystemPath, FloatingPointIsSwitchedOnAndOff) {
    constexpr std::size_t kBetween = 40; ///< more than a block: the pipeline is the same behind it
    for (const std::uint64_t first : {0U, 2U}) { // whichever of the two is seen first
        live_on_both_paths([first](BareMachine& machine) {
            machine.set(a0, first);
            machine.set(s4, kFloatState / 2);
            std::vector<Word> words{andi(t0, a0, 2), mul(s3, t0, s4)};
            words.insert(words.end(), kBetween, kNop);
            words.push_back(csrw(csr::kMstatus, s3));
            words.insert(words.end(), kBetween, kNop);
            for (const Word word :
                 {beq(s3, zero, 12), fadd_s(1, 2, 3), fadd_s(2, 1, 3), addi(a0, a0, 1)}) {
                words.push_back(word);
            }
            words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
            machine.place(kCode, words);
        });
    }
}

/// A loop that spins on a word which another iteration has reserved: failed SCs make the next LR
/// wait for a random time.
TEST(HartSystemPath, FailedStoresMakeTheNextLoadWait) {
    live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode,
                      {lr(Width::Double, a0, sp), addi(a0, a0, 1), sc(Width::Double, a1, a0, sp),
                       sc(Width::Double, a2, a0, sp), add(a3, a3, a2), andi(a4, a3, 7),
                       bne(a4, zero, -24), sc(Width::Double, a5, a0, sp), j(-32)});
    });
}

/// How long an LR would still wait makes no difference to blocks without one.
TEST(HartSystemPath, BlocksWithoutALoadAreKnownHoweverLongItWouldWait) {
    BareMachine machine(counting_everything(ExecutionPath::Fast));
    machine.set(sp, BareMachine::kData);
    machine.place(kCode, {sc(Width::Double, a1, a0, sp), addi(a2, a2, 1), andi(a4, a2, 3),
                          bne(a4, zero, 8), addi(a3, a3, 1), mul(a5, a2, a2), j(-24)});
    machine.stop_observing();
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(kLifetime);
    machine.hart().run();
    const PathStatistics& path = machine.hart().path_statistics();
    EXPECT_GT(path.in_blocks, machine.hart().instret() * 9 / 10);
    EXPECT_LT(path.recorded, machine.hart().instret() / 10);
}

/// An interrupt that waits is taken when mstatus lets it through, in the same cycle.
TEST(HartSystemPath, AWriteOfMstatusLetsAnInterruptThrough) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        constexpr std::uint64_t kIntegerInstructions = 20, kThreshold = 31;
        machine.set(s3, kIntegerInstructions);
        machine.set(s4, kThreshold);
        machine.set_csr(csr::kMtvec, kHandler);
        machine.set_csr(csr::kMie, 1U << 11);
        machine.place(kCode, {csrw(csr::kMhpmevent3, s3), csrw(csr::kMhpmthreshold3, s4),
                              csrrsi(zero, csr::kMstatus, kMie), addi(a0, a0, 1),
                              csrrc(zero, csr::kMstatus, s5), addi(a1, a1, 3), mul(a2, a1, a0),
                              ld(a3, sp, 64), addi(a4, a3, 1), sd(a4, sp, 64), addi(a5, a5, 1),
                              addi(a5, a5, 1), j(-40)});
        machine.set(s5, kMie);
        machine.place(kHandler, {csrr(t0, csr::kMepc), sd(t0, a6, 0), csrr(t1, csr::kMcycle),
                                 sd(t1, a6, 8), csrw(csr::kMhpmcounter3, zero), kMret});
    });
    EXPECT_GT(life.accesses.size(), 100U);
}

// --- Page walks ---------------------------------------------------------------------------------

constexpr Address kRootTable = BareMachine::kRam + 0x1'0000, kMiddleTable = kRootTable + 0x1000,
                  kLowestTable = kMiddleTable + 0x1000;
constexpr Address kMappedPages = BareMachine::kRam + 0x2'0000; ///< 32 of them, at 0 for the program
constexpr unsigned kMappedPageCount = 32;

/// A loop in S-mode that goes from page to page: twice as many as the DTLB has entries. The tables
/// are in RAM that it does not touch, and code lies in a page of 1 GiB.
void place_walker(BareMachine& machine) {
    constexpr std::uint64_t kRights = pte::kV | pte::kR | pte::kW | pte::kX | pte::kA | pte::kD;
    constexpr std::uint64_t kSupervisor = 1U << 11; // mstatus.MPP
    const auto entry = [](Address at, std::uint64_t bits) {
        return at >> 12 << pte::kPpnShift | bits;
    };
    machine.open_protection();
    machine.poke(kRootTable, entry(kMiddleTable, pte::kV));
    machine.poke(kRootTable + 16, entry(BareMachine::kRam, kRights));
    machine.poke(kMiddleTable, entry(kLowestTable, pte::kV));
    for (unsigned page = 0; page < kMappedPageCount; ++page) {
        machine.poke(kLowestTable + 8 * page, entry(kMappedPages + 0x1000 * page, kRights));
    }
    machine.set_csr(csr::kSatp, satp::kModeSv39 << satp::kModeShift | kRootTable >> 12);
    machine.set_csr(csr::kMstatus, kSupervisor);
    machine.set_csr(csr::kMepc, kCode + sizeof(Word));
    machine.set(s3, kMappedPageCount * 0x1000 - 1);
    machine.set(s4, 0x1048);
    machine.place(kCode,
                  {kMret, add(a0, a0, s4), r_type(0x33, 7, 0, a0, a0, s3) /* and */, ld(a1, a0, 0),
                   addi(a1, a1, 3), sd(a1, a0, 8), add(a0, a0, s4), r_type(0x33, 7, 0, a0, a0, s3),
                   sd(a1, a0, 16), add(a0, a0, s4), r_type(0x33, 7, 0, a0, a0, s3),
                   amoadd(Width::Double, a2, a1, a0), mul(a3, a2, a1), j(-48)});
}

TEST(HartWalkPath, AccessesThatWalkAreTheSame) {
    const Life life = live_on_both_paths(place_walker);
    EXPECT_GT(life.events[static_cast<std::size_t>(Event::DtlbMiss)], 300U);
}

TEST(HartWalkPath, AreInBlocks) {
    BareMachine machine(counting_everything(ExecutionPath::Fast));
    place_walker(machine);
    machine.stop_observing();
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(kLifetime);
    machine.hart().run();
    const PathStatistics& path = machine.hart().path_statistics();
    EXPECT_GT(path.in_blocks, machine.hart().instret() * 9 / 10);
    EXPECT_GT(path.in_blocks - path.recorded, machine.hart().instret() / 2);
}

/// A page becomes writable in the tables, but the DTLB still has it without the right: the store
/// faults, and the handler's SFENCE.VMA lets it through.
TEST(HartWalkPath, TheDtlbRefusesWhatTheTablesAllow) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        place_walker(machine);
        const std::uint64_t writable =
            kMappedPages >> 12 << pte::kPpnShift | pte::kV | pte::kR | pte::kW | pte::kA | pte::kD;
        machine.set(s3, kLowestTable);
        machine.set(t0, writable & ~pte::kW);
        machine.set(t1, writable);
        machine.set_csr(csr::kMtvec, kHandler);
        machine.place(kHandler, {addi(a5, a5, 1), sfence_vma(zero, zero), kMret});
        machine.place(kCode + sizeof(Word),
                      {sd(t0, s3, 0), sfence_vma(zero, zero), ld(a1, a0, 0), sd(t1, s3, 0),
                       addi(a1, a1, 1), sd(a1, a0, 8), addi(a4, a4, 1), j(-28)});
    });
    EXPECT_GT(life.traps, 100U);
}

/// A load behind a fence, which is thrown away at first, reads L1D only if the DTLB has its page:
/// every other four times it is another page than the last time, and always another line.
TEST(HartWalkPath, WhatIsThrownAwayDoesNotWalk) {
    live_on_both_paths([](BareMachine& machine) {
        place_walker(machine);
        machine.set(s5, 0x412);
        machine.place(kCode + sizeof(Word),
                      {andi(t0, a4, 4), mul(t0, t0, s5), add(a0, a0, t0), addi(a0, a0, 64),
                       r_type(0x33, 7, 0, a0, a0, s3) /* and */, sd(a1, s6, 0), kFence,
                       ld(a1, a0, 0), addi(a4, a4, 1), j(-36)});
        machine.set(s6, BareMachine::kData);
    });
}

/// The same load walks to a page of 4 KiB and to one of 2 MiB, in turns.
TEST(HartWalkPath, WalksOfSeveralLengths) {
    constexpr std::uint64_t kRights = pte::kV | pte::kR | pte::kW | pte::kA | pte::kD;
    live_on_both_paths([](BareMachine& machine) {
        place_walker(machine);
        machine.poke(kMiddleTable + 8, BareMachine::kRam >> 12 << pte::kPpnShift | kRights);
        machine.set(s5, 0x20'0000);
        machine.place(kCode + sizeof(Word),
                      {andi(t0, a4, 1), mul(a0, t0, s5), sfence_vma(zero, zero), addi(a4, a4, 1),
                       ld(a1, a0, 0), addi(a2, a1, 1), j(-24)});
    });
}

} // namespace
} // namespace pes::test
