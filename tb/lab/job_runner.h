// SPDX-License-Identifier: Apache-2.0
// Runs commands beside each other, a number of them at a time.
#pragma once

#include "platform/host/user_error.h"
#include "tb/lab/progress.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace pes::lab {

/// A command ended with another exit code than 0.
class RunFailure : public UserError {
  public:
    using UserError::UserError;
};

struct Job {
    std::string label; ///< what it is, in a few words
    std::vector<std::string> command;
    std::function<void(double seconds)> finished; ///< when it has ended with exit code 0
};

class JobRunner {
  public:
    /// `work`: where the error streams of the commands go.
    JobRunner(unsigned at_once, std::filesystem::path work, Progress& progress)
        : at_once_(at_once), work_(std::move(work)), progress_(progress) {}

    /// False if the end was asked for (end_request.h): then no job is started any more, and those
    /// that run are waited for. Throws RunFailure, likewise after those, if a command fails.
    bool run(const std::vector<Job>& jobs);

  private:
    unsigned at_once_;
    std::filesystem::path work_;
    Progress& progress_;
};

} // namespace pes::lab
