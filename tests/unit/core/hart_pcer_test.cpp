// SPDX-License-Identifier: Apache-2.0
// A hart with the counters of the older CV32E40P: which CSRs are there in which mode, and what a
// known loop counts, with a counter an event and with one for all. Sources: the register
// description in docs/counters-cv32e40p.md; RISC-V privileged specification, sections 2.1 (rights
// in a CSR's number) and 3.1.11 (mcounteren).
#include "hw/core/arch/causes.h"
#include "hw/core/arch/csr_numbers.h"
#include "hw/hpm/counter_config.h"
#include "hw/hpm/pcer_bank.h"
#include "hw/interface/pmu/profile_cv32e40p.h"
#include "tests/unit/core/bare_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace pes::test {
namespace {

using End = BareMachine::End;
constexpr std::uint16_t kPcmr = 0x7E1, kPcer = 0x7E0, kPccr0 = 0x780, kPccrAll = 0x79F;
constexpr std::uint16_t kUserPccr0 = 0xC80, kUserPcer = 0xCC0, kUserPcmr = 0xCC1;
constexpr std::uint64_t kIllegalCause = 2;
constexpr std::uint64_t kEvents = 0x1F'FFFF;

enum Bit : std::uint8_t {
    Cycles = 0,
    Instructions = 1,
    LoadUse = 2,
    Loads = 5,
    Stores = 6,
    Jumps = 7,
    Branches = 8,
    Taken = 9,
    Compressed = 10,
    ExternalLoads = 11,
    ExternalStores = 12,
    ExternalLoadCycles = 13,
    Tcdm = 15,
};

constexpr std::uint16_t pccr(unsigned n) {
    return static_cast<std::uint16_t>(kPccr0 + n);
}

HartConfig hart_config(ExecutionPath path = ExecutionPath::Auto) {
    HartConfig config = BareMachine::default_config();
    config.sources |= profile_sources(kCv32e40pProfile);
    config.path = path;
    return config;
}

class PcerMachine : public BareMachine {
  public:
    explicit PcerMachine(const PmuProfile& profile = kCv32e40pProfile,
                         ExecutionPath path = ExecutionPath::Auto)
        : BareMachine(hart_config(path), std::make_unique<PcerBank>(counters_of(profile))) {
        stop_at_traps();
        open_protection();
        set(sp, kData);
        set(a6, kDevice);
    }
    /// The cause of the trap that `word` takes in `mode`, or nothing.
    std::optional<std::uint64_t> cause(Privilege mode, Word word) {
        const std::size_t before = traps().size();
        const End end = mode == Privilege::Machine ? execute({word}) : execute_in(mode, {word});
        EXPECT_EQ(end, End::Reached);
        if (traps().size() == before) {
            return std::nullopt;
        }
        return traps().back().cause;
    }
};

constexpr Privilege kModes[] = {Privilege::Machine, Privilege::Supervisor, Privilege::User};

// --- Rights -------------------------------------------------------------------------------------

TEST(HartPcer, StandardCountersThresholdsAndBufferTrapInEveryMode) {
    std::vector<std::uint16_t> absent = {0x320, 0x321, 0x322, 0xB00, 0xB02, 0xC00, 0xC02,
                                         0xDA0, 0xB21, 0xB22, 0xBC0, 0xBC1, 0xBC2, 0xBC3};
    for (unsigned n = 3; n <= 31; ++n) {
        for (const unsigned base : {0x320U, 0xB00U, 0xB20U, 0xC00U}) {
            absent.push_back(static_cast<std::uint16_t>(base + n));
        }
    }
    for (const Privilege mode : kModes) {
        for (const std::uint16_t csr : absent) {
            PcerMachine machine;
            machine.set_csr(csr::kMcounteren, 0xFFFF'FFFF);
            machine.set_csr(csr::kScounteren, 0xFFFF'FFFF);
            EXPECT_EQ(machine.cause(mode, csrr(a0, csr)), kIllegalCause) << std::hex << csr;
        }
    }
}

TEST(HartPcer, MachineRegistersAreForMachineModeOnly) {
    for (const std::uint16_t csr : {kPcmr, kPcer, kPccr0, pccr(30), kPccrAll}) {
        PcerMachine machine;
        EXPECT_EQ(machine.cause(Privilege::Machine, csrr(a0, csr)), std::nullopt);
        EXPECT_EQ(machine.cause(Privilege::Machine, csrw(csr, a0)), std::nullopt);
        EXPECT_EQ(machine.cause(Privilege::Supervisor, csrr(a0, csr)), kIllegalCause);
        EXPECT_EQ(machine.cause(Privilege::User, csrr(a0, csr)), kIllegalCause);
        EXPECT_EQ(machine.cause(Privilege::User, csrw(csr, a0)), kIllegalCause);
    }
}

TEST(HartPcer, UserAliasesAreReadableInEveryModeWhateverCounterenSays) {
    for (const std::uint32_t enables : {0U, 0xFFFF'FFFFU}) {
        for (const Privilege mode : kModes) {
            PcerMachine machine;
            machine.set(s0, 0x1234);
            machine.execute(
                {csrrw(zero, pccr(Loads), s0), csrrsi(zero, kPcer, 1U << Instructions)});
            machine.set_csr(csr::kMcounteren, enables);
            machine.set_csr(csr::kScounteren, enables);
            const std::initializer_list<Word> reads = {csrr(a0, kUserPccr0 + Loads),
                                                       csrr(a1, kUserPcer), csrr(a2, kUserPcmr)};
            const End end = mode == Privilege::Machine ? machine.execute(reads)
                                                       : machine.execute_in(mode, reads);
            EXPECT_EQ(end, End::Reached);
            EXPECT_TRUE(machine.traps().empty());
            EXPECT_EQ(machine.get(a0), 0x1234U);
            EXPECT_EQ(machine.get(a1), 1U << Instructions);
            EXPECT_EQ(machine.get(a2), 3U);
        }
    }
}

TEST(HartPcer, UserAliasesAreReadOnlyInEveryMode) {
    for (const Privilege mode : kModes) {
        for (const std::uint16_t csr :
             {kUserPcmr, kUserPcer, kUserPccr0, static_cast<std::uint16_t>(kUserPccr0 + 31)}) {
            PcerMachine machine;
            EXPECT_EQ(machine.cause(mode, csrw(csr, zero)), kIllegalCause) << std::hex << csr;
            EXPECT_EQ(machine.cause(mode, csrrsi(a0, csr, 1)), kIllegalCause) << std::hex << csr;
        }
    }
}

TEST(HartPcer, NeighbouringNumbersTrap) {
    for (const std::uint16_t csr : {0x77F, 0x7E2, 0x7DF, 0xC7F, 0xCA0, 0xCBF, 0xCC2}) {
        PcerMachine machine;
        EXPECT_EQ(machine.cause(Privilege::Machine, csrr(a0, csr)), kIllegalCause)
            << std::hex << csr;
    }
}

TEST(HartPcer, CounterEnablesAreStillRegisters) {
    PcerMachine machine;
    machine.set(s0, 0xFFFF'FFFF);
    machine.execute({csrw(csr::kMcounteren, s0), csrw(csr::kScounteren, s0),
                     csrr(a0, csr::kMcounteren), csrr(a1, csr::kScounteren)});
    EXPECT_FALSE(machine.trap().has_value());
    EXPECT_EQ(machine.get(a0), 0xFFFF'FFFFU);
    EXPECT_EQ(machine.get(a1), 0xFFFF'FFFFU);
}

TEST(HartPcer, ThereIsNoOverflowInterrupt) {
    PcerMachine machine;
    machine.set(s0, 1U << 13);
    machine.execute({csrw(csr::kMie, s0), csrr(a0, csr::kMie)});
    EXPECT_EQ(machine.get(a0), 0U);
}

// --- Read-modify-write --------------------------------------------------------------------------

TEST(HartPcer, SettingAndClearingBitsWorksOnTheStoredValue) {
    PcerMachine machine;
    machine.set(s0, 0x30);
    machine.set(s1, 0x10);
    machine.execute({csrrs(a0, kPcer, s0), csrrc(a1, kPcer, s1), csrr(a2, kPcer)});
    EXPECT_EQ(machine.get(a0), 0U);
    EXPECT_EQ(machine.get(a1), 0x30U);
    EXPECT_EQ(machine.get(a2), 0x20U);
}

// --- Counting -----------------------------------------------------------------------------------

constexpr unsigned kRounds = 100;
constexpr unsigned kLoopStart = 4; ///< index of the loop's first word

/// Enables a3, clears, counts a loop of kRounds rounds, stops. Each round: an external load, a load
/// with its use, a store, two compressed instructions, a branch not taken, a jump, and the branch
/// back, which the last round does not take.
Address count_loop(BareMachine& machine, std::uint64_t events) {
    machine.set(a3, events);
    machine.set(t0, kRounds);
    machine.set(s1, 3);
    const Word two_nops = Word{kCompressedNop} << 16 | kCompressedNop;
    return machine.place(BareMachine::kCode,
                         {csrw(kPcmr, zero), csrw(kPcer, a3), csrw(kPccrAll, zero), csrw(kPcmr, s1),
                          lw(a2, a6, 0), ld(a1, sp, 0), addi(a1, a1, 1), sd(a1, sp, 8), two_nops,
                          beq(t0, zero, 8), j(4), addi(t0, t0, -1), bne(t0, zero, -32),
                          csrw(kPcmr, zero), j(0)}) -
           sizeof(Word);
}

/// The retirements that count: those in the cycles behind that of the write that starts the
/// counters, up to that of the write that stops them.
std::vector<Retirement> counted(const BareMachine& machine) {
    const auto at = [](unsigned word) { return BareMachine::kCode + word * sizeof(Word); };
    const std::vector<Retirement>& all = machine.retirements();
    const Cycle first = std::ranges::find(all, at(kLoopStart - 1), &Retirement::pc)->cycle;
    const Cycle last = std::ranges::find(all, at(kLoopStart + 9), &Retirement::pc)->cycle;
    std::vector<Retirement> result;
    std::ranges::copy_if(all, std::back_inserter(result), [&](const Retirement& one) {
        return one.cycle > first && one.cycle <= last;
    });
    return result;
}

/// In how many cycles at least one of them retires.
template <typename Is>
std::uint64_t cycles_with(const std::vector<Retirement>& retirements, Is is) {
    std::set<Cycle> cycles;
    for (const Retirement& one : retirements) {
        if (is(one)) {
            cycles.insert(one.cycle);
        }
    }
    return cycles.size();
}

constexpr bool is_load(const Retirement& one) {
    return (one.raw & 0x7F) == 0x03;
}
constexpr bool is_store(const Retirement& one) {
    return (one.raw & 0x7F) == 0x23;
}

TEST(HartPcer, CountsAKnownLoopEventByEvent) {
    PcerMachine machine;
    machine.set_device_latency(20);
    ASSERT_EQ(machine.run(BareMachine::kCode, count_loop(machine, kEvents)), End::Reached);
    const std::vector<Retirement> seen = counted(machine);
    const auto value = [&](unsigned n) { return machine.counter(pccr(n)); };
    // Nine words and the second compressed one a round, and the write that stops the counters.
    EXPECT_EQ(value(Instructions), 10 * kRounds + 1);
    EXPECT_EQ(value(Instructions), seen.size());
    EXPECT_EQ(value(Loads), 2 * kRounds);
    EXPECT_EQ(value(Stores), kRounds);
    EXPECT_EQ(value(Jumps), kRounds);
    EXPECT_EQ(value(Branches), 2 * kRounds);
    EXPECT_EQ(value(Taken), kRounds - 1);
    EXPECT_EQ(value(Compressed),
              cycles_with(seen, [](const Retirement& one) { return one.length == 2; }));
    EXPECT_EQ(value(ExternalLoads), kRounds);
    EXPECT_EQ(value(ExternalStores), 0U);
    EXPECT_GE(value(ExternalLoadCycles), 20 * kRounds); // the device takes that long
    EXPECT_GE(value(LoadUse), kRounds);                 // a1 is used by the next instruction
    EXPECT_EQ(value(Cycles), seen.back().cycle - machine.retirements()[kLoopStart - 1].cycle);
    for (const unsigned absent : {15U, 17U, 18U, 20U, 21U, 30U}) {
        EXPECT_EQ(value(absent), 0U) << absent;
    }
}

TEST(HartPcer, OneCounterCountsCyclesWithAnyOfTheEvents) {
    const auto count = [](std::uint64_t events) {
        PcerMachine machine(kCv32e40pAsicProfile);
        EXPECT_EQ(machine.run(BareMachine::kCode, count_loop(machine, events)), End::Reached);
        return std::pair{machine.counter(pccr(17)), counted(machine)};
    };
    const auto [loads, of_loads] = count(1U << Loads);
    EXPECT_EQ(loads, 2 * kRounds);
    const auto [both, of_both] = count(1U << Loads | 1U << Stores);
    EXPECT_EQ(both, cycles_with(of_both, [](const Retirement& one) {
                  return is_load(one) || is_store(one);
              }));
    const auto [any, of_any] = count(1U << Instructions);
    EXPECT_EQ(any, cycles_with(of_any, [](const Retirement&) { return true; }));
    EXPECT_LE(any, 10 * kRounds + 1);
    const auto [cycles, of_cycles] = count(kEvents);
    EXPECT_GE(cycles, any);
}

// --- Both paths ---------------------------------------------------------------------------------

std::map<std::uint16_t, std::uint64_t> registers_after(const PmuProfile& profile,
                                                       std::uint64_t events, ExecutionPath path) {
    PcerMachine machine(profile, path);
    const Address end = count_loop(machine, events);
    machine.stop_observing();
    machine.run(BareMachine::kCode, end, 20'000);
    machine.hart().settle(machine.hart().reached());
    std::map<std::uint16_t, std::uint64_t> registers;
    for (std::uint16_t number = 0; number < 0x1000; ++number) {
        if (machine.bank().owns(number)) {
            registers[number] = machine.bank().read(number);
        }
    }
    return registers;
}

TEST(HartPcer, BothPathsCountTheSame) {
    for (const PmuProfile* profile : {&kCv32e40pProfile, &kCv32e40pAsicProfile}) {
        for (const std::uint64_t events :
             {kEvents, std::uint64_t{1} << Loads, std::uint64_t{1} << Loads | 1U << Taken}) {
            const auto stepped = registers_after(*profile, events, ExecutionPath::Step);
            EXPECT_EQ(registers_after(*profile, events, ExecutionPath::Fast), stepped)
                << profile->name << ", PCER " << events;
            EXPECT_NE(stepped.at(pccr(Loads)), 0U);
        }
    }
}

} // namespace
} // namespace pes::test
