// SPDX-License-Identifier: Apache-2.0
// Runs a command to its end, with its standard output captured and a limit on host time.
#pragma once

#include <chrono>
#include <string>
#include <vector>

namespace pes::differential {

struct ProcessResult {
    int exit_code = -1; ///< 128 + signal number if a signal ended it
    bool timed_out = false;
    std::string output;
};

/// Standard input is empty, standard error is the caller's. Throws std::system_error if the
/// command cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit);

} // namespace pes::differential
