// SPDX-License-Identifier: Apache-2.0
// Reads of counters on the fast path, CSRs inside blocks, and instructions across pages: the same
// values in the same cycles as from a hart that steps.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

constexpr Address kPage = 0x1000;
constexpr std::uint16_t kHpmcounter3 = csr::kCycle + 3;

/// mhpmcounter3 counts `selector`, and all counters are open to every mode.
void count(BareMachine& machine, std::uint64_t selector) {
    machine.bank().write(csr::kMhpmevent3, selector);
    machine.set_csr(csr::kMcounteren, ~0U);
}

/// Stores what it reads where the device, and so the comparison, sees it.
std::vector<Word> reading_loop(std::uint16_t number) {
    std::vector<Word> words{addi(a1, a1, 1), mul(a2, a1, a1), csrr(t0, number), sd(t0, a6, 0),
                            ld(a3, sp, 64),  add(a4, a3, a2), sd(a4, sp, 64),   csrr(t1, number),
                            sub(t2, t1, t0), sd(t2, a6, 8),   div(a5, a2, a1)};
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    return words;
}

TEST(HartCounterPath, EveryCounterReadsTheSame) {
    for (const std::uint16_t number :
         {csr::kMcycle, csr::kMinstret, csr::kMhpmcounter3, csr::kCycle, csr::kInstret, csr::kTime,
          kHpmcounter3, csr::kMcountinhibit, csr::kMhpmevent3, csr::kScountovf}) {
        for (const std::uint64_t selector : {1U, 5U, 16U, 17U, 20U, 22U}) {
            SCOPED_TRACE(testing::Message() << "CSR " << number << " event " << selector);
            const Life life = live_on_both_paths([&](BareMachine& machine) {
                count(machine, selector);
                machine.place(kCode, reading_loop(number));
            });
            EXPECT_GT(life.accesses.size(), 400U);
        }
    }
}

/// Requests of the frontend while decode waits become known late. As long as no counter counts them
/// they are in the totals at once; a counter that is selected in the midst of a loop counts from
/// there on, at most one a cycle.
TEST(HartCounterPath, ASelectionThatComesLateCountsTheSame) {
    for (const std::size_t queued : {1U, 2U, 3U, 4U, 6U}) { // behind what waits for a division
        SCOPED_TRACE(queued);
        const Life life = live_on_both_paths([queued](BareMachine& machine) {
            machine.set(s0, 16); // l1i-access
            machine.set(s1, 150);
            std::vector<Word> words{addi(a1, a1, 1), div(a5, s0, a1), add(a4, a5, a1)};
            words.insert(words.end(), queued, kNop);
            words.push_back(csrr(t0, csr::kMhpmcounter3));
            words.push_back(sd(t0, a6, 0));
            words.push_back(bne(a1, s1, -4 * static_cast<std::int32_t>(words.size())));
            words.push_back(csrw(csr::kMhpmevent3, s0));
            words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
            machine.place(kCode, words);
        });
        ASSERT_GT(life.accesses.size(), 250U);
        const Cycle selected = std::get<0>(life.accesses[149]);
        EXPECT_EQ(std::get<3>(life.accesses[149]), 0U);
        for (std::size_t turn = 150; turn < life.accesses.size(); ++turn) {
            const auto& [at, address, size, count] = life.accesses[turn];
            ASSERT_LE(count, at - selected) << turn;
        }
        EXPECT_GT(std::get<3>(life.accesses[250]), 100U);
    }
}

/// The same when it interrupts: in the cycle where its requests have been moved to.
TEST(HartCounterPath, ASelectionThatComesLateInterruptsInTheSameCycle) {
    for (const unsigned threshold : {11U, 23U, 37U, 101U}) {
        SCOPED_TRACE(threshold);
        const Life life = live_on_both_paths([threshold](BareMachine& machine) {
            machine.set_csr(csr::kMtvec, kHandler);
            machine.set_csr(csr::kMie, 1U << 11);
            machine.set(s0, 16); // l1i-access
            machine.set(s1, threshold);
            machine.set(a7, 150);
            std::vector<Word> words{
                addi(a1, a1, 1), div(a5, s0, a1), add(a4, a5, a1), kNop, kNop, kNop, kNop,
                sd(a4, sp, 0)};
            words.push_back(bne(a1, a7, -4 * static_cast<std::int32_t>(words.size())));
            words.insert(words.end(), {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1),
                                       csrrsi(zero, csr::kMstatus, 8)});
            words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
            machine.place(kCode, words);
            machine.place(kHandler, {addi(t2, t2, 1), csrr(t1, csr::kMcycle), sd(t1, a6, 0),
                                     csrw(csr::kMhpmcounter3, zero), kMret});
        });
        EXPECT_GT(life.traps, 5U);
    }
}

