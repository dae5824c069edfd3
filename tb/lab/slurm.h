// SPDX-License-Identifier: Apache-2.0
// A matrix as a job array of an existing Slurm cluster: each task runs its share with pes-lab
// --shard. Slurm alone decides where and when.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace pes::lab {

struct JobArray {
    std::size_t tasks = 1;
    unsigned jobs = 1;                ///< runs at a time of a task, and its processors
    std::vector<std::string> command; ///< pes-lab and its options but for --shard
    std::filesystem::path logs;       ///< directory of the tasks' outputs
    std::string further_options;      ///< of sbatch, as a shell reads them
};

/// The command line of sbatch, for a shell.
std::string submission(const JobArray& array);

/// Its number. Throws UserError if sbatch is missing or refuses.
std::string submit(const JobArray& array);

} // namespace pes::lab
