// SPDX-License-Identifier: Apache-2.0
// Where native code goes: across pages, through calls and returns, other ways than when it was
// made, and out of it when something is not as before. The expected values are computed here.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/native_bench.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace pes::test {
namespace {

using U64 = std::uint64_t;
using I32 = std::int32_t;

constexpr Address kJumpList = BareMachine::kData;
constexpr Address kFarPages = BareMachine::kRam + 0x4'0000; ///< pages of code
constexpr Word kReturnWord = jalr(zero, ra, 0);

HartConfig counting_loads() {
    return counting_everything(ExecutionPath::Fast);
}

// --- Pages --------------------------------------------------------------------------------------

/// The loop ends in the page behind the one it begins in: by falling through or by a jump, with
/// instructions aligned or one that lies in both pages.
TEST_F(HartNative, ALoopMayLieInTwoPages) {
    constexpr U64 kTimes = 300;
    for (const Address begin : {kCode + kPageBytes - 16, kCode + kPageBytes - 14}) {
        const auto prepare = [&](BareMachine& machine) {
            machine.set(a7, kTimes);
            machine.set(t1, begin);
            machine.set(sp, BareMachine::kData);
            machine.place(kCode, {jalr(zero, t1, 0)});
            machine.place(begin, {addi(a0, a0, 1), add(a1, a1, a0), addi(a2, a2, 3),
                                  addi(a3, a3, 5), sd(a1, sp, 0), ld(a4, sp, 0), add(a5, a5, a4),
                                  addi(a7, a7, -1), bne(a7, zero, -32), kWfi});
        };
        judge(counting_loads(), prepare, [&](BareMachine& machine) {
            U64 sum = 0;
            for (U64 one = 1; one <= kTimes; ++one) {
                sum += one * (one + 1) / 2;
            }
            EXPECT_EQ(machine.get(a0), kTimes);
            EXPECT_EQ(machine.get(a2), 3 * kTimes);
            EXPECT_EQ(machine.get(a3), 5 * kTimes);
            EXPECT_EQ(machine.get(a5), sum);
        });
    }
}

/// Functions in other pages call one another; the link register is kept in memory.
TEST_F(HartNative, CallsAndReturnsGoBetweenPages) {
    constexpr U64 kTimes = 200;
    constexpr Address kInner = kFarPages + 3 * kPageBytes + 0x20;
    const auto prepare = [](BareMachine& machine) {
        machine.set(sp, BareMachine::kData);
        machine.set(s2, kFarPages);
        machine.set(s3, kInner);
        place_loop(machine,
                   {addi(a0, a0, 1), jalr(ra, s2, 0), add(a1, a1, a0), jalr(ra, s3, 0),
                    jalr(ra, s2, 0), addi(a2, a2, 1)},
                   kTimes);
        machine.place(kFarPages, {sd(ra, sp, 8), addi(a0, a0, 2), jalr(ra, s3, 0), ld(ra, sp, 8),
                                  kReturnWord});
        machine.place(kInner, {add(a4, a4, a0), kReturnWord});
    };
    judge(counting_loads(), prepare, [&](BareMachine& machine) {
        U64 one = 0, outer = 0, inner = 0;
        for (U64 time = 0; time < kTimes; ++time) {
            one += 3;
            inner += one;
            outer += one;
            inner += one;
            one += 2;
            inner += one;
        }
        EXPECT_EQ(machine.get(a0), one);
        EXPECT_EQ(machine.get(a1), outer);
        EXPECT_EQ(machine.get(a2), kTimes);
        EXPECT_EQ(machine.get(a4), inner);
    });
}

// --- Ways that change ---------------------------------------------------------------------------

/// Five branches go each its own way by the bits of a word: at first always the same one, then
/// others, then all, so that a block has many more paths than it gets code for.
TEST_F(HartNative, BranchesChangeTheirWays) {
    std::mt19937 random(3);
    std::vector<U64> words;
    for (unsigned count = 0; count < 300; ++count) {
        words.push_back(count < 60 ? 0 : count < 120 ? 0x15 : random() % 32);
    }
    const auto prepare = [&words](BareMachine& machine) {
        std::vector<Word> body{ld(s3, s0, 0), addi(s0, s0, 8)};
        for (I32 bit = 0; bit < 5; ++bit) {
            const Reg count = static_cast<Reg>(a0 + bit);
            body.insert(body.end(), {andi(t0, s3, 1 << bit), beq(t0, zero, 12),
                                     addi(count, count, 1), add(s4, s4, count), addi(s5, s5, 1)});
        }
        place_loop(machine, body, words.size());
        machine.set(s0, kJumpList);
        for (std::size_t index = 0; index < words.size(); ++index) {
            machine.poke(kJumpList + 8 * index, words[index]);
        }
    };
    judge(counting_loads(), prepare, [&words](BareMachine& machine) {
        std::array<U64, 5> counts{};
        U64 sum = 0;
        for (const U64 word : words) {
            for (std::size_t bit = 0; bit < counts.size(); ++bit) {
                counts[bit] += word >> bit & 1;
                sum += (word >> bit & 1) != 0 ? counts[bit] : 0;
            }
        }
        for (std::size_t bit = 0; bit < counts.size(); ++bit) {
            EXPECT_EQ(machine.get(static_cast<Reg>(a0 + bit)), counts[bit]);
        }
        EXPECT_EQ(machine.get(s4), sum);
        EXPECT_EQ(machine.get(s5), 5 * words.size());
    });
}

/// A jump with 24 targets, of which only some are likely at a time. They lie in one page, or each
/// in its own, at a distance at which all of them compete for one set of L1I.
TEST_F(HartNative, AJumpHasManyTargets) {
    constexpr std::size_t kTargets = 24, kTimes = 500;
    std::mt19937 random(5);
    std::array<Address, kTimes> targets{};
    for (std::size_t index = 0; index < kTimes; ++index) {
        const std::size_t likely = index < 100 ? 2 : index < 200 ? 5 : index < 300 ? kTargets : 3;
        targets[index] = random() % likely;
    }
    for (const Address distance : {Address{16}, kPageBytes}) {
        const auto prepare = [&](BareMachine& machine) {
            place_loop(machine, {ld(s3, s0, 0), addi(s0, s0, 8), jalr(ra, s3, 0), addi(a1, a1, 1)},
                       kTimes);
            machine.set(s0, kJumpList);
            for (std::size_t index = 0; index < kTimes; ++index) {
                machine.poke(kJumpList + 8 * index, kFarPages + distance * targets[index]);
            }
            for (std::size_t target = 0; target < kTargets; ++target) {
                const auto step = static_cast<I32>(1 + 7 * target);
                machine.place(kFarPages + distance * target,
                              {addi(a0, a0, step), add(a2, a2, a0), kReturnWord});
            }
        };
        judge(counting_loads(), prepare, [&](BareMachine& machine) {
            U64 one = 0, sum = 0;
            for (const Address target : targets) {
                one += 1 + 7 * target;
                sum += one;
            }
            EXPECT_EQ(machine.get(a0), one);
            EXPECT_EQ(machine.get(a1), kTimes);
            EXPECT_EQ(machine.get(a2), sum);
        });
    }
}

/// Each caller lies in its own page, with its call at the end of a line of L1I; the lines behind
/// the calls compete for one set. So where the function returns to is often not in L1I.
TEST_F(HartNative, AFunctionReturnsToManyCallers) {
    constexpr std::size_t kTimes = 900;
    constexpr Address kCall = 12; ///< in its page
    std::mt19937 random(6);
    std::vector<Address> callers(kTimes);
    for (std::size_t index = 0; index < kTimes; ++index) {
        callers[index] = random() % (index / 60 % 2 == 0 ? 3 : 8);
    }
    const auto prepare = [&](BareMachine& machine) {
        place_loop(machine, {ld(s3, s0, 0), addi(s0, s0, 8), jalr(s4, s3, kCall), addi(a1, a1, 1)},
                   kTimes);
        machine.set(s0, kJumpList);
        machine.set(s2, kCode + 0x800);
        machine.place(kCode + 0x800, {addi(a2, a2, 1), kReturnWord});
        for (std::size_t index = 0; index < kTimes; ++index) {
            machine.poke(kJumpList + 8 * index, kFarPages + kPageBytes * callers[index]);
        }
        for (std::size_t caller = 0; caller < 8; ++caller) {
            machine.place(kFarPages + kPageBytes * caller + kCall,
                          {jalr(ra, s2, 0), addi(a0, a0, static_cast<I32>(1 + 7 * caller)),
                           jalr(zero, s4, 0)});
        }
    };
    judge(counting_loads(), prepare, [&](BareMachine& machine) {
        U64 sum = 0;
        for (const Address caller : callers) {
            sum += 1 + 7 * caller;
        }
        EXPECT_EQ(machine.get(a0), sum);
        EXPECT_EQ(machine.get(a1), kTimes);
        EXPECT_EQ(machine.get(a2), kTimes);
    });
}

/// A forward branch that is always taken is predicted so, except behind a trap, which makes the
/// hart forget its history. Between trap and branch lies a loop, behind which all else is as ever.
TEST_F(HartNative, ATrapForgetsTheHistoryOfABranch) {
    constexpr I32 kTimes = 100, kInner = 12;
    HartConfig config = counting_loads();
    config.timing.predictors_on_trap = PredictorsOnTrap::Flushed;
    const auto prepare = [](BareMachine& machine) {
        machine.set_csr(csr::kMtvec, kHandler);
        machine.place(kHandler, {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0),
                                 addi(s6, s6, 1), kMret});
        place_loop(machine,
                   {andi(t0, s11, 7), bne(t0, zero, 8), kEcall, addi(a0, zero, kInner),
                    // inner loop
                    add(a1, a1, a0), addi(a0, a0, -1), bne(a0, zero, -8), beq(zero, zero, 8),
                    addi(a2, a2, 100), addi(a2, a2, 1)},
                   kTimes);
    };
    judge(config, prepare, [](BareMachine& machine) {
        EXPECT_EQ(machine.get(a1), U64{kTimes * kInner * (kInner + 1) / 2});
        EXPECT_EQ(machine.get(a2), U64{kTimes});
        EXPECT_EQ(machine.get(s6), U64{kTimes / 8});
    });
}

