// SPDX-License-Identifier: Apache-2.0
// Accesses to devices on the fast path: a device sees the same accesses in the same cycles as from
// a hart that steps, and what it does to the hart meets it in the same cycle.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

constexpr Cycle kLimit = kLifetime;

/// Both paths, and the number of accesses.
std::size_t compare(const Prepare& prepare) {
    return live_on_both_paths(prepare).accesses.size();
}

/// Loads and stores of a device between some arithmetic, for ever.
void poll(BareMachine& machine) {
    machine.place(kCode, {// loop
                          addi(a1, a1, 1), mul(a2, a1, a1), sw(a2, a6, 16), add(a3, a2, a1),
                          lw(a4, a6, 8), add(a5, a4, a3), sd(a5, sp, 0), sh(a5, a6, 18),
                          ld(a7, sp, 0), lb(s3, a6, 1), sb(a7, a6, 19), j(-44)});
}

TEST(HartDevicePath, TheSameAccessesInTheSameCycles) {
    const auto with_latency = [](std::uint32_t cycles) {
        return [cycles](BareMachine& machine) {
            poll(machine);
            machine.set_device_value(0x8877'6655'4433'2211);
            machine.set_device_latency(cycles);
        };
    };
    for (const std::uint32_t cycles : {0U, 1U, 7U, 50U, 400U}) {
        EXPECT_GT(compare(with_latency(cycles)), kLimit / (40 + 5 * cycles)) << cycles;
    }
}

TEST(HartDevicePath, AValueIsTheOneOfThatCycle) {
    compare([](BareMachine& machine) {
        poll(machine);
        machine.on_access([&machine](const BusAccess& access) {
            machine.set_device_value(access.at * 0x0101'0101'0101);
        });
    });
}

TEST(HartDevicePath, ALatencyThatChangesIsPaidEveryTime) {
    compare([](BareMachine& machine) {
        poll(machine);
        machine.on_access([&machine](const BusAccess& access) {
            machine.set_device_latency(static_cast<std::uint32_t>(access.at % 11));
        });
    });
}

/// The handler counts, takes the interrupt back by a store, and returns.
void handle(BareMachine& machine) {
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 7);
    machine.set_csr(csr::kMstatus, machine.csr(csr::kMstatus) | mstatus::kMie);
    machine.place(kHandler, {addi(t2, t2, 1), csrr(t0, csr::kMepc), csrr(t1, csr::kMcycle),
                             sw(t1, a6, 0x100), add(t3, t3, t1), kMret});
}

// With bus_errors = as-v5.3.0, where the paths go on behind what the device refuses.
TEST(HartDevicePath, ARefusedAccessThatNobodyNoticesIsTheSame) {
    const auto prepare = [](BareMachine& machine) {
        machine.set_device_latency(3);
        machine.place(kCode, {addi(a1, a1, 1), sw(a1, s2, 16), lw(a2, s2, 8), add(a3, a2, a1),
                              lw(a4, a6, 8), mul(a5, a4, a3), sd(a5, s2, 0), j(-28)});
    };
    HartConfig config = BareMachine::default_config();
    config.bus_errors = UpstreamDefect::Reproduced;
    config.path = ExecutionPath::Step;
    const Life stepped = live_unobserved(config, prepare);
    config.path = ExecutionPath::Fast;
    expect_equal(live_unobserved(config, prepare), stepped);
    EXPECT_EQ(stepped.traps, 0U);
}

TEST(HartDevicePath, AnInterruptThatAnAccessRaisesComesInItsCycle) {
    for (const Cycle delay : {1U, 2U, 5U, 30U, 200U}) {
        std::uint64_t traps = 0;
        compare([delay, &traps](BareMachine& machine) {
            poll(machine);
            handle(machine);
            machine.on_access([&machine, delay, &traps](const BusAccess& access) {
                const bool ends = access.address == BareMachine::kDevice + 0x100;
                if (ends || access.kind == Access::Load) {
                    machine.hart().set_interrupt(Interrupt::MachineTimer, !ends,
                                                 access.at + (ends ? 1 : delay));
                }
                traps = machine.hart().traps();
            });
        });
        EXPECT_GT(traps, 20U) << delay;
    }
}

