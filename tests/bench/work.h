// SPDX-License-Identifier: Apache-2.0
// What sampling and trace cost, counted instead of timed: host instructions, which neither other
// work on the machine nor its clock changes. They leave out what the host's caches and predictors
// make of them.
#pragma once

#include "tests/bench/measurement.h"
#include "tests/bench/table.h"

#include <string>
#include <vector>

namespace pes::bench {

/// Host instructions for one simulated, between two cycles of the same run: start-up and the first
/// touch of code and memory are behind both.
inline constexpr std::uint64_t kWorkFrom = 16'000'000;
inline constexpr std::uint64_t kWorkTo = 32'000'000;

struct Work {
    std::string program;
    std::string addition; ///< "encoder idle", "records of 6 counters", ...
    double without = 0;
    double with = 0;
    double bar = 0; ///< percent

    /// Percent of the host instructions without it.
    double cost() const { return 100 * (with / without - 1); }
};

/// The total of a callgrind.out file. Throws std::runtime_error if it has none.
std::uint64_t host_instructions(const std::string& callgrind_out);

/// Of `settings`, platform and programs count. Throws std::runtime_error.
std::vector<Work> measure_work(const Settings& settings, const std::string& valgrind);

Table work_table(const std::vector<Work>& works);

} // namespace pes::bench
