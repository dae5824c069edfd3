// SPDX-License-Identifier: Apache-2.0
// The counter-overflow interrupt (13), the rights of scountovf, and counting by privilege mode in a
// whole hart. Source: RISC-V privileged specification, chapters Sscofpmf and Smcntrpmf, sections
// 3.1.9 and 4.1.3.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"
#include "tests/unit/core/sampling_ways.h"

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <sstream>

namespace pes::test {
namespace {

using End = BareMachine::End;
constexpr std::uint64_t kOverflowCause = kInterruptBit | 13;
constexpr std::uint64_t kOverflowBit = 1U << 13;
constexpr std::uint64_t kSelectCycles = 23, kSelectInstructions = 24;

/// A machine whose counter 3 counts cycles and wraps `distance` cycles after the write of its
/// value.
class Overflowing : public BareMachine {
  public:
    explicit Overflowing(std::uint64_t distance = 1000) {
        open_protection();
        stop_at_traps();
        set(s0, kSelectCycles);
        set(s1, 0 - distance);
        set_csr(csr::kMie, kOverflowBit);
    }
    /// Up to the loop that waits for the interrupt, in M-mode with interrupts off.
    void prepare() { execute({csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3, s1)}); }
};

std::unique_ptr<CounterBank> without_sscofpmf() {
    return std::make_unique<TlmCounterBank>(CounterConfig{.sscofpmf = false});
}

// --- The interrupt ------------------------------------------------------------------------------

TEST(HartOverflow, InterruptThirteenIsTakenWhereAThresholdsWouldBe) {
    Overflowing machine;
    machine.set_csr(csr::kMstatus, mstatus::kMie);
    const End end = machine.execute({csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3, s1),
                                     addi(a0, a0, 1), addi(a0, a0, 1), j(-8)});
    ASSERT_EQ(end, End::Reached);
    ASSERT_EQ(machine.traps().size(), 1U);
    const TrapTaken& trap = machine.traps()[0];
    EXPECT_EQ(trap.cause, kOverflowCause);
    EXPECT_EQ(trap.tval, 0U);
    // Written in cycle X the counter is -1000 in X + 1 and wraps with cycle X + 1000 = T: mip at
    // T + 4, and the marked instruction is taken 3 to 8 cycles later (hart_interrupt_test.cpp).
    const auto written = std::ranges::find(machine.retirements(), kCode + 4, &Retirement::pc);
    ASSERT_NE(written, machine.retirements().end());
    const Cycle pending = written->cycle + 1000 + 4;
    EXPECT_GE(trap.cycle, pending + 3);
    EXPECT_LE(trap.cycle, pending + 8);
}

TEST(HartOverflow, WakesASleepingHart) {
    Overflowing machine(4000);
    const End end = machine.execute(
        {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3, s1), kWfi, csrr(a0, csr::kMip)});
    EXPECT_EQ(end, End::Reached);
    EXPECT_GT(machine.hart().reached(), 4000U);
    EXPECT_LT(machine.hart().reached(), 4100U);
    EXPECT_EQ(machine.get(a0) & kOverflowBit, kOverflowBit);
}

TEST(HartOverflow, DelegatedItGoesToSupervisorModeAndLeavesMachineModeAlone) {
    for (const bool delegated : {false, true}) {
        Overflowing machine;
        machine.set_csr(csr::kMideleg, delegated ? kOverflowBit : 0);
        machine.set_csr(csr::kStvec, BareMachine::stop_address());
        machine.prepare();
        machine.execute_in(Privilege::User, {addi(a0, a0, 1), j(-4)});
        ASSERT_EQ(machine.traps().size(), 1U);
        EXPECT_EQ(machine.traps()[0].cause, kOverflowCause);
        EXPECT_EQ(machine.traps()[0].to, delegated ? Privilege::Supervisor : Privilege::Machine);
        EXPECT_EQ(machine.csr(csr::kScause), delegated ? kOverflowCause : 0U);
    }
}

TEST(HartOverflow, PendingBitStaysUntilSoftwareClearsIt) {
    Overflowing machine(50);
    machine.set_csr(csr::kMie, 0);
    machine.set(a7, 100);
    machine.set(s2, kOverflowBit);
    machine.execute({csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3, s1), addi(a7, a7, -1),
                     bne(a7, zero, -4), csrr(a0, csr::kMip), csrrc(zero, csr::kMip, s2),
                     csrr(a1, csr::kMip), csrr(a2, csr::kScountovf)});
    EXPECT_EQ(machine.get(a0), kOverflowBit);
    EXPECT_EQ(machine.get(a1), 0U);
    EXPECT_EQ(machine.get(a2), 1U << 3) << "OF is another matter";
}