/// Some time behind a load, until `fall` cycles behind the store of the handler.
void interrupt_now_and_then(BareMachine& machine, Cycle fall) {
    constexpr Cycle kRise = 400;
    constexpr std::size_t kBetween = 40, kBehindStore = 8;
    std::vector<Word> loop(kBetween, addi(a1, a1, 1));
    loop.front() = lw(a4, a6, 8);
    loop.push_back(j(-4 * static_cast<std::int32_t>(kBetween)));
    machine.place(kCode, loop);
    handle(machine);
    std::vector<Word> handler(kBehindStore, addi(t3, t3, 1));
    handler.front() = sw(t3, a6, 0x100);
    handler.back() = kMret;
    machine.place(kHandler, handler);
    machine.on_access([&machine, fall, raised = false](const BusAccess& access) mutable {
        const bool ends = access.address == BareMachine::kDevice + 0x100;
        if (ends || (access.kind == Access::Load && !raised)) {
            raised = !ends;
            machine.hart().set_interrupt(Interrupt::MachineTimer, raised,
                                         access.at + (raised ? kRise : fall));
        }
    });
}

/// The first that falls too late for the instruction behind the MRET interrupts that one again.
TEST(HartDevicePath, AnInterruptIsOverIfItsLineFallsByTheDecodeBehindTheReturn) {
    std::uint64_t fewest = ~std::uint64_t{0}, most = 0;
    for (Cycle fall = 1; fall <= 24; ++fall) {
        SCOPED_TRACE(testing::Message() << fall << " cycles behind the store");
        const Life life = live_on_both_paths(
            [fall](BareMachine& machine) { interrupt_now_and_then(machine, fall); });
        fewest = std::min(fewest, life.traps);
        most = std::max(most, life.traps);
    }
    EXPECT_GT(fewest, 60U);
    EXPECT_GT(most, fewest * 3 / 2);
}

/// One that is still high when the MRET is replayed is no reason to step if it is over by then.
TEST(HartDevicePath, AFallingLineTakesABlockOnlyToItsInterrupt) {
    for (Cycle fall = 1; fall <= 24; ++fall) {
        SCOPED_TRACE(testing::Message() << fall << " cycles behind the store");
        BareMachine machine(counting_everything(ExecutionPath::Fast));
        machine.set(sp, BareMachine::kData);
        machine.set(a6, BareMachine::kDevice);
        interrupt_now_and_then(machine, fall);
        machine.stop_observing();
        machine.hart().set_pc(kCode);
        machine.hart().set_horizon(kLimit);
        machine.hart().run();
        const PathStatistics& path = machine.hart().path_statistics();
        const std::uint64_t traps = machine.hart().traps();
        EXPECT_GT(traps, 60U);
        EXPECT_LE(path.left[static_cast<std::size_t>(LeftFor::Limit)], traps);
        EXPECT_EQ(path.left[static_cast<std::size_t>(LeftFor::Avoided)], 0U);
    }
}

TEST(HartDevicePath, AThresholdIsCrossedInTheMiddleOfAccesses) {
    compare([](BareMachine& machine) {
        machine.set_csr(csr::kMtvec, kHandler);
        machine.set_csr(csr::kMie, 1U << 11);
        machine.set(s0, 20); // event: integer
        machine.set(s1, 37); // threshold
        machine.place(kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1),
                              csrrsi(zero, csr::kMstatus, 8),
                              // loop
                              addi(a1, a1, 1), mul(a2, a1, a1), sw(a2, a6, 16), add(a3, a2, a1),
                              lw(a4, a6, 8), add(a5, a4, a3), sd(a5, sp, 0), j(-28)});
        machine.place(kHandler, {addi(t2, t2, 1), csrr(t1, csr::kMcycle), sw(t1, a6, 0),
                                 csrw(csr::kMhpmcounter3, zero), kMret});
    });
}

/// A device that reads as the edges of the counters so far, as the pending bits of an interrupt
/// controller do. Behind each new one the loop sets the next threshold, a little further ahead.
void poll_for_edges(BareMachine& machine, std::uint16_t counter, std::uint16_t threshold) {
    machine.on_access(
        [&machine](const BusAccess&) { machine.set_device_value(machine.line_edges().size()); });
    machine.bank().write(csr::kMhpmevent3, 20); // integer
    machine.set(a5, ~std::uint64_t{0});         // the first value is new too
    machine.set(s1, 11);
    machine.place(kCode, {// loop
                          lw(a4, a6, 8), addi(a1, a1, 1), beq(a4, a5, -8),
                          // changed
                          addi(a5, a4, 0), sd(a1, a6, 0), csrr(t0, counter), add(t0, t0, s1),
                          csrw(threshold, t0), addi(s1, s1, 3), j(-36)});
}

