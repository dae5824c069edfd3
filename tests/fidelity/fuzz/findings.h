// SPDX-License-Identifier: Apache-2.0
// What became of many programs: errors by class, and which instructions they come from.
#pragma once

#include "tests/fidelity/fuzz/workshop.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pes::cycle_fuzz {

/// The counters of the last pass.
struct Counted {
    Pass judge{};
    Pass model{};
};

/// One program, both sides.
struct Finding {
    Class of{};
    std::uint64_t seed = 0;
    std::string problem{}; ///< of either side; then nothing else is known
    bool exact = false;    ///< no step differs
    bool same_way = true;  ///< all steps are the same instructions and traps
    double cold = 0;       ///< relative error of the cycles, signed
    double warm = 0;
    Counted counted{};
    std::optional<Difference> difference{};
    std::map<std::string, std::int64_t> blame{}; ///< cycles that a kind of instruction lost or won
};

Finding compare(Class of, std::uint64_t seed, const RunLog& judge, const RunLog& model);

/// All steps are the same instructions and traps, whatever their cycles.
bool same_way(const RunLog& judge, const RunLog& model);

/// A table by class: programs, exact ones, mean, 95th percentile, worst; and one of the kinds.
std::string report_of(const std::vector<Finding>& findings);

/// The largest error of a warm pass.
double worst_of(const std::vector<Finding>& findings);

} // namespace pes::cycle_fuzz
