// SPDX-License-Identifier: Apache-2.0
// The truth of each sample: every crossing of a counter over its threshold and every overflow of a
// run, as `pes-vp run --crossings` writes them (docs/truth.md), with the instruction that caused it
// and the interrupt that was taken for it.
#pragma once

#include "hw/interface/types.h"
#include "platform/profile/sample_profile.h"

#include <cstdint>
#include <istream>
#include <optional>
#include <string>
#include <vector>

namespace pes {

enum class CrossingKind : std::uint8_t { Threshold, Overflow };

/// The interrupt that was taken for a crossing.
struct TakenInterrupt {
    Cycle cycle = 0;
    std::uint64_t instret = 0; ///< instructions that had retired before it
    Address pc = 0;            ///< of the interrupted instruction
};

/// Of mhpmeventN: Sscofpmf's overflow and filter bits, which do not choose the event.
inline constexpr std::uint64_t kFilterBits = std::uint64_t{0xFF} << 56;

struct CrossingRecord {
    std::uint32_t hart = 0;
    std::uint8_t counter = 0; ///< 0 cycle, 2 instret, 3..31 mhpmcounterN
    CrossingKind kind = CrossingKind::Threshold;
    std::uint64_t event = 0; ///< of mhpmeventN, without kFilterBits; 0 for cycle and instret
    Cycle cycle = 0;
    std::optional<std::uint64_t> instret; ///< retired before the causal instruction, if it is known
    std::optional<Address> pc;            ///< of the causal instruction, if it is known
    std::optional<TakenInterrupt> interrupt;
};

EventId event_of(const CrossingRecord& crossing);

/// In the order of the file. Throws UserError that names `path` and, for a bad line, its number.
std::vector<CrossingRecord> read_crossings(std::istream& input, const std::string& path);

} // namespace pes
