// SPDX-License-Identifier: Apache-2.0
// Fast and exact at once: a hart whose counter bank asks for every single cycle must live through
// the same cycles, counter values and interrupts as one whose bank lets it run ahead.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

using End = BareMachine::End;
constexpr Cycle kLimit = 20'000;

/// The model behind a bank that never promises a quiet cycle.
class EveryCycleBank : public CounterBank {
  public:
    bool owns(std::uint16_t csr) const override { return bank_.owns(csr); }
    std::uint64_t read(std::uint16_t csr) const override { return bank_.read(csr); }
    void write(std::uint16_t csr, std::uint64_t value) override { bank_.write(csr, value); }
    void tick(const CyclePulses& pulses, Cycle cycle) override { bank_.tick(pulses, cycle); }
    void advance(const EventTotals&, Cycle cycle) override {
        ADD_FAILURE() << "advance() to " << cycle << " although safe_cycles() is 0";
    }
    void set_privilege(Privilege mode, Cycle from) override { bank_.set_privilege(mode, from); }
    bool can_interrupt(Privilege mode, CountedEvents events) const override {
        return bank_.can_interrupt(mode, events);
    }
    Cycle now() const override { return bank_.now(); }
    BankInterrupt interrupt(BankLine line) const override { return bank_.interrupt(line); }
    void connect(BankLine line, LevelSink& sink) override { bank_.connect(line, sink); }
    Cycle safe_cycles() const override { return 0; }

  private:
    TlmCounterBank bank_;
};

struct Guest {
    const char* name;
    Address (*set_up)(BareMachine&); ///< returns the address at which it has ended
};

/// Everything that must not depend on how pulses are handed over.
struct ObservedLife : Life {
    End end = End::Reached;
    std::vector<std::pair<Cycle, Address>> retirements;
    std::vector<std::tuple<Cycle, std::uint64_t, Address>> traps_taken;
};

constexpr EventMask kAllSources = kAllEvents;

HartConfig counting(EventMask sources) {
    HartConfig config = BareMachine::default_config();
    config.sources = sources;
    return config;
}

Address place_guest(const Guest& guest, BareMachine& machine) {
    machine.connect(BankLine::Threshold, Interrupt::MachineExternal, kWire);
    machine.connect(BankLine::BufferFull, Interrupt::SupervisorExternal, kWire);
    return guest.set_up(machine);
}

ObservedLife live(const Guest& guest, std::unique_ptr<CounterBank> bank, Cycle step,
                  EventMask sources = kBaseEvents) {
    BareMachine machine(counting(sources), std::move(bank));
    const Address last = place_guest(guest, machine);
    ObservedLife life;
    life.end = machine.run_in_steps(kCode, last, step, kLimit);
    static_cast<Life&>(life) = life_of(machine);
    for (const Retirement& one : machine.retirements()) {
        life.retirements.emplace_back(one.cycle, one.pc);
    }
    for (const TrapTaken& one : machine.traps()) {
        life.traps_taken.emplace_back(one.cycle, one.cause, one.epc);
    }
    return life;
}

// --- Guests -------------------------------------------------------------------------------------

/// Two counters on a miss and a level event; no threshold.
Address count_events(BareMachine& machine) {
    machine.set(sp, BareMachine::kData);
    machine.set(s0, 2);  // event: L1D misses
    machine.set(s1, 22); // event: stalls
    machine.set(a7, 200);
    const Address end = machine.place(
        kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmevent3 + 1, s1),
                // loop: loads with a growing stride, a division, a multiplication, a branch
                add(a1, sp, a2), ld(a3, a1, 0), addi(a2, a2, 88), div(a4, a7, a2), mul(a5, a4, a3),
                sd(a5, a1, 8), addi(a7, a7, -1), bne(a7, zero, -28), csrr(t0, csr::kMhpmcounter3),
                csrr(t1, csr::kMhpmcounter3 + 1), csrr(t2, csr::kMcycle), j(0)});
    return end - sizeof(Word); // the jump to itself
}

