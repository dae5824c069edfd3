// SPDX-License-Identifier: Apache-2.0
// Runs a command to its end, with its standard output captured and a limit on host time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace pes::differential {

struct ProcessResult {
    int exit_code = -1; ///< 128 + signal number if a signal ended it
    bool timed_out = false;
    std::string output;
};

enum class ErrorStream : std::uint8_t { Inherit, Discard, WithOutput };

/// Standard input is empty. Throws std::system_error if the
/// command cannot be started.
ProcessResult run_process(const std::vector<std::string>& command, std::chrono::seconds limit,
                          ErrorStream errors = ErrorStream::Inherit);

} // namespace pes::differential
