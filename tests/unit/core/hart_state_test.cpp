// SPDX-License-Identifier: Apache-2.0
// A hart whose state is restored into another one lives on as it would have; whole programs are in
// tests/paths/checkpoint_paths_test.cpp. A state that is damaged is refused, or is another state.
#include "hw/common/archive.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <random>

namespace pes::test {
namespace {

using Bytes = std::vector<std::byte>;

/// A loop with loads, stores, a division and a branch that changes its mind.
void place_program(BareMachine& machine) {
    machine.place(BareMachine::kCode,
                  {addi(t0, zero, 0x7FF), addi(t1, t1, 3), sd(t1, sp, 0), ld(t2, sp, 0),
                   div(a3, t2, t0), andi(a4, t1, 4), beq(a4, zero, 8), addi(a5, a5, 1),
                   addi(t0, t0, -1), bne(t0, zero, -32), jal(zero, 0)});
    machine.set(sp, BareMachine::kData);
}

void copy_memory(const BareMachine& from, BareMachine& to) {
    for (Address at = BareMachine::kRam; at < BareMachine::kRam + BareMachine::kRamSize; at += 8) {
        to.poke<std::uint64_t>(at, from.peek<std::uint64_t>(at));
    }
}

Bytes saved(BareMachine& machine) {
    Archive archive;
    archive(machine.bank(), machine.hart());
    return archive.bytes();
}

void restore(const Bytes& bytes, BareMachine& machine) {
    Archive archive{std::span(bytes)};
    archive(machine.bank(), machine.hart());
    EXPECT_TRUE(archive.at_end());
}

TEST(HartState, LivesOnInAnotherHart) {
    for (const Cycle cycle : {Cycle{1}, Cycle{37}, Cycle{1234}, Cycle{5001}}) {
        BareMachine whole;
        place_program(whole);
        whole.stop_observing();
        whole.run(BareMachine::kCode, kNever, cycle);
        BareMachine other;
        other.stop_observing();
        copy_memory(whole, other);
        restore(saved(whole), other);
        EXPECT_EQ(saved(other), saved(whole)) << "cycle " << cycle;
        whole.resume(kNever, 3000);
        other.resume(kNever, 3000);
        EXPECT_EQ(other.hart().now(), whole.hart().now());
        EXPECT_EQ(other.hart().instret(), whole.hart().instret());
        EXPECT_EQ(other.hart().state().x, whole.hart().state().x);
        EXPECT_EQ(other.hart().totals().events, whole.hart().totals().events);
    }
}

TEST(HartState, DamagedStatesAreRefusedOrStates) {
    BareMachine machine;
    place_program(machine);
    machine.stop_observing();
    machine.run(BareMachine::kCode, kNever, 2000);
    const Bytes bytes = saved(machine);
    std::mt19937_64 random(3);
    BareMachine other;
    copy_memory(machine, other);
    for (unsigned count = 0; count < 3000; ++count) {
        Bytes damaged = bytes;
        damaged[random() % damaged.size()] = static_cast<std::byte>(random());
        if (count % 4 == 0) {
            damaged.resize(random() % damaged.size());
        }
        try {
            Archive archive{std::span(damaged)};
            archive(other.bank(), other.hart());
        } catch (const ArchiveError& error) {
            EXPECT_NE(std::string_view(error.what()), "");
        }
    }
}

} // namespace
} // namespace pes::test