/// More cycles of waiting in a block than a byte holds: six divisions of 64 bits, one after the
/// other.
TEST_F(HartNative, ABlockMayPulseMoreThanAByteHolds) {
    constexpr U64 kTimes = 50, kWaits = 300;
    const auto prepare = [](BareMachine& machine) {
        machine.set(a0, ~U64{0} >> 1);
        machine.set(a1, 1);
        std::vector<Word> body{div(a2, a0, a1)};
        body.insert(body.end(), 5, div(a2, a2, a1));
        place_loop(machine, body, kTimes);
    };
    const Life life = judge(counting_loads(), prepare, [](BareMachine& machine) {
        EXPECT_EQ(machine.get(a2), ~U64{0} >> 1);
        const PathStatistics& path = machine.hart().path_statistics();
        if (path.native_nodes != 0) {
            EXPECT_GT(path.blocks_replayed, kTimes / 2);
        }
    });
    EXPECT_GT(life.events[static_cast<std::size_t>(Event::PipelineStall)], kTimes * kWaits);
}

// --- The host's memory --------------------------------------------------------------------------

TEST_F(HartNative, NoMappingIsWritableAndExecutable) {
    live_to_wfi(
        natively(counting_loads()),
        [](BareMachine& machine) {
            place_loop(machine, {addi(a0, a0, 1), kNop, mul(a2, a0, a0)}, 1000);
        },
        [](BareMachine& machine) {
            EXPECT_EQ(machine.get(a0), 1000U);
            EXPECT_GT(machine.hart().path_statistics().native_bytes, 0U);
            std::ifstream maps("/proc/self/maps");
            std::string line;
            std::size_t executable = 0;
            while (std::getline(maps, line)) {
                const std::string rights = line.substr(line.find(' ') + 1, 4);
                const bool writable = rights[1] == 'w', executes = rights[2] == 'x';
                EXPECT_FALSE(writable && executes) << line;
                executable += executes ? 1 : 0;
            }
            EXPECT_GT(executable, 0U);
        });
}

