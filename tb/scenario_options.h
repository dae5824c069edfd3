// SPDX-License-Identifier: Apache-2.0
// The command line of pes-scenario.
#pragma once

#include "tb/sample_check.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace pes {

struct ScenarioOptions {
    std::string program = PES_TEST_PROGRAM; ///< the PES test of this build
    std::filesystem::path output = ".";     ///< directory
    std::string svg;                        ///< file; empty: none
    std::string config;
    std::vector<std::string> assignments; ///< key=value
    unsigned sample = 1;                  ///< the wave's trigger is this sample's threshold line
    Cycle before = 200, after = 2000;     ///< window around the trigger
    Cycle max_cycles = 100'000'000;
    unsigned minimum_samples = 1; ///< in the window
    CheckOptions check;
};

/// Nothing if the command line only asked for help. Throws UserError.
std::optional<ScenarioOptions> parse_scenario_options(int argc, char** argv);

} // namespace pes
