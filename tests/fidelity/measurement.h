// SPDX-License-Identifier: Apache-2.0
// What one repetition of a kernel cost: measured on the CVA6 RTL, or by the model.
#pragma once

#include "hw/core/timing/timing_config.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace pes::fidelity {

inline constexpr unsigned kEvents = 22; ///< selectors 1..22 of profile cva6

struct Measurement {
    std::uint64_t cycles = 0;
    std::uint64_t instructions = 0;
    std::array<std::uint64_t, kEvents> events{}; ///< index = selector - 1
    std::uint64_t checksum = 0;

    bool operator==(const Measurement&) const = default;
};

/// Repetition 0 is cold (after reset and start-up code), the others are warm.
inline constexpr unsigned kRepetitions = 3;
using Repetitions = std::array<Measurement, kRepetitions>;

/// The counts of one core generation, by kernel.
struct Reference {
    CoreGeneration generation = CoreGeneration::V5_3_0;
    std::string name;    ///< as in the file name
    unsigned events = 0; ///< events 1..n were measured, the others not
    std::map<std::string, Repetitions> kernels;
};

/// The tables in `directory`: v5.3.0 with all events, 2025-07 with the six that its counters could
/// watch. Throws UserError if a file is missing or malformed.
std::vector<Reference> read_references(const std::filesystem::path& directory);

} // namespace pes::fidelity
