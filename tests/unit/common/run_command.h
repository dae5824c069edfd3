// SPDX-License-Identifier: Apache-2.0
// Runs a program as a user would and keeps what it printed.
#pragma once

#include "tests/unit/common/temporary_directory.h"

#include <string>
#include <sys/wait.h>

namespace pes::test {

struct CommandResult {
    int exit_code = -1; ///< 128 + signal if it was killed
    std::string out;
    std::string err;
};

/// `command` is a line for the shell.
inline CommandResult run_command(const std::string& command) {
    const TemporaryDirectory directory;
    const auto out = directory / "out";
    const auto err = directory / "err";
    const int status = std::system(
        ("( " + command + " ) > " + out.string() + " 2> " + err.string() + " < /dev/null").c_str());
    CommandResult result;
    result.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.out = read_file(out);
    result.err = read_file(err);
    return result;
}

} // namespace pes::test