TEST(HartOverflow, SupervisorClearsItsPendingBitOnlyIfItIsDelegated) {
    for (const bool delegated : {false, true}) {
        BareMachine machine;
        machine.set_csr(csr::kMideleg, delegated ? kOverflowBit : 0);
        machine.set_csr(csr::kMip, kOverflowBit);
        EXPECT_EQ(machine.csr(csr::kSip), delegated ? kOverflowBit : 0U);
        machine.set_csr(csr::kSip, 0);
        EXPECT_EQ(machine.csr(csr::kMip), delegated ? 0U : kOverflowBit);
    }
}

TEST(HartOverflow, HasTheLowestPriority) {
    for (const unsigned other : {1U, 5U, 9U}) {
        BareMachine machine;
        machine.stop_at_traps();
        const std::uint64_t both = kOverflowBit | 1U << other;
        machine.set_csr(csr::kMip, both);
        machine.set_csr(csr::kMie, both);
        machine.set_csr(csr::kMstatus, mstatus::kMie);
        machine.execute({kNop, kNop});
        ASSERT_FALSE(machine.traps().empty());
        EXPECT_EQ(machine.traps()[0].cause, kInterruptBit | other);
    }
}

TEST(HartOverflow, DoesNotExistWithoutSscofpmf) {
    BareMachine machine(BareMachine::default_config(), without_sscofpmf());
    for (const std::uint16_t number : {csr::kMie, csr::kMip, csr::kMideleg}) {
        machine.set_csr(number, ~std::uint64_t{0});
        EXPECT_EQ(machine.csr(number) & kOverflowBit, 0U) << std::hex << number;
    }
}

// --- Probing, as OpenSBI does it
// ------------------------------------------------------------------

TEST(HartOverflow, AbsentRegistersTrap) {
    struct Case {
        CounterConfig config;
        std::uint16_t number;
        bool traps;
    };
    const Case cases[] = {{{}, csr::kScountovf, false},
                          {{.sscofpmf = false}, csr::kScountovf, true},
                          {{}, csr::kMcyclecfg, false},
                          {{}, csr::kMinstretcfg, false},
                          {{.smcntrpmf = false}, csr::kMcyclecfg, true},
                          {{.smcntrpmf = false}, csr::kMinstretcfg, true}};
    for (const Case& one : cases) {
        BareMachine machine(BareMachine::default_config(),
                            std::make_unique<TlmCounterBank>(one.config));
        machine.stop_at_traps();
        machine.execute({csrr(a0, one.number), kNop});
        EXPECT_EQ(machine.traps().size(), one.traps ? 1U : 0U) << std::hex << one.number;
    }
}

TEST(HartOverflow, OverflowRegisterIsReadOnlyAndForSupervisorAndMachineMode) {
    for (const Privilege mode : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
        BareMachine machine;
        machine.open_protection();
        machine.stop_at_traps();
        machine.execute_in(mode, {csrr(a0, csr::kScountovf), kNop});
        EXPECT_EQ(machine.traps().size(), mode == Privilege::User ? 1U : 0U);
    }
    BareMachine machine;
    machine.stop_at_traps();
    machine.execute({csrw(csr::kScountovf, a0), kNop});
    EXPECT_EQ(machine.traps().size(), 1U);
}

TEST(HartOverflow, SupervisorSeesOverflowsOfTheCountersThatMachineModeOpens) {
    for (const std::uint64_t open : {0x00U, 0x08U, 0x10U, 0x18U}) {
        BareMachine machine;
        machine.open_protection();
        machine.set(s0, csr::kMhpmeventOverflow);
        machine.set_csr(csr::kMcounteren, open);
        machine.execute({csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmevent3 + 1, s0),
                         csrr(a0, csr::kScountovf)});
        EXPECT_EQ(machine.get(a0), 0x18U) << "M-mode sees all";
        machine.execute_in(Privilege::Supervisor, {csrr(a1, csr::kScountovf)});
        EXPECT_EQ(machine.get(a1), open);
    }
}

// --- Counting by mode
// -----------------------------------------------------------------------------

TEST(HartOverflow, UserInstructionsAreCountedToTheLastAndOthersNotAtAll) {
    // Smcntrpmf: what traps does not retire, and a return is counted in the mode it starts in. So
    // of mret, five instructions and ecall only the five are user mode's.
    for (const bool programmable : {false, true}) {
        BareMachine machine;
        machine.open_protection();
        machine.stop_at_traps();
        machine.set(s0, csr::kMhpmeventMachineInhibit | csr::kMhpmeventSupervisorInhibit |
                            (programmable ? kSelectInstructions : 0));
        const std::uint16_t control = programmable ? csr::kMhpmevent3 : csr::kMinstretcfg;
        const std::uint16_t counter = programmable ? csr::kMhpmcounter3 : csr::kMinstret;
        machine.execute({csrw(control, s0), kNop, csrw(counter, zero), kNop, kNop});
        machine.execute_in(Privilege::User,
                           {kNop, addi(a0, a0, 1), kNop, addi(a0, a0, 1), kNop, kEcall});
        ASSERT_EQ(machine.traps().size(), 1U);
        EXPECT_EQ(machine.counter(counter), 5U);
    }
}

