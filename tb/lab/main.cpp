// SPDX-License-Identifier: Apache-2.0
// pes-lab: measures sampling methods (docs/lab.md).
#include "platform/host/end_request.h"
#include "platform/host/user_error.h"
#include "tb/lab/job_runner.h"
#include "tb/lab/lab_command.h"
#include "tb/lab/options.h"

#include <cstdio>
#include <exception>
#include <optional>

int main(int argc, char** argv) {
    try {
        const std::optional<pes::lab::Options> options = pes::lab::parse_command_line(argc, argv);
        pes::end_on_signals();
        return options ? pes::lab::lab_command(*options) : 0;
    } catch (const pes::lab::RunFailure& error) {
        std::fprintf(stderr, "pes-lab: %s\n", error.what());
        return pes::lab::kRunFailedExit;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pes-lab: %s\n", error.what());
        return pes::kUserErrorExit;
    }
}
