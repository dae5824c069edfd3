// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {} // namespace

HartConfig counting_everything(ExecutionPath path) {
    HartConfig config = BareMachine::default_config();
    // Closed by menvcfg, or switched off, until a program says otherwise.
    config.extensions = {.smcsrind = true, .smcdeleg = true, .smctr = true};
    config.path = path;
    config.sources = kAllEvents;
    config.time_csr = true;
    return config;
}

Life life_of(BareMachine& machine) {
    machine.hart().settle(machine.hart().reached());
    const Hart& hart = machine.hart();
    Life life{.accesses = {},
              .events = hart.totals().events,
              .now = hart.now(),
              .last_retirement = hart.last_retirement(),
              .instret = hart.instret(),
              .traps = hart.traps(),
              .counters = {},
              .edges = machine.line_edges(),
              .transfers = {}};
    if (const TransferRecords* const records = hart.transfer_records()) {
        for (unsigned logical = 0; logical < records->buffer().depth(); ++logical) {
            life.transfers.push_back(records->buffer().entry(logical));
        }
    }
    for (const BusAccess& one : machine.accesses()) {
        life.accesses.emplace_back(one.at, one.address, one.size, one.value);
    }
    for (std::size_t index = 0; index < life.registers.size(); ++index) {
        life.registers[index] = hart.state().x[index];
    }
    for (std::uint16_t number = 0; number < 0x1000; ++number) {
        if (machine.bank().owns(number)) {
            life.counters[number] = machine.bank().read(number);
        }
    }
    return life;
}

void expect_equal(const Life& one, const Life& other) {
    EXPECT_EQ(one.accesses, other.accesses);
    EXPECT_EQ(one.registers, other.registers);
    for (std::size_t source = 0; source < kEventCount; ++source) {
        EXPECT_EQ(one.events[source], other.events[source]) << "Event " << source;
    }
    EXPECT_EQ(one.now, other.now);
    EXPECT_EQ(one.last_retirement, other.last_retirement);
    EXPECT_EQ(one.instret, other.instret);
    EXPECT_EQ(one.traps, other.traps);
    EXPECT_EQ(one.counters, other.counters);
    EXPECT_EQ(one.edges, other.edges);
    EXPECT_EQ(one.transfers, other.transfers);
}

Life live_unobserved(const HartConfig& config, const Prepare& prepare, Cycle step) {
    BareMachine machine(config);
    machine.connect(BankLine::Threshold, Interrupt::MachineExternal, kWire);
    machine.set(sp, BareMachine::kData);
    machine.set(a6, BareMachine::kDevice);
    machine.set(s2, BareMachine::kDeviceError);
    prepare(machine);
    machine.stop_observing();
    machine.hart().set_pc(BareMachine::kCode);
    for (Cycle horizon = step; horizon < kLifetime + step; horizon += step) {
        machine.hart().set_horizon(std::min(horizon, kLifetime));
        machine.hart().run();
    }
    return life_of(machine);
}

Life live_on_both_paths(const Prepare& prepare) {
    Life stepped = live_unobserved(counting_everything(ExecutionPath::Step), prepare);
    struct Way {
        Cycle step;
        std::uint64_t jit_after;
    };
    for (const auto& [step, jit_after] :
         {Way{kLifetime, 1}, Way{401, kNever}, Way{401, 2}, Way{97, 3}}) {
        SCOPED_TRACE(step);
        SCOPED_TRACE(jit_after);
        HartConfig config = counting_everything(ExecutionPath::Fast);
        config.jit_after = jit_after;
        expect_equal(stepped, live_unobserved(config, prepare, step));
    }
    return stepped;
}

Reg random_register(std::mt19937& random) {
    return static_cast<Reg>(a0 + random() % 6);
}

Word random_plain_instruction(std::mt19937& random) {
    const auto below = [&random](unsigned limit) { return random() % limit; };
    const auto reg = [&random] { return random_register(random); };
    const auto offset = static_cast<std::int32_t>(8 * below(200));
    switch (below(7)) {
    case 0:
        return mul(reg(), reg(), reg());
    case 1:
        return div(reg(), reg(), reg());
    case 2:
        return ld(reg(), sp, offset);
    case 3:
        return sd(reg(), sp, offset);
    case 4:
        return bne(reg(), reg(), 8);
    default:
        return addi(reg(), reg(), static_cast<std::int32_t>(below(2000)));
    }
}

std::vector<Word> random_loop(std::mt19937& random,
                              const std::function<Word(std::mt19937&)>& instruction) {
    std::vector<Word> words(6 + random() % 40);
    std::ranges::generate(words, [&] { return instruction(random); });
    words.push_back(kNop); // where a branch at the end lands
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    return words;
}

} // namespace pes::test