/// One loop after the other, of 40 random instructions each.
std::vector<Word> many_loops(unsigned seed) {
    constexpr Reg kCount = static_cast<Reg>(25);
    constexpr I32 kLength = 40;
    std::mt19937 random(seed);
    std::vector<Word> body;
    for (unsigned loop = 0; loop < 12; ++loop) {
        body.push_back(addi(kCount, zero, 25));
        for (I32 count = 0; count < kLength; ++count) {
            body.push_back(random_plain_instruction(random));
        }
        body.insert(body.end(), {kNop, // where a branch at the end lands
                                 addi(kCount, kCount, -1), bne(kCount, zero, -4 * (kLength + 2))});
    }
    return body;
}

/// A memo that is full is cleared, and with it all code; what follows is made anew.
TEST_F(HartNative, TheMemoIsClearedUnderNativeCode) {
    for (unsigned seed = 0; seed < 4; ++seed) {
        SCOPED_TRACE(seed);
        HartConfig config = counting_loads();
        config.memo_memory = 160 << 10;
        const auto prepare = [body = many_loops(seed)](BareMachine& machine) {
            place_loop(machine, body, 5);
            machine.set(sp, BareMachine::kData);
        };
        judge(config, prepare, [](BareMachine& machine) {
            const PathStatistics& path = machine.hart().path_statistics();
            if (path.native_nodes != 0) {
                EXPECT_GT(path.native_nodes, 50U);
                EXPECT_GT(path.memo_cleared, 2U);
            }
        });
    }
}