/// What blocks did while late requests stayed where they are is not what they do from then on.
TEST(HartCounterPath, TheFirstSelectionOfRequestsBeginsTheMemoAnew) {
    for (const std::uint64_t selector : {5U, 16U}) {
        BareMachine machine(counting_everything(ExecutionPath::Fast));
        machine.set(s0, selector);
        machine.set(s1, 100);
        machine.place(kCode, {addi(a1, a1, 1), mul(a2, a1, a1), bne(a1, s1, -8), //
                              csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmevent3, zero),
                              csrw(csr::kMhpmevent3, s0), addi(s1, s1, 100), j(-28)});
        machine.stop_observing();
        machine.hart().set_pc(kCode);
        machine.hart().set_horizon(kLifetime);
        machine.hart().run();
        const PathStatistics& path = machine.hart().path_statistics();
        EXPECT_GT(path.blocks_replayed, 1000U);
        EXPECT_EQ(path.memo_cleared, selector == 16 ? 1U : 0U);
    }
}

/// What Smcdeleg delegates: a view of the bank may end a block, an alias is stepped.
TEST(HartCounterPath, DelegatedCountersReadTheSame) {
    constexpr std::uint64_t kCde = std::uint64_t{1} << 60;
    for (const std::uint16_t number : {csr::kSireg, csr::kScountinhibit}) {
        for (const std::uint64_t select : {0x40U, 0x42U, 0x43U}) {
            SCOPED_TRACE(testing::Message() << "CSR " << number << " select " << select);
            const Life life = live_on_both_paths([&](BareMachine& machine) {
                count(machine, 5);
                machine.set_csr(csr::kMenvcfg, kCde);
                machine.set_csr(csr::kSiselect, select);
                machine.place(kCode, reading_loop(number));
            });
            EXPECT_GT(life.accesses.size(), 400U);
        }
    }
}

/// Two reads of mcycle with nothing between them: the second is one cycle later at least, and in
/// the steady state always by as much.
TEST(HartCounterPath, CyclesPassBetweenTwoReads) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode, {csrr(t0, csr::kMcycle), csrr(t1, csr::kMcycle), sub(t2, t1, t0),
                              sd(t2, a6, 0), addi(a1, a1, 1), j(-20)});
    });
    for (const auto& [at, address, size, value] : life.accesses) {
        EXPECT_GE(value, 1U) << "in " << at;
        EXPECT_EQ(value, std::get<3>(life.accesses.back())) << "in " << at;
    }
}

/// minstret counts the instructions between two reads of it: a loop of six.
TEST(HartCounterPath, InstructionsAreCountedExactly) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode, {csrr(t0, csr::kMinstret), sd(t0, a6, 0), mul(a2, a1, a1),
                              addi(a1, a1, 1), kNop, j(-20)});
    });
    ASSERT_GT(life.accesses.size(), 1000U);
    for (std::size_t index = 1; index < life.accesses.size(); ++index) {
        ASSERT_EQ(std::get<3>(life.accesses[index]) - std::get<3>(life.accesses[index - 1]), 6U);
    }
}

TEST(HartCounterPath, AThresholdIsCrossedBetweenReads) {
    for (const unsigned threshold : {23U, 37U, 200U, 1001U}) {
        const Life life = live_on_both_paths([threshold](BareMachine& machine) {
            machine.set_csr(csr::kMtvec, kHandler);
            machine.set_csr(csr::kMie, 1U << 11);
            machine.set(s0, 20); // event: integer
            machine.set(s1, threshold);
            machine.place(kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1),
                                  csrrsi(zero, csr::kMstatus, 8),
                                  // loop
                                  addi(a1, a1, 1), csrr(a2, csr::kMhpmcounter3), sd(a2, a6, 16),
                                  add(a3, a2, a1), csrr(a4, csr::kMcycle), sd(a4, sp, 0), j(-24)});
            machine.place(kHandler, {addi(t2, t2, 1), csrr(t1, csr::kMhpmcounter3), sd(t1, a6, 0),
                                     csrw(csr::kMhpmcounter3, zero), kMret});
        });
        EXPECT_GT(life.traps, 5U) << threshold;
    }
}

TEST(HartCounterPath, ACounterThatIsClosedTraps) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.open_protection();
        machine.set_csr(csr::kMtvec, kHandler);
        machine.set(s3, kCode + 32);
        machine.place(kCode, {csrw(csr::kMepc, s3), kMret}); // MPP is U
        machine.place(kCode + 32, {addi(a1, a1, 1), csrr(t0, csr::kCycle), mul(a2, a1, a1),
                                   add(a3, t0, a2), j(-16)});
        // opens and closes mcycle in turn, and repeats or skips
        machine.set(s4, 1);
        machine.place(kHandler,
                      {addi(t2, t2, 1), csrr(t1, csr::kMcause), sd(t1, a6, 0), csrr(t4, csr::kMepc),
                       addi(t4, t4, 4), csrw(csr::kMepc, t4), kMret});
    });
    EXPECT_GT(life.traps, 200U);
}

