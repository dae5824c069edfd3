// SPDX-License-Identifier: Apache-2.0
// The exact profile of a Linux, taken apart: the program, the agent beside it, kernel, firmware.
#pragma once

#include "hw/core/truth/truth_table.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace pes {

/// User mode is the program's, with all processes that it starts, except in the agent's address
/// space.
enum class Part : std::uint8_t { Program, Agent, Kernel, Firmware };
inline constexpr std::array<const char*, 4> kPartNames{"program", "agent", "kernel", "firmware"};

Part part_of(const TruthTable::Context& context, std::uint64_t agent_satp);

struct PartCounts {
    std::uint64_t half_cycles = 0;
    std::uint64_t retired = 0;
    std::array<std::uint64_t, kEventCount> events{};
};

using CountsByPart = std::array<PartCounts, kPartNames.size()>;

/// Adds what a hart's table has.
void add_counts(CountsByPart& counts, const TruthTable& truth, std::uint64_t agent_satp);

} // namespace pes