/// A threshold on integer instructions; the handler records mepc and mcycle, writes a device,
/// clears the counter and returns.
Address sample_with_handler(BareMachine& machine) {
    machine.set(sp, BareMachine::kData);
    machine.set(s0, 20); // event: integer
    machine.set(s1, 37); // threshold
    machine.set(a6, BareMachine::kDevice);
    machine.set(a7, 300);
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 11);
    const Address end =
        machine.place(kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmthreshold3, s1),
                              csrrsi(zero, csr::kMstatus, 8),
                              // loop
                              addi(a0, a0, 3), mul(a1, a0, a0), sd(a1, sp, 256), ld(a2, sp, 256),
                              div(a3, a1, a0), addi(a7, a7, -1), bne(a7, zero, -24), j(0)});
    machine.place(kHandler, {csrrsi(zero, csr::kMcountinhibit, 8), csrr(t0, csr::kMepc),
                             csrr(t1, csr::kMcycle), sd(t0, sp, 0), sd(t1, sp, 8),
                             sw(t1, a6, 0), // the device sees the very cycle
                             addi(sp, sp, 16), addi(t2, t2, 1), csrw(csr::kMhpmcounter3, zero),
                             csrrc(zero, csr::kMcountinhibit, t4), kMret});
    machine.set(t4, 8);
    return end - sizeof(Word); // the jump to itself
}

/// Sleeps until the cycle counter reaches its threshold, moves the threshold on, sleeps again.
Address sleep_on_threshold(BareMachine& machine) {
    machine.set_csr(csr::kMie, 1U << 11);
    machine.set(a0, 500);
    machine.set(a7, 6);
    const Address end = machine.place(
        kCode, {csrw(csr::kMhpmthresholdCycle, a0), kWfi, csrr(a1, csr::kMcycle), add(a0, a0, a0),
                addi(a0, a0, -333), addi(a7, a7, -1), bne(a7, zero, -24), j(0)});
    return end - sizeof(Word); // the jump to itself
}

/// A threshold on retired instructions with the handler's own instructions counting too.
Address sample_instret(BareMachine& machine) {
    machine.set(a0, 50);
    machine.set(a7, 500);
    machine.set(a6, 64);
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 11);
    const Address end = machine.place(
        kCode, {csrw(csr::kMhpmthresholdInstret, a0), csrrsi(zero, csr::kMstatus, 8),
                addi(a7, a7, -1), addi(a1, a1, 1), addi(a2, a2, 1), bne(a7, zero, -12), j(0)});
    machine.place(kHandler, {addi(t2, t2, 1), csrr(t0, csr::kMinstret), add(t0, t0, a6),
                             csrw(csr::kMhpmthresholdInstret, t0), kMret});
    return end - sizeof(Word); // the jump to itself
}

/// Traps, returns and a device load in a loop: flushes, and a bank that is synchronised often.
Address trap_and_poll(BareMachine& machine) {
    machine.set(a6, BareMachine::kDevice);
    machine.set(a7, 60);
    machine.set_device_latency(7);
    machine.set_csr(csr::kMtvec, kHandler);
    const Address end =
        machine.place(kCode, {kEcall, lw(a1, a6, 8), csrr(a2, csr::kMcycle), sw(a2, a6, 16),
                              addi(a7, a7, -1), bne(a7, zero, -20), j(0)});
    machine.place(kHandler, {csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), kMret});
    return end - sizeof(Word); // the jump to itself
}

/// The buffer-full comparator: the offset creeps to the end of the buffer and is set back.
Address fill_buffer(BareMachine& machine) {
    machine.set(a0, 640);
    machine.set(a7, 40);
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 9);
    const Address end = machine.place(
        kCode, {csrw(csr::kMhpmmsize, a0), csrrsi(zero, csr::kMstatus, 8), addi(a1, a1, 64),
                csrw(csr::kMhpmmoffset, a1), addi(a7, a7, -1), bne(a7, zero, -12), j(0)});
    machine.place(kHandler, {addi(a1, zero, 0), csrw(csr::kMhpmmoffset, zero), kNop, kNop, kNop,
                             kNop, kNop, kNop, kMret});
    return end - sizeof(Word); // the jump to itself
}