TEST(HartCounterPath, RegistersOfTheTrapHandlerAreInsideBlocks) {
    live_on_both_paths([](BareMachine& machine) {
        machine.place(kCode, {addi(a1, a1, 1), csrrw(a2, csr::kMscratch, a1), mul(a3, a2, a1),
                              csrw(csr::kMepc, a3), csrr(a4, csr::kMepc), csrr(a5, csr::kMhartid),
                              csrr(t0, csr::kMstatus), add(t1, t0, a4), sd(t1, a6, 0),
                              csrrs(t2, csr::kMcause, a1), sd(t2, a6, 8), j(-44)});
    });
}

/// Instructions of 32 bits around an odd half word, so that one of them lies across two pages.
void place_across_pages(BareMachine& machine, const std::vector<Word>& words, std::size_t before) {
    const Address start = kCode + kPage - 2 - 4 * before;
    machine.place(kCode, {j(static_cast<std::int32_t>(start - kCode))});
    for (std::size_t index = 0; index < words.size(); ++index) {
        machine.poke(start + 4 * index, static_cast<std::uint16_t>(words[index]));
        machine.poke(start + 4 * index + 2, static_cast<std::uint16_t>(words[index] >> 16));
    }
}

TEST(HartCounterPath, AnInstructionAcrossTwoPages) {
    const std::vector<Word> words{addi(a1, a1, 1),
                                  mul(a2, a1, a1),
                                  sd(a2, sp, 8),
                                  bne(a1, zero, 8),
                                  kNop,
                                  ld(a3, sp, 8),
                                  sd(a3, a6, 0),
                                  csrr(t0, csr::kMinstret),
                                  sd(t0, a6, 8),
                                  add(a4, a3, t0),
                                  j(-40)};
    for (std::size_t before = 0; before < words.size(); ++before) {
        SCOPED_TRACE(before);
        const Life life = live_on_both_paths(
            [&](BareMachine& machine) { place_across_pages(machine, words, before); });
        EXPECT_GT(life.accesses.size(), 1000U);
    }
}

/// A store changes the instruction across the pages; it is decoded each time, fence or none.
TEST(HartCounterPath, AnInstructionAcrossTwoPagesMayChange) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        constexpr std::size_t kBefore = 3;
        place_across_pages(machine,
                           {addi(a1, a1, 1), andi(a2, a1, 0x7F), sh(a2, s3, 0),
                            addi(a3, a3, 0), // its upper half word is written
                            sd(a3, a6, 0), j(-20)},
                           kBefore);
        machine.set(s3, kCode + kPage);
    });
    EXPECT_GT(life.accesses.size(), 500U);
}

/// Of a loop of arithmetic, accesses to memory and the device, and CSRs.
Word random_counter_instruction(std::mt19937& random) {
    const auto below = [&random](unsigned limit) { return random() % limit; };
    constexpr std::array kReadable{csr::kMcycle, csr::kMinstret, csr::kMhpmcounter3, csr::kCycle,
                                   csr::kTime,   csr::kMscratch, csr::kMcause,       csr::kMip};
    const auto offset = static_cast<std::int32_t>(8 * below(8));
    switch (below(11)) {
    case 0:
        return lw(random_register(random), a6, offset);
    case 1:
        return sd(random_register(random), a6, offset);
    case 2:
        return csrw(csr::kMscratch, random_register(random));
    case 3:
        return csrr(random_register(random), kReadable[below(kReadable.size())]);
    default:
        return random_plain_instruction(random);
    }
}

TEST(HartCounterPath, RandomLoopsLiveTheSameLife) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        live_on_both_paths([seed](BareMachine& machine) {
            std::mt19937 random(seed);
            machine.set_csr(csr::kMtvec, kHandler);
            machine.set_csr(csr::kMie, 1U << 11 | 1U << 7);
            machine.set_csr(csr::kMstatus, machine.csr(csr::kMstatus) | mstatus::kMie);
            machine.set(s0, 1 + seed % 22);
            machine.set(s1, seed % 3 == 0 ? 0 : 50 + 13 * seed);
            machine.place(kHandler, {addi(t2, t2, 1), csrr(t1, csr::kMhpmcounter3),
                                     sd(t1, a6, 0x80), csrw(csr::kMhpmcounter3, zero), kMret});
            std::vector<Word> words{csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1)};
            const std::vector<Word> loop = random_loop(random, random_counter_instruction);
            words.insert(words.end(), loop.begin(), loop.end());
            if (seed % 2 == 0) {
                machine.place(kCode, words);
            } else {
                place_across_pages(machine, words, random() % words.size());
            }
            machine.on_access([&machine, seed](const BusAccess& access) {
                machine.set_device_value(access.at * 0x9E37'79B9'7F4A'7C15);
                machine.set_device_latency(static_cast<std::uint32_t>(seed % 7));
            });
        });
    }
}

} // namespace
} // namespace pes::test