/// Of a loop that is larger than L1I. Branches by the bits of the count decide which lines of code
/// come, and so which of the others are thrown out: native code finds lines that it fills, lines
/// that it must not fill, since a branch goes another way, and others than when it was made.
TEST_F(HartNative, LinesOfCodeComeAndGo) {
    constexpr U64 kTimes = 100;
    for (unsigned seed = 0; seed < 6; ++seed) {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        HartConfig config = counting_loads();
        config.timing.l1i.bytes = 1024U << seed % 2;
        struct Chunk {
            I32 mask, step;
        };
        std::vector<Chunk> chunks(60 + random() % 100);
        std::vector<Word> body;
        for (Chunk& chunk : chunks) {
            chunk = {.mask = 1 << random() % 6, .step = static_cast<I32>(random() % 64)};
            body.insert(body.end(), {andi(t0, s11, chunk.mask), beq(t0, zero, 16),
                                     addi(a0, a0, chunk.step), sd(a0, sp, 0), ld(a1, sp, 0)});
            body.insert(body.end(), random() % 4, add(a2, a2, a1));
        }
        const auto prepare = [&](BareMachine& machine) {
            machine.set(sp, BareMachine::kData);
            place_loop(machine, body, kTimes);
        };
        judge(config, prepare, [&](BareMachine& machine) {
            U64 sum = 0;
            for (U64 count = kTimes; count != 0; --count) {
                for (const Chunk& chunk : chunks) {
                    const bool taken = (count & static_cast<U64>(chunk.mask)) != 0;
                    sum += taken ? static_cast<U64>(chunk.step) : 0;
                }
            }
            EXPECT_EQ(machine.get(a0), sum);
        });
    }
}

/// What has retired before a trap loop is known, also where native code has replayed it. The loop
/// takes one of two ways each time, so that what is known is not that of an earlier time.
TEST_F(HartNative, TheLastInstructionsBeforeATrapLoopAreKnown) {
    constexpr std::size_t kKnown = 16;
    std::mt19937 random(9);
    BareMachine machine(natively(BareMachine::default_config()));
    machine.set_csr(csr::kMtvec, kHandler); // illegal
    machine.place(kCode, {ld(t0, s0, 0), addi(s0, s0, 8), beq(t0, zero, 8), addi(a0, a0, 1),
                          addi(a7, a7, -1), bne(a7, zero, -20), kIllegal});
    std::vector<Address> expected;
    for (Address place = kJumpList; place < kJumpList + 8 * 900; place += 8) {
        const U64 word = random() % 2;
        machine.poke(place, word);
        for (const Address offset : {0U, 4U, 8U, 12U, 16U, 20U}) {
            if (offset != 12 || word != 0) {
                expected.push_back(kCode + offset);
            }
        }
    }
    expected.erase(expected.begin(), expected.end() - kKnown);
    machine.set(s0, kJumpList);
    machine.set(a7, 900);
    machine.stop_observing();
    EXPECT_EQ(machine.run(kCode, 0), BareMachine::End::TrapLoop);
    EXPECT_GT(machine.hart().path_statistics().native_nodes, 0U);
    EXPECT_EQ(machine.hart().trap_report().last_instructions, expected);
}

} // namespace
} // namespace pes::test
