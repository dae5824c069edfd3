// SPDX-License-Identifier: Apache-2.0
#include "tests/unit/core/hart_life.h"

#include "hw/core/csr_numbers.h"

#include <gtest/gtest.h>

namespace pes::test {
namespace {

constexpr Cycle kWire = 3;

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
    EXPECT_EQ(one.counter, other.counter);
    EXPECT_EQ(one.edges, other.edges);
}

Life live(ExecutionPath path, const Prepare& prepare, Cycle step) {
    HartConfig config = BareMachine::default_config();
    config.path = path;
    config.sources = ~EventMask{0};
    config.time_csr = true;
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
    Life life;
    for (const BusAccess& one : machine.accesses()) {
        life.accesses.emplace_back(one.at, one.address, one.size, one.value);
    }
    for (RegisterIndex index = 0; index < life.registers.size(); ++index) {
        life.registers[index] = machine.hart().register_value(index);
    }
    const Hart& hart = machine.hart();
    life.events = hart.totals().events;
    life.now = hart.now();
    life.last_retirement = hart.last_retirement();
    life.instret = hart.instret();
    life.traps = hart.traps();
    life.counter = machine.counter(csr::kMhpmcounter3);
    life.edges = machine.line_edges();
    return life;
}

} // namespace

Life live_on_both_paths(const Prepare& prepare) {
    const Life stepped = live(ExecutionPath::Step, prepare, kLifetime);
    for (const Cycle step : {kLifetime, Cycle{401}, Cycle{97}}) {
        SCOPED_TRACE(step);
        expect_equal(stepped, live(ExecutionPath::Fast, prepare, step));
    }
    return stepped;
}

Word random_plain_instruction(std::mt19937& random) {
    const auto below = [&random](unsigned limit) { return random() % limit; };
    const auto reg = [&below] { return static_cast<Reg>(10 + below(6)); };
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

} // namespace pes::test
