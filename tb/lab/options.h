// SPDX-License-Identifier: Apache-2.0
// The command line of pes-lab.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace pes::lab {

enum class Engine : std::uint8_t { Local, Slurm };

struct Share {
    std::size_t index = 0; ///< from 0
    std::size_t count = 1;
};

struct Options {
    std::string matrix;
    std::string out;
    std::string programs; ///< folder of relative names; empty: beside the matrix
    std::string pes_vp;   ///< empty: beside pes-lab
    unsigned jobs = 0;    ///< 0: one for each processor
    bool quiet = false;
    bool collect = false;
    Engine engine = Engine::Local;
    std::optional<Share> shard;
    std::size_t tasks = 0;     ///< of a job array; 0: a few
    std::string slurm_options; ///< handed to sbatch
};

/// None if only help or version was wanted. Throws UserError.
std::optional<Options> parse_command_line(int argc, char** argv);

} // namespace pes::lab