TEST(HartOverflow, TrapsEventBelongsToTheModeThatIsLeft) {
    constexpr std::uint64_t kSelectException = 7;
    for (const auto& [filter, counted] :
         {std::pair{csr::kMhpmeventMachineInhibit, 1U}, {csr::kMhpmeventUserInhibit, 0U}}) {
        BareMachine machine;
        machine.open_protection();
        machine.stop_at_traps();
        machine.set(s0, filter | kSelectException);
        machine.execute({csrw(csr::kMhpmevent3, s0)});
        machine.execute_in(Privilege::User, {kNop, kEcall});
        EXPECT_EQ(machine.counter(csr::kMhpmcounter3), counted);
    }
}

TEST(HartOverflow, CyclesOfAllModesTogetherAreTheCycles) {
    BareMachine machine;
    machine.open_protection();
    machine.set_csr(csr::kMtvec, BareMachine::kHandler);
    machine.place(BareMachine::kHandler,
                  {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), kMret});
    machine.set(s0, kSelectCycles | csr::kMhpmeventMachineInhibit);
    machine.set(s1, kSelectCycles | csr::kMhpmeventUserInhibit);
    machine.set(s2, ~std::uint64_t{0});
    machine.set(a7, 40);
    // Counter 3 has the cycles of user mode, counter 4 those of machine mode, 5 all of them.
    machine.set(s3, kSelectCycles);
    machine.execute({csrw(csr::kMcountinhibit, s2), csrw(csr::kMhpmevent3, s0),
                     csrw(csr::kMhpmevent3 + 1, s1), csrw(csr::kMhpmevent3 + 2, s3),
                     csrw(csr::kMcountinhibit, zero)});
    machine.execute_in(Privilege::User, {kEcall, addi(a7, a7, -1), bne(a7, zero, -8)});
    EXPECT_EQ(machine.traps().size(), 40U);
    const std::uint64_t user = machine.counter(csr::kMhpmcounter3);
    const std::uint64_t above = machine.counter(csr::kMhpmcounter3 + 1);
    EXPECT_GT(user, 40U);
    EXPECT_GT(above, 40U);
    EXPECT_EQ(user + above, machine.counter(csr::kMhpmcounter3 + 2));
}

// --- Two ways of sampling
// -------------------------------------------------------------------------

TEST(HartOverflow, ThresholdFromZeroAndPresetOfMinusThresholdTakeTheSameSamples) {
    for (const std::uint64_t period : {30U, 37U, 100U, 1000U}) {
        for (const ExecutionPath path : {ExecutionPath::Step, ExecutionPath::Fast}) {
            constexpr std::uint64_t kLoads = 3000;
            const auto samples = [&](SamplingWay way) {
                return take_samples({.loads = kLoads, .period = period, .way = way, .path = path},
                                    std::make_unique<TlmCounterBank>());
            };
            const std::vector<Address> by_threshold = samples(SamplingWay::Threshold);
            EXPECT_EQ(by_threshold.size(), kLoads / period);
            EXPECT_EQ(samples(SamplingWay::Overflow), by_threshold);
        }
    }
}

// --- Counters without an interrupt --------------------------------------------------------------

/// What the hart says about writes of these values to mcycle, one after the other.
std::string said_about(std::initializer_list<std::uint64_t> values, std::uint64_t mie) {
    std::ostringstream text;
    spdlog::register_logger(std::make_shared<spdlog::logger>(
        "counters", std::make_shared<spdlog::sinks::ostream_sink_st>(text)));
    BareMachine machine;
    machine.set_csr(csr::kMie, mie);
    for (const std::uint64_t value : values) {
        machine.set(s0, value);
        machine.execute({csrw(csr::kMcycle, s0)});
    }
    spdlog::drop("counters");
    return text.str();
}

TEST(HartOverflow, AProfilerThatWaitsForMcycleIsTold) {
    constexpr std::uint64_t kPeriod = 100'003;
    constexpr std::uint64_t kHalf = std::uint64_t{1}
                                    << 63; // where Linux starts what it only counts
    EXPECT_EQ(said_about({0, 1, kHalf, kHalf + 1}, kOverflowBit), "");
    EXPECT_EQ(said_about({0 - kPeriod}, 0), "") << "nobody waits for interrupt 13";
    const std::string said = said_about({0 - kPeriod, 0 - kPeriod}, kOverflowBit);
    EXPECT_NE(said.find("mcycle, which has no overflow interrupt"), std::string::npos) << said;
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << "once a run";
}

} // namespace
} // namespace pes::test
