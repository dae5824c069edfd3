// SPDX-License-Identifier: Apache-2.0
// What a command costs its machine: CPU time of the child, not of whatever else runs.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

namespace pes::bench {

struct Cost {
    double cpu_seconds = 0;  ///< user and system
    double wall_seconds = 0; ///< from start to end
    double peak_mebibytes = 0;
};

struct Finished {
    Cost cost;
    std::string output; ///< standard output
};

/// Runs a command to its end with an empty standard input. Throws std::runtime_error if it cannot
/// be started or does not end with this exit code.
Finished run(const std::vector<std::string>& command, int exit_code = 0);

} // namespace pes::bench