/// Loads and counter reads in turn: every read brings the bank ahead of the instructions behind it,
/// which have been fetched by then.
Address read_often(BareMachine& machine) {
    machine.set(sp, BareMachine::kData);
    machine.set(s0, 15); // event: fetch empty
    machine.set(s1, 16); // event: L1I request
    machine.set(a7, 300);
    machine.set(a6, BareMachine::kDevice);
    const Address end = machine.place(
        kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmevent3 + 1, s1), ld(a1, sp, 0),
                csrr(a2, csr::kMcycle), add(a3, a3, a2), csrr(a4, csr::kMhpmcounter3),
                add(a3, a3, a4), csrr(a5, csr::kMhpmcounter3 + 1), add(a3, a3, a5), sw(a2, a6, 0),
                sd(a3, sp, 0), mul(a3, a3, a7), addi(a7, a7, -1), bne(a7, zero, -44), j(0)});
    return end - sizeof(Word); // the jump to itself
}

/// Samples user mode by overflow of an event, of cycles and of instructions at once, with filters;
/// the loop calls machine mode now and then, and machine mode counts for itself.
Address sample_across_modes(BareMachine& machine) {
    machine.open_protection();
    machine.set(sp, BareMachine::kData);
    machine.set(s0, csr::kMhpmeventMachineInhibit | 5);  // loads
    machine.set(s1, csr::kMhpmeventMachineInhibit | 23); // cycles
    machine.set(s2, csr::kMhpmeventUserInhibit | 24);    // instructions
    machine.set(s3, csr::kMhpmeventUserInhibit);
    machine.set(s4, 0ULL - 23);
    machine.set(s5, 1U << 13);
    machine.set(s6, 0ULL - 300);
    machine.set(a7, 200);
    machine.set_csr(csr::kMtvec, kHandler);
    machine.set_csr(csr::kMie, 1U << 13);
    machine.set_csr(csr::kMepc, kCode + 32);
    const Address end =
        machine.place(kCode, {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmevent3 + 1, s1),
                              csrw(csr::kMhpmevent3 + 2, s2), csrw(csr::kMcyclecfg, s3),
                              csrw(csr::kMinstretcfg, s3), csrw(csr::kMhpmcounter3, s4),
                              csrw(csr::kMhpmcounter3 + 1, s6), kMret,
                              // loop, in user mode
                              ld(a1, sp, 0), add(a2, a2, a1), sd(a2, sp, 8), ld(a3, sp, 8),
                              mul(a4, a3, a7), kEcall, addi(a7, a7, -1), bne(a7, zero, -28), j(0)});
    // A call is left behind; an interrupt stores what overflowed and when, and arms both again.
    machine.place(kHandler, {csrr(t2, csr::kMcause), beq(t2, s7, 48), csrr(t0, csr::kScountovf),
                             sd(t0, sp, 64), csrr(t1, csr::kMcycle), sd(t1, sp, 72),
                             addi(sp, sp, 16), csrw(csr::kMhpmcounter3, s4),
                             csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3 + 1, s6),
                             csrw(csr::kMhpmevent3 + 1, s1), csrrc(zero, csr::kMip, s5), kMret,
                             csrr(t0, csr::kMepc), addi(t0, t0, 4), csrw(csr::kMepc, t0), kMret});
    machine.set(s7, 8); // ecall from U-mode
    return end - sizeof(Word);
}

constexpr Guest kGuests[] = {
    {"CountEvents", count_events},
    {"SampleWithHandler", sample_with_handler},
    {"SleepOnThreshold", sleep_on_threshold},
    {"SampleInstret", sample_instret},
    {"TrapAndPoll", trap_and_poll},
    {"FillBuffer", fill_buffer},
    {"ReadOften", read_often},
    {"SampleAcrossModes", sample_across_modes},
};

