// SPDX-License-Identifier: Apache-2.0
// What one repetition of a kernel cost: measured on the CVA6 RTL, or by the model.
#pragma once

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

/// The counts of one configuration of the core, by kernel.
struct Reference {
    std::string name;                  ///< as in the file name
    std::vector<std::string> settings; ///< key=value, what the RTL has beside the default
    unsigned events = 0;               ///< events 1..n were measured, the others not
    std::map<std::string, Repetitions> kernels;
};

/// What v5.3.0 has beside the defect of all generations (kernel_machine.h).
inline const std::vector<std::string> kSettingsOfV5_3_0{"hart.misaligned_trap=as-v5.3.0"};

/// The tables in `directory`: v5.3.0 with all events, its default and other configurations; 2025-07
/// with the six events that its counters could watch. Throws UserError if a file is missing or
/// malformed.
std::vector<Reference> read_references(const std::filesystem::path& directory);

} // namespace pes::fidelity
