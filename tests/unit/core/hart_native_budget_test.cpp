// SPDX-License-Identifier: Apache-2.0
// How far native code goes while counters come near their thresholds: each interrupt comes in the
// cycle in which it comes when every instruction is stepped.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/native_bench.h"

#include <utility>

namespace pes::test {
namespace {

using U64 = std::uint64_t;

constexpr U64 kLoads = 5, kIntegers = 20; // events of CVA6
constexpr std::uint16_t kCounter4 = csr::kMhpmcounter3 + 1;
constexpr std::int32_t kLoopAt = 16; ///< words behind kCode
constexpr U64 kTimes = 100;
constexpr U64 kNoPeriod = U64{1} << 40;
constexpr U64 kMostSkid = 32; ///< events until the handler clears the counter, its own too

constexpr Word blt(Reg one, Reg other, std::int32_t distance) {
    return b_type(4, one, other, distance);
}

/// Counters 3 and 4 interrupt each time they have counted so many loads and integer instructions.
/// The handler tells the device in which cycle it runs, and counts the samples of each in t2 and
/// t3.
void sample(BareMachine& machine, U64 loads, U64 integers, const std::vector<Word>& body) {
    machine.connect(BankLine::Threshold, Interrupt::MachineExternal, 3);
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 11);
    machine.set(sp, BareMachine::kData);
    machine.set(a6, BareMachine::kDevice);
    machine.set(s2, loads);
    machine.set(s3, integers);
    machine.set(s4, kLoads);
    machine.set(s5, kIntegers);
    machine.place(kHandler, {csrr(t0, csr::kMcycle), sd(t0, a6, 0), csrr(t0, csr::kMhpmcounter3),
                             blt(t0, s2, 12), addi(t2, t2, 1), csrw(csr::kMhpmcounter3, zero),
                             csrr(t0, kCounter4), blt(t0, s3, 12), addi(t3, t3, 1),
                             csrw(kCounter4, zero), kMret});
    machine.place(BareMachine::kCode,
                  {csrw(csr::kMhpmevent3, s4), csrw(csr::kMhpmthreshold3, s2),
                   csrw(csr::kMhpmevent3 + 1, s5), csrw(csr::kMhpmthreshold3 + 1, s3),
                   csrrsi(zero, csr::kMstatus, 8), j(4 * kLoopAt - 20)});
    place_loop(machine, body, kTimes, BareMachine::kCode + 4 * kLoopAt);
}

/// Two blocks of which one has all but one of the loads: the most that a block can have is far from
/// what the next one has.
TEST_F(HartNative, ThresholdsAreReachedInTheirCycle) {
    constexpr U64 kOfBlock = 12;
    std::vector<Word> body(kOfBlock, ld(a0, sp, 0));
    body.insert(body.end(), {beq(zero, zero, 4), ld(a1, sp, 8), addi(a2, a2, 1), addi(a3, a3, 1)});
    for (const U64 period : {30U, 37U, 101U, 500U}) {
        SCOPED_TRACE(period);
        const auto prepare = [&](BareMachine& machine) {
            sample(machine, period, kNoPeriod, body);
        };
        judge(prepare, [period](BareMachine& machine) {
            constexpr U64 kAll = kTimes * (kOfBlock + 1);
            EXPECT_LE(machine.get(t2), kAll / period);
            EXPECT_GE(machine.get(t2), kAll / (period + kMostSkid));
            EXPECT_EQ(machine.get(t3), 0U);
        });
    }
}

/// Two thresholds, of which now one is nearer and now the other. The many integer instructions come
/// in every 16th turn of the loop only.
TEST_F(HartNative, TwoThresholdsAreReachedInTheirCycles) {
    constexpr U64 kLoadsEach = 10, kMany = 20, kRarely = 16;
    constexpr U64 kIntegersInAll = kTimes * 3 + (kTimes + kRarely - 1) / kRarely * kMany;
    std::vector<Word> body(kLoadsEach, ld(a0, sp, 0));
    body.insert(body.end(), {andi(t1, s11, kRarely - 1), bne(t1, zero, 4 * (1 + kMany))});
    body.insert(body.end(), kMany, addi(a2, a2, 1));
    for (const auto& [loads, integers] :
         {std::pair<U64, U64>{40, 47}, {47, 40}, {93, 95}, {95, 93}}) {
        SCOPED_TRACE(loads);
        const auto prepare = [&](BareMachine& machine) { sample(machine, loads, integers, body); };
        judge(prepare, [loads = loads, integers = integers](BareMachine& machine) {
            EXPECT_LE(machine.get(t2), kTimes * kLoadsEach / loads);
            EXPECT_GE(machine.get(t2), kTimes * kLoadsEach / (loads + kMostSkid));
            EXPECT_GE(machine.get(t3), kIntegersInAll / (integers + kMostSkid));
        });
    }
}

} // namespace
} // namespace pes::test