class Equality : public testing::TestWithParam<Guest> {};

void expect_equal(const ObservedLife& one, const ObservedLife& other) {
    EXPECT_EQ(one.end, other.end);
    EXPECT_EQ(one.retirements, other.retirements);
    EXPECT_EQ(one.traps_taken, other.traps_taken);
    expect_equal(static_cast<const Life&>(one), static_cast<const Life&>(other));
}

TEST_P(Equality, RunningAheadAndStepByStepAreTheSameLife) {
    const ObservedLife ahead = live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit);
    const ObservedLife single = live(GetParam(), std::make_unique<EveryCycleBank>(), kLimit);
    expect_equal(ahead, single);
    EXPECT_EQ(ahead.end, End::Reached);
    EXPECT_GT(ahead.retirements.size(), 40U) << "the guest must do something";
}

TEST_P(Equality, FurtherSourcesAreTheSameHoweverTheyAreHandedOver) {
    const ObservedLife ahead =
        live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit, kAllSources);
    expect_equal(ahead, live(GetParam(), std::make_unique<EveryCycleBank>(), kLimit, kAllSources));
    expect_equal(ahead, live(GetParam(), std::make_unique<TlmCounterBank>(), 97, kAllSources));
}

TEST_P(Equality, WhatIsCountedChangesNothingElse) {
    const ObservedLife base = live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit);
    for (std::size_t source = kBaseEventCount; source < kEventCount; ++source) {
        const EventMask one = event_bit(static_cast<Event>(source));
        ObservedLife life = live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit, one);
        life.events[source] = 0;
        expect_equal(base, life);
    }
    ObservedLife all = live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit, kAllSources);
    std::fill(all.events.begin() + kBaseEventCount, all.events.end(), 0);
    expect_equal(base, all);
}

Life live_on(ExecutionPath path, const Guest& guest, EventMask sources) {
    HartConfig config = counting(sources);
    config.path = path;
    return live_unobserved(config, [&guest](BareMachine& machine) { place_guest(guest, machine); });
}

TEST_P(Equality, BothPathsPulseTheSameWithAllSources) {
    const Life step = live_on(ExecutionPath::Step, GetParam(), kAllSources);
    expect_equal(step, live_on(ExecutionPath::Fast, GetParam(), kAllSources));
    Life base = live_on(ExecutionPath::Fast, GetParam(), kBaseEvents);
    std::copy(step.events.begin() + kBaseEventCount, step.events.end(),
              base.events.begin() + kBaseEventCount);
    expect_equal(step, base);
}

TEST_P(Equality, TheHorizonDoesNotMatter) {
    const ObservedLife whole = live(GetParam(), std::make_unique<TlmCounterBank>(), kLimit);
    for (const Cycle step : {1U, 5U, 97U}) {
        expect_equal(whole, live(GetParam(), std::make_unique<TlmCounterBank>(), step));
    }
    expect_equal(whole, live(GetParam(), std::make_unique<EveryCycleBank>(), 13));
}

INSTANTIATE_TEST_SUITE_P(Hart, Equality, testing::ValuesIn(kGuests),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Equality, TheSamplingGuestsReallySample) {
    const auto interrupts = [](Address (*set_up)(BareMachine&)) {
        const ObservedLife life = live({"", set_up}, std::make_unique<TlmCounterBank>(), kLimit);
        return life.traps_taken.size();
    };
    EXPECT_GT(interrupts(sample_with_handler), 10U);
    EXPECT_GT(interrupts(sample_instret), 10U);
    EXPECT_GT(interrupts(sample_across_modes), 210U) << "200 of them are calls";
    EXPECT_GE(interrupts(fill_buffer), 3U) << "40 records, about 10 a buffer";
}

} // namespace
} // namespace pes::test
