// SPDX-License-Identifier: Apache-2.0
// A CSR that somebody outside of the hart listens to, and what observers are told of destinations:
// the two things that a software trace module lives on.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr std::uint16_t kNumber = 0x8F0;

struct Written {
    std::uint64_t value = 0;
    std::uint64_t argument = 0;

    bool operator==(const Written&) const = default;
};

class Listener : public CsrOwner {
  public:
    std::uint64_t read(std::uint16_t) const override { return 0; }
    void write(const CsrWrite& write) override {
        all.push_back({write.value, write.argument});
        cycles.push_back(write.at);
    }
    std::vector<Written> all;
    std::vector<Cycle> cycles;
};

struct Bench {
    Bench() {
        machine.open_protection();
        machine.stop_at_traps();
        EXPECT_TRUE(machine.hart().add_csr(kNumber, listener));
    }
    Listener listener;
    BareMachine machine;
};

TEST(HartCustomCsr, DoesNotExistUnlessSomebodyListens) {
    for (const Word word : {csrr(a0, kNumber), csrw(kNumber, a0)}) {
        BareMachine machine;
        machine.stop_at_traps();
        machine.execute({word});
        ASSERT_TRUE(machine.trap().has_value());
        EXPECT_EQ(machine.trap()->cause, static_cast<std::uint64_t>(Cause::IllegalInstruction));
    }
}

TEST(HartCustomCsr, AWriteInAnyModeArrivesWithX10AndTheCycleOfItsRetirement) {
    for (const Privilege mode : {Privilege::User, Privilege::Supervisor, Privilege::Machine}) {
        Bench bench;
        bench.machine.set(a0, 0x1234'5678'9ABC'DEF0);
        bench.machine.set(a1, 0x42);
        bench.machine.execute_in(mode, {csrw(kNumber, a1)});
        EXPECT_EQ(bench.listener.all, (std::vector<Written>{{0x42, 0x1234'5678'9ABC'DEF0}}));
        EXPECT_TRUE(bench.machine.traps().empty());
        EXPECT_EQ(bench.listener.cycles.at(0), bench.machine.retirements().back().cycle);
    }
}

TEST(HartCustomCsr, ANumberHasOneOwner) {
    Bench bench;
    Listener other;
    Hart& hart = bench.machine.hart();
    EXPECT_FALSE(hart.add_csr(kNumber, other));
    for (const std::uint16_t taken : {csr::kMstatus, csr::kPmpaddr0, csr::kMcycle, csr::kCycle,
                                      csr::kTime, csr::kMhpmthreshold3}) {
        EXPECT_FALSE(hart.add_csr(taken, other)) << std::hex << taken;
    }
    EXPECT_TRUE(hart.add_csr(kNumber + 1, other));
    bench.machine.set(a1, 3);
    bench.machine.execute({csrw(kNumber + 1, a1)});
    EXPECT_TRUE(bench.listener.all.empty());
    EXPECT_EQ(other.all.size(), 1U);
}

TEST(HartCustomCsr, ReadsAsZeroAndAReadIsNoWrite) {
    Bench bench;
    bench.machine.set(a1, 7);
    bench.machine.execute({csrr(a1, kNumber)});
    EXPECT_EQ(bench.machine.get(a1), 0U);
    EXPECT_TRUE(bench.listener.all.empty());
}

TEST(HartCustomCsr, X10IsThatFromBeforeTheInstruction) {
    Bench bench;
    bench.machine.set(a0, 5);
    bench.machine.execute({csrrw(a0, kNumber, a0)});
    EXPECT_EQ(bench.listener.all, (std::vector<Written>{{5, 5}}));
    EXPECT_EQ(bench.machine.get(a0), 0U);
}

TEST(HartCustomCsr, SettingBitsStartsFromZero) {
    Bench bench;
    bench.machine.set(a2, 4);
    bench.machine.execute({csrrsi(a1, kNumber, 4), csrrc(a1, kNumber, a2)});
    EXPECT_EQ(bench.listener.all, (std::vector<Written>{{4, 0}, {0, 0}}));
}

TEST(HartRetirement, NamesTheIntegerRegisterThatWasWritten) {
    struct Case {
        Word word;
        unsigned destination; ///< 0: no integer register
    };
    for (const Case& one :
         {Case{addi(tp, zero, 1), 4}, Case{csrr(tp, csr::kMscratch), 4}, Case{ld(tp, sp, 0), 4},
          Case{add(a0, tp, tp), 10}, Case{sd(tp, sp, 0), 0}, Case{addi(zero, tp, 0), 0}}) {
        BareMachine machine;
        machine.set(sp, BareMachine::kData);
        machine.execute({one.word});
        ASSERT_EQ(machine.retirements().size(), 1U);
        const unsigned destination = machine.retirements()[0].destination;
        EXPECT_EQ(destination < 32 ? destination : 0, one.destination) << std::hex << one.word;
    }
}

} // namespace
} // namespace pes::test
