// SPDX-License-Identifier: Apache-2.0
// What a hart does and what the world sees of it, to be the same on both paths.
#pragma once

#include "tests/unit/core/bare_machine.h"

#include <array>
#include <functional>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace pes::test {

inline constexpr Cycle kLifetime = 40'000; ///< cycles

/// At the end of a lifetime; accesses and edges with their cycles.
struct Life {
    std::vector<std::tuple<Cycle, Address, unsigned, std::uint64_t>> accesses;
    std::array<std::uint64_t, 64> registers{};
    std::array<std::uint64_t, kEventCount> events{};
    Cycle now = 0;
    Cycle last_retirement = 0;
    std::uint64_t instret = 0;
    std::uint64_t traps = 0;
    std::map<std::uint16_t, std::uint64_t> counters; ///< all that the bank owns
    std::vector<LineEdge> edges;
    std::vector<TransferEntry> transfers; ///< control transfer records, newest first
};

/// Settles the machine, which does not run on.
Life life_of(BareMachine& machine);

void expect_equal(const Life& one, const Life& other);

/// Programs, registers and world of a machine that begins at kCode, with sp in RAM, a6 at the
/// device and s2 where the device fails; the threshold line is wired to the external interrupt.
using Prepare = std::function<void(BareMachine&)>;

/// A lifetime without observers, on the path of `config`, with the horizon `step` cycles at a time.
Life live_unobserved(const HartConfig& config, const Prepare& prepare, Cycle step = kLifetime);

HartConfig counting_everything(ExecutionPath path);

/// Stepped and on the fast path, there with horizons of several lengths. Returns the life.
Life live_on_both_paths(const Prepare& prepare);

/// Any register of a0 to a5.
Reg random_register(std::mt19937& random);
/// Arithmetic, an access to RAM behind sp, or a branch over one instruction, on a0 to a5.
Word random_plain_instruction(std::mt19937& random);
/// 6 to 45 of these instructions, for ever.
std::vector<Word> random_loop(std::mt19937& random,
                              const std::function<Word(std::mt19937&)>& instruction);

} // namespace pes::test
