// SPDX-License-Identifier: Apache-2.0
// Calls and returns between modes as blocks: the same cycles, registers and counters as from a hart
// that steps.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

constexpr Address kSupervisorHandler = kHandler + 0x800;
constexpr std::uint64_t kBeforeTrap = 1U << 7;   ///< mstatus.MPIE
constexpr std::uint64_t kMprv = 1U << 17;        ///< mstatus.MPRV
constexpr std::uint64_t kExternal = 1U << 11;    ///< of mie
constexpr std::uint64_t kCallFromUser = 1U << 8; ///< of medeleg
constexpr unsigned kMppShift = 11;

std::vector<Word> joined(std::vector<Word> words, const std::vector<Word>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}
std::vector<Word> random_words(std::mt19937& random, std::size_t most) {
    std::vector<Word> words(random() % most);
    for (Word& word : words) {
        word = random_plain_instruction(random);
    }
    words.insert(words.end(), {kNop, kNop}); // where a branch lands
    return words;
}
/// A loop with a call every few instructions.
std::vector<Word> calling_loop(std::mt19937& random) {
    std::vector<Word> words;
    for (unsigned call = 0; call < 1 + random() % 3; ++call) {
        words = joined(joined(words, random_words(random, 20)), {kEcall});
    }
    words = joined(words, random_words(random, 10));
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    return words;
}
/// The handler of M-mode: behind a call it goes on behind it, else it takes back the interrupt.
/// s5 counts the calls, s6 the interrupts.
std::vector<Word> machine_handler(const std::vector<Word>& body) {
    const std::vector<Word> begin{csrr(t0, csr::kMcause),
                                  r_type(0x33, 2, 0, t0, t0, zero),
                                  bne(t0, zero, 24),
                                  csrr(t0, csr::kMepc),
                                  addi(t0, t0, 4),
                                  csrw(csr::kMepc, t0),
                                  addi(s5, s5, 1),
                                  j(12),
                                  csrw(csr::kMhpmcounter3, zero),
                                  addi(s6, s6, 1)};
    return joined(joined(begin, body), {kMret});
}
struct Calls {
    std::vector<Word> loop, handler; ///< of M-mode
    explicit Calls(unsigned seed) : Calls(std::mt19937(seed)) {}

  private:
    explicit Calls(std::mt19937 random)
        : loop(calling_loop(random)), handler(machine_handler(random_words(random, 30))) {}
};
/// Begins at kCode in this mode, behind an MRET.
void begin_in(BareMachine& machine, Privilege mode, const std::vector<Word>& words) {
    machine.open_protection();
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMepc, kCode + sizeof(Word));
    machine.set_csr(csr::kMstatus, static_cast<std::uint64_t>(mode) << kMppShift | kBeforeTrap);
    machine.place(kCode, joined({kMret}, words));
}

using ModeAndSeed = std::tuple<Privilege, unsigned>;
class HartModePathSeeds : public testing::TestWithParam<ModeAndSeed> {};

TEST_P(HartModePathSeeds, CallsOfMachineModeAreTheSame) {
    const auto [mode, first] = GetParam();
    for (unsigned seed = first; seed < first + 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const Calls calls(seed);
        const Life life = live_on_both_paths([&, mode = mode](BareMachine& machine) {
            begin_in(machine, mode, calls.loop);
            machine.place(kHandler, calls.handler);
        });
        EXPECT_GT(life.traps, 100U);
    }
}

/// A counter interrupts the loop. Every other time it stops in M-mode, and then calls are stepped.
TEST_P(HartModePathSeeds, InterruptsComeBetweenThem) {
    constexpr std::uint64_t kIntegerInstructions = 20;
    const auto [mode, first] = GetParam();
    for (unsigned seed = first; seed < first + 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        const Calls calls(seed);
        const std::uint64_t threshold = 20 + 37 * seed % 200;
        const bool filtered = mode != Privilege::Machine && seed % 2 != 0;
        const std::uint64_t filter = filtered ? csr::kMhpmeventMachineInhibit : 0;
        const Life life = live_on_both_paths([&, mode = mode](BareMachine& machine) {
            begin_in(machine, mode, calls.loop);
            machine.place(kHandler, calls.handler);
            machine.set(s3, kIntegerInstructions | filter);
            machine.set(s4, threshold);
            machine.set_csr(csr::kMie, kExternal);
            machine.place(
                kCode, joined({csrw(csr::kMhpmevent3, s3), csrw(csr::kMhpmthreshold3, s4), kMret},
                              calls.loop));
            machine.set_csr(csr::kMepc, kCode + 3 * sizeof(Word));
        });
        EXPECT_GT(life.registers[s5], 50U);
        EXPECT_GT(life.registers[s6], 5U);
    }
}

INSTANTIATE_TEST_SUITE_P(Each, HartModePathSeeds,
                         testing::Combine(testing::Values(Privilege::User, Privilege::Supervisor,
                                                          Privilege::Machine),
                                          testing::Values(0U, 1000U)));

/// Calls of S-mode from U-mode, which M-mode does not see.
class HartModePathDelegation : public testing::TestWithParam<unsigned> {};

