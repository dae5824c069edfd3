// SPDX-License-Identifier: Apache-2.0
// The sources behind kBaseEvents, where the pipeline finds them: counts from the latencies of
// TimingConfig's defaults, worked out by hand.
#include "program.h"

#include <gtest/gtest.h>

#include <numeric>

namespace pes {
namespace {

using namespace timing_test;

constexpr EventMask kAll = kAllEvents;
constexpr Event kProducers[] = {Event::LoadUseStall, Event::MultiplyStall, Event::DivideStall,
                                Event::FloatStall, Event::CsrStall};
constexpr Address kDevice = 0x1000'0000;

/// What happened since the beginning of the test.
class Counted : public Program {
  public:
    explicit Counted(const TimingConfig& config = {}, EventMask sources = kAll)
        : Program(config, sources), before_(log().totals_through(kNever)) {}

    std::uint64_t operator[](Event event) const {
        return total(event) - before_.events[static_cast<std::size_t>(event)];
    }
    std::uint64_t produced() const {
        return std::accumulate(
            std::begin(kProducers), std::end(kProducers), std::uint64_t{0},
            [this](std::uint64_t sum, Event event) { return sum + (*this)[event]; });
    }

  private:
    EventTotals before_;
};

/// Cycles that `consumer` stalls right behind `producer`; all of them must be of this kind.
std::uint64_t stall(Event kind, const Instruction& producer, const Instruction& consumer,
                    unsigned divide_bits = 1) {
    Counted program;
    if (producer.timing == TimingClass::Load) {
        program.access(producer, Program::kData); // into L1D
        program.idle();
    }
    const std::uint64_t before = program[kind];
    if (producer.timing == TimingClass::Load) {
        program.access(producer, Program::kData);
    } else {
        program.run(producer, divide_bits);
    }
    program.run(consumer);
    EXPECT_EQ(program.produced(), program[Event::PipelineStall]);
    EXPECT_EQ(program.produced(), program[kind]) << "another kind";
    return program[kind] - before;
}

/// An instruction behind another stalls for the other's latency less the cycle between them.
TEST(FurtherPulses, AStallIsNamedAfterWhatItWaitsFor) {
    EXPECT_EQ(stall(Event::LoadUseStall, load(10), alu(11, 10)), 2u);
    EXPECT_EQ(stall(Event::MultiplyStall, make(TimingClass::Multiply, 10), alu(11, 10)), 1u);
    EXPECT_EQ(stall(Event::DivideStall, make(TimingClass::Divide, 10), alu(11, 10), 5), 6u);
    EXPECT_EQ(stall(Event::CsrStall, make(TimingClass::Csr, 10), alu(11, 10)), 2u);
    const Instruction consumer = make(TimingClass::FpMove, f(1), f(0));
    EXPECT_EQ(stall(Event::FloatStall, make(TimingClass::FpMove, f(0)), consumer), 1u);
    EXPECT_EQ(stall(Event::FloatStall, make(TimingClass::FpConvert, f(0)), consumer), 2u);
    EXPECT_EQ(stall(Event::FloatStall, make(TimingClass::FpDouble, f(0)), consumer), 3u);
    EXPECT_EQ(stall(Event::FloatStall, make(TimingClass::FpSqrtSingle, f(0)), consumer), 12u);
    EXPECT_EQ(stall(Event::FloatStall, make(TimingClass::FpDivideDouble, f(0)), consumer), 22u);
}

TEST(FurtherPulses, OfTwoProducersTheOneThatEndsLastNamesTheWholeStall) {
    for (const bool divide_first : {true, false}) {
        Counted program;
        program.run(make(TimingClass::Multiply, 10));
        program.run(make(TimingClass::FpDouble, f(0))); // four cycles, issued one later
        program.run(divide_first ? make(TimingClass::FpMove, f(1), f(0), 10)
                                 : make(TimingClass::FpMove, f(1), 10, f(0)));
        EXPECT_EQ(program[Event::PipelineStall], 3u);
        EXPECT_EQ(program[Event::FloatStall], 3u);
        EXPECT_EQ(program[Event::MultiplyStall], 0u);
    }
}

/// A convert issued one cycle before a multiplication is ready in the same cycle.
TEST(FurtherPulses, OfTwoThatEndTogetherTheFirstOperandNamesTheStall) {
    for (const bool float_first : {true, false}) {
        Counted program;
        program.run(make(TimingClass::FpConvert, f(0)));
        program.run(make(TimingClass::Multiply, 10));
        program.run(float_first ? make(TimingClass::FpMove, f(1), f(0), 10)
                                : make(TimingClass::FpMove, f(1), 10, f(0)));
        EXPECT_EQ(program[Event::PipelineStall], 1u);
        EXPECT_EQ(program[Event::FloatStall], float_first ? 1u : 0u);
        EXPECT_EQ(program[Event::MultiplyStall], float_first ? 0u : 1u);
    }
}

TEST(FurtherPulses, AnAddressStallEndsWithTheAddressNotWithTheData) {
    Counted program;
    program.run(make(TimingClass::Multiply, 10));
    program.run(make(TimingClass::FpDouble, f(0)));
    Instruction data_late = store();
    data_late.rs1 = 10; // was ready when the store came
    data_late.rs2 = f(0);
    program.access(data_late, Program::kData);
    EXPECT_EQ(program[Event::PipelineStall], 3u);
    EXPECT_EQ(program[Event::AddressStall], 0u);

    program.idle();
    program.run(make(TimingClass::Multiply, 10));
    program.access(load(11, 10), Program::kData);
    EXPECT_EQ(program[Event::PipelineStall], 4u);
    EXPECT_EQ(program[Event::AddressStall], 1u);
    EXPECT_EQ(program[Event::JumpRegisterStall], 0u);
}

TEST(FurtherPulses, AJumpRegisterStallIsThatOfAJalr) {
    Counted program;
    program.run(make(TimingClass::Csr, 10));
    program.jump(make(TimingClass::Jalr, kSinkRegister, 10), Program::kCode);
    EXPECT_EQ(program[Event::PipelineStall], 2u);
    EXPECT_EQ(program[Event::JumpRegisterStall], 2u);
    EXPECT_EQ(program[Event::CsrStall], 2u);
    EXPECT_EQ(program[Event::AddressStall], 0u);
}

// --- Branches -----------------------------------------------------------------------------------

/// A cold forward branch is predicted not taken; BTB and RAS are empty.
TEST(FurtherPulses, ABranchMispredictsItsDirectionAndAJumpItsTarget) {
    Counted program;
    program.jump(branch(64), program.pc() + 64);
    EXPECT_EQ(program[Event::DirectionMispredict], 1u);
    EXPECT_EQ(program[Event::TargetMispredict], 0u);
    program.jump(make(TimingClass::Jalr, kSinkRegister, 10), program.pc() + 64); // indirect
    program.jump(make(TimingClass::Jalr, kSinkRegister, 1), program.pc() + 64);  // return
    program.jump(make(TimingClass::Jal), program.pc() + 64);                     // always known
    EXPECT_EQ(program[Event::DirectionMispredict], 1u);
    EXPECT_EQ(program[Event::TargetMispredict], 2u);
    EXPECT_EQ(program[Event::BranchMispredict], 3u);
}

TEST(FurtherPulses, OnlyAConditionalBranchThatJumpsIsATakenBranch) {
    Counted program;
    program.jump(branch(64), program.pc() + 4);
    program.jump(make(TimingClass::Jal), program.pc() + 64);
    program.jump(make(TimingClass::Jalr, kSinkRegister, 10), program.pc() + 64);
    EXPECT_EQ(program[Event::TakenBranch], 0u);
    const Cycle retired = program.jump(branch(64), program.pc() + 64);
    EXPECT_EQ(program[Event::TakenBranch], 1u);
    EXPECT_TRUE(program.log().at(retired).events.has(Event::TakenBranch))
        << "in the cycle of retirement";
}

// --- Memory -------------------------------------------------------------------------------------

/// A miss costs refill_cycles + memory_latency = 5.
TEST(FurtherPulses, FetchAndDataAreBusyForTheCostOfAMiss) {
    Counted program;
    program.jump(make(TimingClass::Jal), Program::kCode + 0x1'0000); // not in L1I
    EXPECT_EQ(program[Event::FetchBusy], 0u);
    program.run(alu(10));
    EXPECT_EQ(program[Event::L1IMiss], 1u);
    EXPECT_EQ(program[Event::FetchBusy], 5u);

    program.access(load(10), Program::kData);
    program.access(load(11), Program::kData + 8); // the same line
    EXPECT_EQ(program[Event::L1DMiss], 1u);
    EXPECT_EQ(program[Event::DataMissOrIo], 1u);
    EXPECT_EQ(program[Event::DataBusy], 5u);
    EXPECT_EQ(program[Event::ExternalLoad], 0u);
}

/// From the request on: 2 cycles as a hit, 4 more, and the device's own.
TEST(FurtherPulses, AnExternalLoadIsUnderWayFromItsRequestToItsResult) {
    Counted program;
    const Cycle retired = program.access(load(10), kDevice, false);
    EXPECT_EQ(program[Event::ExternalLoad], 1u);
    EXPECT_TRUE(program.log().at(retired).events.has(Event::ExternalLoad));
    EXPECT_EQ(program[Event::ExternalLoadWait], 6u);
    EXPECT_EQ(program[Event::DataBusy], 4u);
    EXPECT_EQ(program[Event::DataMissOrIo], 1u);
    EXPECT_EQ(program[Event::L1DMiss], 0u);

    program.idle();
    constexpr std::uint32_t kLatency = 30;
    Pipeline& pipeline = program.pipeline();
    pipeline.fetch(program.pc(), program.pc(), 4, nullptr);
    pipeline.issue(load(10));
    pipeline.retire_memory(load(10), {.physical = kDevice, .size = 8, .cacheable = false},
                           kLatency);
    EXPECT_EQ(program[Event::ExternalLoadWait], 2 * 6 + kLatency);
    EXPECT_EQ(program[Event::DataBusy], 2 * 4 + kLatency);
}

/// Retired in R it asks in R + 1 and is sent in R + 2; its transaction is back 4 + 1 cycles later.
TEST(FurtherPulses, AnExternalStoreIsUnderWayFromItsRetirementToTheEndOfItsTransaction) {
    Counted program;
    const Cycle retired = program.access(store(), kDevice, false);
    EXPECT_EQ(program[Event::ExternalStore], 1u);
    EXPECT_TRUE(program.log().at(retired).events.has(Event::ExternalStore));
    EXPECT_EQ(program[Event::ExternalStoreWait], 6u);
    EXPECT_TRUE(program.log().at(retired + 1).events.has(Event::ExternalStoreWait));
    EXPECT_FALSE(program.log().at(retired + 7).events.has(Event::ExternalStoreWait));
    EXPECT_EQ(program[Event::DataMissOrIo], 1u);
    EXPECT_EQ(program[Event::DataBusy], 0u);

    program.idle();
    program.access(store(), Program::kData);
    EXPECT_EQ(program[Event::ExternalStore], 1u);
    EXPECT_EQ(program[Event::ExternalStoreWait], 6u);
    EXPECT_EQ(program[Event::DataMissOrIo], 1u) << "stores do not allocate";
}

/// One entry: the first store, retired in R, holds it until R + 7. The second asks in R + 2 and
/// gets it one cycle after that.
TEST(FurtherPulses, AStoreThatWaitsForTheWriteBufferKeepsDataBusy) {
    Counted program({.write_buffer_words = 1});
    program.access(store(), Program::kData);
    program.access(store(), Program::kData + 64);
    EXPECT_EQ(program[Event::DataBusy], 6u);
}

TEST(FurtherPulses, AnAtomicKeepsDataBusyWhileMemoryPerformsIt) {
    Counted program;
    program.access(make(TimingClass::Amo, 10), Program::kData);
    EXPECT_EQ(program[Event::DataBusy], 8u);
    program.access(make(TimingClass::LoadReserved, 10), Program::kData);
    EXPECT_EQ(program[Event::DataBusy], 8u + 4u);
    program.access(make(TimingClass::StoreConditional, 10), Program::kData);
    EXPECT_EQ(program[Event::DataBusy], 8u + 4u + 5u);
}

// --- Traps, and what nobody counts --------------------------------------------------------------

TEST(FurtherPulses, ATrapIsAFlushInItsCycle) {
    Counted program;
    const Cycle taken = program.trap(Program::kCode + 0x100);
    EXPECT_EQ(program[Event::FlushByOther], 1u);
    EXPECT_TRUE(program.log().at(taken).events.has(Event::FlushByOther));
    program.interrupt(Program::kCode + 0x200);
    EXPECT_EQ(program[Event::FlushByOther], 2u);
}

/// Everything above in one program.
Cycle some_of_all(Program& program) {
    program.run(make(TimingClass::Divide, 10), 9);
    program.access(load(11, 10), Program::kData);
    program.jump(make(TimingClass::Jalr, kSinkRegister, 11), Program::kCode + 0x1'0000);
    program.access(store(), kDevice, false);
    program.access(load(10), kDevice, false);
    program.jump(branch(64), program.pc() + 64);
    program.access(make(TimingClass::Amo, 10), Program::kData);
    return program.trap(Program::kCode);
}

TEST(FurtherPulses, EachSourceIsSilentUnlessItIsAskedFor) {
    for (std::size_t wanted = kBaseEventCount; wanted < kEventCount; ++wanted) {
        Counted everything;
        Counted one({}, event_bit(static_cast<Event>(wanted)));
        EXPECT_EQ(some_of_all(one), some_of_all(everything)) << "cycles depend on what is counted";
        for (std::size_t source = 1; source < kEventCount; ++source) {
            const auto event = static_cast<Event>(source);
            const bool speaks = source < kBaseEventCount || source == wanted;
            EXPECT_EQ(one[event], speaks ? everything[event] : 0u) << source << " of " << wanted;
        }
    }
}

} // namespace
} // namespace pes