TEST(HartDevicePath, ADeviceHasSeenEveryEdgeBeforeItsCycle) {
    struct Pair {
        std::uint16_t counter, threshold;
    };
    for (const Pair& pair : {Pair{csr::kMcycle, csr::kMhpmthresholdCycle},
                             Pair{csr::kMinstret, csr::kMhpmthresholdInstret},
                             Pair{csr::kMhpmcounter3, csr::kMhpmthreshold3}}) {
        for (const std::uint32_t latency : {0U, 3U, 150U}) {
            SCOPED_TRACE(testing::Message() << "CSR " << pair.counter << " latency " << latency);
            const Life life = live_on_both_paths([&](BareMachine& machine) {
                machine.set_device_latency(latency);
                poll_for_edges(machine, pair.counter, pair.threshold);
            });
            EXPECT_GT(life.edges.size(), latency > 100 ? 10U : 60U);
        }
    }
}

TEST(HartDevicePath, AHoldBegunByAnAccessIsSatOut) {
    compare([](BareMachine& machine) {
        poll(machine);
        machine.on_access([&machine](const BusAccess& access) {
            if (access.kind == Access::Store && access.size == 4) {
                machine.hart().hold_until(access.at + 25);
            }
        });
    });
}

TEST(HartDevicePath, AnErrorTrapsAfterOneAccess) {
    const std::size_t accesses = compare([](BareMachine& machine) {
        machine.set_csr(csr::kMtvec, kHandler);
        machine.place(kCode, {addi(a1, a1, 1), sw(a1, a6, 8), mul(a2, a1, a1), lw(a3, s2, 0),
                              addi(a4, a4, 1), sw(a2, s2, 8), addi(a5, a5, 1), j(-28)});
        machine.place(kHandler, {addi(t2, t2, 1), csrr(t0, csr::kMepc), addi(t0, t0, 4),
                                 csrw(csr::kMepc, t0), kMret});
    });
    EXPECT_GT(accesses, 300U);
}

TEST(HartDevicePath, OneInstructionReachesMemoryAndDevicesInTurn) {
    compare([](BareMachine& machine) {
        constexpr Word kXor = 0x4033;
        const Word flip = kXor | static_cast<Word>(s5) << 7 | static_cast<Word>(s5) << 15 |
                          static_cast<Word>(s4) << 20;
        machine.set(s4, BareMachine::kData ^ BareMachine::kDevice);
        machine.set(s5, BareMachine::kData);
        machine.place(kCode, {// loop: the base register flips between RAM and the device
                              addi(a1, a1, 3), sw(a1, s5, 16), lw(a2, s5, 16), add(a3, a3, a2),
                              flip, j(-20)});
    });
}

/// Of a loop of arithmetic, accesses to memory and accesses to the device.
Word random_device_instruction(std::mt19937& random) {
    const auto below = [&random](unsigned limit) { return random() % limit; };
    const auto device = static_cast<std::int32_t>(8 * below(32));
    switch (below(10)) {
    case 0:
        return lw(random_register(random), a6, device);
    case 1:
        return sw(random_register(random), a6, device);
    case 2:
        return below(2) == 0 ? ld(random_register(random), a6, device)
                             : sb(random_register(random), a6, device + 3);
    default:
        return random_plain_instruction(random);
    }
}

TEST(HartDevicePath, RandomLoopsLiveTheSameLife) {
    for (unsigned seed = 0; seed < 60; ++seed) {
        SCOPED_TRACE(seed);
        compare([seed](BareMachine& machine) {
            std::mt19937 random(seed);
            machine.place(kCode, random_loop(random, random_device_instruction));
            handle(machine);
            machine.on_access([&machine, seed](const BusAccess& access) {
                machine.set_device_value(access.at * 0x9E37'79B9'7F4A'7C15);
                machine.set_device_latency(
                    static_cast<std::uint32_t>((access.at ^ seed) % 3 == 0 ? seed % 9 : 2));
                const bool ends = access.address == BareMachine::kDevice + 0x100;
                if (ends || (seed % 4 == 1 && access.at % 13 == 0)) {
                    machine.hart().set_interrupt(Interrupt::MachineTimer, !ends,
                                                 access.at + (ends ? 1 : seed % 40 + 1));
                }
            });
        });
    }
}

} // namespace
} // namespace pes::test
