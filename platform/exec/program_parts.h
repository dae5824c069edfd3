// SPDX-License-Identifier: Apache-2.0
// The exact profile of a Linux, taken apart: the program, perf and the agent beside it, kernel,
// firmware.
#pragma once

#include "hw/core/truth/truth_table.h"

#include <array>
#include <cstdint>
#include <functional>

namespace pes {

/// User mode is the program's, with all processes that it starts, except in the address spaces of
/// the agent and of the perf that runs the program.
enum class Part : std::uint8_t { Program, Perf, Kernel, Firmware, Agent };
inline constexpr std::array<const char*, 5> kPartNames{"program", "perf", "kernel", "firmware",
                                                       "agent"};

/// Without perf.
Part part_of(const TruthTable::Context& context, std::uint64_t agent_satp);

using PartOf = std::function<Part(const TruthTable::Context&)>;

struct PartCounts {
    std::uint64_t half_cycles = 0;
    std::uint64_t retired = 0;
    std::array<std::uint64_t, kEventCount> events{};
};

using CountsByPart = std::array<PartCounts, kPartNames.size()>;

/// Adds what a hart's table has.
void add_counts(CountsByPart& counts, const TruthTable& truth, const PartOf& part_of);

} // namespace pes
