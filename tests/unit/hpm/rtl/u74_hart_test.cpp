// SPDX-License-Identifier: Apache-2.0
// A hart whose counters have the U74's profile: what a known loop counts, judged by the encodings
// of what retired, and that model, RTL and both paths count the same. Sources: U74-MC manual,
// chapter Hardware Performance Monitor, for the classes; the unprivileged specification, chapter
// RV32/64G Instruction Set Listings, for the encodings.
#include "hw/core/arch/csr_numbers.h"
#include "hw/hpm/lockstep_bank.h"
#include "hw/interface/pmu/profile_u74.h"
#include "tests/unit/core/bare_machine.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace pes::test {
namespace {

constexpr std::uint16_t kCounter3 = 0xB03, kEvent3 = 0x323, kInhibit = 0x320;
constexpr std::uint64_t kFloatEnabled = 3U << 13; // mstatus.FS
constexpr unsigned kRounds = 60;
constexpr unsigned kStart = 3; ///< index of the word that starts the counter
constexpr Cycle kEnough = 20'000;

/// Bit of the mask of class 0 for an instruction that retires.
unsigned mask_bit(std::uint32_t raw) {
    const std::uint32_t funct3 = raw >> 12 & 7, funct5 = raw >> 27, funct7 = raw >> 25;
    switch (raw & 0x7F) {
    case 0x03: // LOAD
        return 9;
    case 0x23: // STORE
        return 10;
    case 0x2F: // AMO
        return 11;
    case 0x0F: // MISC-MEM
    case 0x73: // SYSTEM
        return 12;
    case 0x63: // BRANCH
        return 14;
    case 0x6F: // JAL
        return 15;
    case 0x67: // JALR
        return 16;
    case 0x33: // OP
        if (funct7 == 1) {
            return funct3 < 4 ? 17 : 18;
        }
        return 13;
    case 0x07: // LOAD-FP
        return 19;
    case 0x27: // STORE-FP
        return 20;
    case 0x43: // MADD
        return 23;
    case 0x53: // OP-FP
        switch (funct5) {
        case 0: // FADD
        case 1: // FSUB
            return 21;
        case 2: // FMUL
            return 22;
        case 3:    // FDIV
        case 0x0B: // FSQRT
            return 24;
        default:
            return 25;
        }
    default: // OP-IMM
        return 13;
    }
}

constexpr Word op_fp(Word funct5) {
    return r_type(0x53, 0, funct5 << 2, 3, 1, 2); // f3 = f1 op f2, single precision
}

/// Starts counter 3 with this selector, runs a loop with every class of instruction, stops it.
Address place_loop(BareMachine& machine, std::uint64_t selector) {
    constexpr Word kLoadFloat = i_type(0x07, 2, 1, sp, 16);
    constexpr Word kStoreFloat = s_type(0x27, 2, 3, sp, 24);
    constexpr Word kFusedMultiplyAdd = r_type(0x43, 0, 2U << 2, 3, 1, 2); // f3 = f1 * f2 + f2
    const std::vector<Word> round = {ld(a1, sp, 0),
                                     addi(a1, a1, 1),
                                     sd(a1, sp, 8),
                                     mul(a2, a1, a1),
                                     div(a2, a2, s2),
                                     lw(t2, sp, 0),
                                     addi(t3, zero, 5),
                                     add(a3, a2, a1),
                                     kLoadFloat,
                                     op_fp(0),
                                     op_fp(2),
                                     op_fp(3),
                                     op_fp(4),
                                     kFusedMultiplyAdd,
                                     kStoreFloat,
                                     amoadd(Width::Double, a4, a1, sp),
                                     kFence,
                                     beq(zero, s2, 8),
                                     j(4),
                                     auipc(t1, 0),
                                     jalr(ra, t1, 8),
                                     lw(a5, s3, 0),
                                     csrr(a6, csr::kMscratch),
                                     addi(t0, t0, -1)};
    std::vector<Word> words = {csrw(kInhibit, s0), csrw(kEvent3, a7), csrw(kCounter3, zero),
                               csrw(kInhibit, zero)};
    words.insert(words.end(), round.begin(), round.end());
    words.push_back(bne(t0, zero, -static_cast<std::int32_t>(round.size() * sizeof(Word))));
    words.push_back(csrw(kInhibit, s0));
    words.push_back(j(0));
    machine.set(s0, 0xFFFF'FFFF);
    machine.set(s2, 7);
    machine.set(s3, BareMachine::kDevice);
    machine.set(t0, kRounds);
    machine.set(a7, selector);
    machine.set(sp, BareMachine::kData);
    machine.set_csr(csr::kMstatus, kFloatEnabled);
    return machine.place(BareMachine::kCode, words) - sizeof(Word);
}

HartConfig hart_config(ExecutionPath path) {
    HartConfig config = BareMachine::default_config();
    config.sources |= profile_sources(kU74Profile);
    config.path = path;
    return config;
}

std::unique_ptr<CounterBank> model() {
    return std::make_unique<TlmCounterBank>(counters_of(kU74Profile));
}

/// Counter 3 and the cycles in which an instruction of the mask retired while it ran: those behind
/// the write that starts it, up to that of the write that stops it.
std::pair<std::uint64_t, std::uint64_t> count_and_expect(std::uint64_t mask) {
    BareMachine machine(hart_config(ExecutionPath::Step), model());
    const Address end = place_loop(machine, mask);
    EXPECT_EQ(machine.run(BareMachine::kCode, end), BareMachine::End::Reached);
    EXPECT_TRUE(machine.traps().empty());
    const std::vector<Retirement>& all = machine.retirements();
    const auto cycle_of = [&all](Address pc) {
        return std::ranges::find(all, pc, &Retirement::pc)->cycle;
    };
    const Cycle first = cycle_of(BareMachine::kCode + kStart * sizeof(Word));
    const Cycle last = cycle_of(end - sizeof(Word));
    std::set<Cycle> cycles;
    for (const Retirement& one : all) {
        if (one.cycle > first && one.cycle <= last && (mask >> mask_bit(one.raw) & 1) != 0) {
            cycles.insert(one.cycle);
        }
    }
    return {machine.counter(kCounter3), cycles.size()};
}

TEST(U74Hart, EachClassOfInstructionsCountsWhatRetired) {
    for (unsigned bit = 9; bit <= 25; ++bit) {
        const auto [counted, expected] = count_and_expect(std::uint64_t{1} << bit);
        EXPECT_EQ(counted, expected) << "mask bit " << bit;
        EXPECT_GT(expected, kRounds / 2) << "mask bit " << bit << " is in every round";
    }
}

TEST(U74Hart, SeveralClassesCountCyclesWithAnyOfThem) {
    constexpr std::uint64_t kAll = 0x3FF'FE00, kFloat = 0x3F8'0000, kJumps = 0x1'C000;
    for (const std::uint64_t mask : {std::uint64_t{0x4200}, kFloat, kJumps, kAll}) {
        const auto [counted, expected] = count_and_expect(mask);
        EXPECT_EQ(counted, expected) << std::hex << mask;
    }
    // What follows the division waits for it and retires two by two: less than the sum.
    std::uint64_t sum = 0;
    for (unsigned bit = 9; bit <= 25; ++bit) {
        sum += count_and_expect(std::uint64_t{1} << bit).first;
    }
    EXPECT_LT(count_and_expect(kAll).first, sum);
}

/// Counter 3 after the loop, without an observer, so that the hart may take the path.
std::uint64_t count(std::uint64_t selector, ExecutionPath path, std::unique_ptr<CounterBank> bank) {
    BareMachine machine(hart_config(path), std::move(bank));
    place_loop(machine, selector);
    machine.stop_observing();
    machine.run(BareMachine::kCode, 0, kEnough);
    machine.hart().settle(machine.hart().reached());
    return machine.bank().read(kCounter3);
}

TEST(U74Hart, ModelLockstepAndBothPathsCountTheSame) {
    const CounterConfig config = counters_of(kU74Profile);
    const RtlFactory make = find_shape(test_models(), config)->make;
    unsigned differences = 0;
    const auto lockstep = [&] {
        return std::make_unique<LockstepBank>(
            config, make,
            LockstepBank::Hooks{.on_difference = [&differences](const std::string& report) {
                ++differences;
                ADD_FAILURE() << report;
            }});
    };
    // One event and several of each class, then reserved ones.
    for (const std::uint64_t selector :
         {0x4000ULL, 0x4200ULL, 0x3FFFF00ULL, 0x0401ULL, 0x2001ULL, 0x6001ULL, 0x7FF01ULL,
          0x0202ULL, 0x0302ULL, 0x3F02ULL, 0x2402ULL, 0x4203ULL}) {
        const std::uint64_t stepped = count(selector, ExecutionPath::Step, model());
        EXPECT_EQ(count(selector, ExecutionPath::Fast, model()), stepped) << std::hex << selector;
        EXPECT_EQ(count(selector, ExecutionPath::Step, lockstep()), stepped)
            << std::hex << selector;
    }
    EXPECT_EQ(differences, 0U);
    EXPECT_EQ(count(0x2402, ExecutionPath::Fast, model()), 0U) << "write-back or UTLB miss";
    EXPECT_GE(count(0x0202, ExecutionPath::Fast, model()), kRounds) << "a device load a round";
}

} // namespace
} // namespace pes::test