void delegate_calls(BareMachine& machine, const std::vector<Word>& loop,
                    const std::vector<Word>& body) {
    begin_in(machine, Privilege::User, loop);
    machine.set_csr(csr::kMedeleg, kCallFromUser);
    machine.set_csr(csr::kStvec, kSupervisorHandler);
    machine.place(
        kSupervisorHandler,
        joined(joined({csrr(t0, csr::kSepc), addi(t0, t0, 4), csrw(csr::kSepc, t0)}, body),
               {kSret}));
}

TEST_P(HartModePathDelegation, CallsOfSupervisorModeAreTheSame) {
    for (unsigned seed = GetParam(); seed < GetParam() + 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const std::vector<Word> loop = calling_loop(random), body = random_words(random, 30);
        const Life life =
            live_on_both_paths([&](BareMachine& machine) { delegate_calls(machine, loop, body); });
        EXPECT_GT(life.traps, 100U);
    }
}
INSTANTIATE_TEST_SUITE_P(Each, HartModePathDelegation, testing::Values(0U, 1000U, 2000U));

/// A hart that nobody watches does not leave the blocks for them.
TEST(HartModePath, AreInBlocks) {
    std::mt19937 random(1);
    const std::vector<Word> loop = calling_loop(random), body = random_words(random, 10);
    BareMachine machine(counting_everything(ExecutionPath::Fast));
    machine.set(sp, BareMachine::kData);
    delegate_calls(machine, loop, body);
    machine.stop_observing();
    machine.hart().set_pc(kCode);
    machine.hart().set_horizon(kLifetime);
    machine.hart().run();
    const PathStatistics& path = machine.hart().path_statistics();
    EXPECT_GT(machine.hart().traps(), 200U);
    EXPECT_GT(path.in_blocks, machine.hart().instret() * 9 / 10);
    EXPECT_LT(path.left[static_cast<std::size_t>(LeftFor::SystemInstruction)],
              machine.hart().traps() / 10);
}

/// What is pending while M-mode keeps it out is taken behind the MRET, before the instruction that
/// it returns to.
TEST(HartModePath, AReturnLetsAnInterruptThrough) {
    constexpr std::uint64_t kIntegerInstructions = 20, kThreshold = 31;
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.set(s3, kIntegerInstructions);
        machine.set(s4, kThreshold);
        machine.set_csr(csr::kMie, kExternal);
        const std::vector<Word> loop{addi(a0, a0, 1), kEcall, mul(a1, a0, a0), j(-12)};
        begin_in(machine, Privilege::Supervisor, loop);
        machine.place(
            kCode,
            joined({csrw(csr::kMhpmevent3, s3), csrw(csr::kMhpmthreshold3, s4), kMret}, loop));
        machine.set_csr(csr::kMepc, kCode + 3 * sizeof(Word));
        // long enough to reach the threshold in the handler, mostly
        machine.place(kHandler, machine_handler(std::vector<Word>(25, addi(a2, a2, 1))));
    });
    EXPECT_GT(life.registers[s6], 100U);
}

/// The load behind the MRET is thrown away. It is one of S-mode, which MPRV had it be, and then one
/// of M-mode, and goes to another line each time.
TEST(HartModePath, LoadsUnderMprv) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        machine.set(s4, kMprv);
        machine.set(s3, BareMachine::kData);
        begin_in(machine, Privilege::Supervisor,
                 {ld(a1, sp, 0), addi(a1, a1, 1), kEcall, sd(a1, sp, 0), j(-16)});
        machine.place(kHandler, {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0),
                                 csrrs(zero, csr::kMstatus, s4), ld(a3, sp, 8), addi(a3, a3, 1),
                                 sd(a3, sp, 8), addi(s3, s3, 64), div(a2, s3, a3), kMret,
                                 ld(a4, s3, 0), ld(a5, s3, 64)});
    });
    EXPECT_GT(life.traps, 100U);
}

/// As some cores do, and CVA6 if it is told to.
TEST(HartModePath, BranchTablesAreFlushed) {
    for (unsigned seed = 0; seed < 20; ++seed) {
        SCOPED_TRACE(testing::Message() << "seed " << seed);
        std::mt19937 random(seed);
        const std::vector<Word> loop = calling_loop(random), body = random_words(random, 30);
        const auto live = [&](ExecutionPath path) {
            HartConfig config = counting_everything(path);
            config.timing.predictors_on_trap = PredictorsOnTrap::Flushed;
            return live_unobserved(
                config, [&](BareMachine& machine) { delegate_calls(machine, loop, body); });
        };
        expect_equal(live(ExecutionPath::Step), live(ExecutionPath::Fast));
    }
}

/// EBREAK is stepped, and traps to the mode that it is in.
TEST(HartModePath, ATrapThatReturnsToItself) {
    const Life life = live_on_both_paths([](BareMachine& machine) {
        begin_in(machine, Privilege::Machine, {addi(a0, a0, 1), kEbreak, kEcall, j(-12)});
        machine.place(kHandler, machine_handler({kNop}));
    });
    EXPECT_GT(life.traps, 200U);
}

} // namespace
} // namespace pes::test
