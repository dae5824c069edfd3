// SPDX-License-Identifier: Apache-2.0
// How the cost of a simulated instruction grows with what is simulated: series of runs that differ
// in one thing, measured like the rest (measurement.h). docs/performance.md says what a row means.
#pragma once

#include "tests/bench/contender.h"

#include <cstdint>
#include <string>
#include <vector>

namespace pes::bench {

inline constexpr double kGrowthBar = 2;          ///< times the cost of the neighbour: less
inline constexpr double kTruthBar = 80;          ///< percent of the speed without: at least
inline constexpr std::uint64_t kFewTraps = 1000; ///< what fewer cost is less than runs differ
inline constexpr std::uint64_t kToTheEnd = 0;    ///< of cycles
inline constexpr double kNanoseconds = 1e9;      ///< a second

/// One run of a series.
struct GrowthVariant {
    std::string name;    ///< "29 counters"
    std::string program; ///< bench_PROGRAM.elf
    std::vector<std::string> options{};
    std::uint64_t cycles = kToTheEnd; ///< the run ends there
    double speed_bar = 0;             ///< percent of the first row's speed; 0: none
    const char* command = "run";      ///< of pes-vp
};

/// Beside which row the cost of a row is put.
enum class Neighbour {
    Before, ///< the row before it: they grow step by step
    First,  ///< the first row, which has nothing of what the others have one of each
};

struct GrowthSeries {
    const char* name;
    Neighbour neighbour;
    std::vector<GrowthVariant> variants;
};

/// All series. `scratch` is where their runs write what nobody reads.
std::vector<GrowthSeries> growth_series(const ScratchDirectory& scratch);

/// What was measured of a variant.
struct GrowthRow {
    std::string variant;
    std::uint64_t instructions = 0; ///< of all harts
    std::uint64_t traps = 0;
    double seconds = 0; ///< CPU time beyond that of the empty program
    double speed_bar = 0;

    /// Of the host, for one instruction.
    double nanoseconds() const {
        return seconds * kNanoseconds / static_cast<double>(instructions);
    }
    double mips() const { return static_cast<double>(instructions) / seconds * 1e-6; }
};

struct GrowthTable {
    std::string series;
    Neighbour neighbour = Neighbour::Before;
    std::vector<GrowthRow> rows;

    /// The cost of an instruction as a multiple of that in the neighbouring row; 0 for the first
    /// row, which has none.
    double factor(std::size_t row) const;
    /// Those that the first row does not have.
    std::uint64_t traps(std::size_t row) const;
    /// What one of them costs beyond the instructions of the row at the price of the first row's; 0
    /// if there are few.
    double nanoseconds_a_trap(std::size_t row) const;
};

struct GrowthResults {
    std::string machine;
    unsigned runs = 0;
    std::vector<GrowthTable> tables;
};

/// Runs these series; no run takes more than `most_cycles`, unless that is kToTheEnd. Throws
/// std::runtime_error.
GrowthResults measure_growth(const Settings& settings, const std::vector<GrowthSeries>& series,
                             std::uint64_t most_cycles);

} // namespace pes::bench
