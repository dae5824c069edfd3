// SPDX-License-Identifier: Apache-2.0
// Runs what a matrix asks for and is not stored yet, and stores each result as soon as it is there.
#pragma once

#include "tb/lab/job_runner.h"
#include "tb/lab/judge.h"
#include "tb/lab/matrix.h"
#include "tb/lab/point.h"
#include "tb/lab/store.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace pes::lab {

struct LaboratoryOptions {
    std::filesystem::path directory; ///< of results; exists
    std::string pes_vp;              ///< the command
    std::string platform;            ///< what tells its versions apart
    unsigned jobs = 1;
    bool quiet = false;
};

/// What a point of the plan has become.
struct PointOutcome {
    PointSpec spec;
    bool known = false; ///< its run is stored, so the key is known
    std::string key;    ///< empty: too few events in the program
};

class Laboratory {
  public:
    Laboratory(const Matrix& matrix, const LaboratoryOptions& options, Store& store);
    Laboratory(const Laboratory&) = delete;
    Laboratory& operator=(const Laboratory&) = delete;
    ~Laboratory(); ///< removes what unfinished runs have left

    /// False if the end was asked for; then the same call goes on another time. Throws UserError if
    /// a run fails. `trials`: whether deliveries and skids are measured too.
    bool run(const Plan& plan, bool trials);
    std::size_t points_run() const { return points_run_; }

    /// Of stored runs: in the order of the plan.
    std::vector<PointOutcome> outcomes(const Plan& plan) const;

  private:
    /// One run of a trial: the statistics that pes-vp writes.
    struct Statistics {
        std::uint64_t cycles = 0, instructions = 0, traps = 0, samples = 0, lost = 0;
    };

    std::vector<std::string> command(const char* subcommand, const Guest& guest,
                                     const std::vector<std::string>& assignments) const;
    std::filesystem::path truth_file(const RunSpec& run) const;
    std::filesystem::path work_file(const std::string& key, const char* suffix) const;
    Statistics statistics(const std::filesystem::path& file) const;
    Judge& judge(const RunSpec& run);

    bool needs_truth(const Plan& plan, std::size_t run) const;
    PointOutcome outcome(const Plan& plan, const PointSpec& point,
                         const std::optional<RunResult>& stored) const;
    void add_run(std::vector<Job>& jobs, const RunSpec& run);
    void add_delivery(std::vector<Job>& jobs, const DeliveryTrial& trial);
    void add_skid(std::vector<Job>& jobs, const SkidTrial& trial);
    std::vector<Job> point_jobs(const Plan& plan);
    Job point_job(const RunSpec& run, const PointSpec& point, const std::string& key,
                  std::uint64_t period);

    void store_run(const RunSpec& run, double seconds);
    void store_delivery(const DeliveryTrial& trial, const std::string& key);
    void store_point(const RunSpec& run, const PointSpec& point, PointResult result);

    const Matrix& matrix_;
    const LaboratoryOptions& options_;
    Store& store_;
    Progress progress_;
    JobRunner runner_;
    std::map<std::string, std::unique_ptr<Judge>> judges_;            ///< by key of the run
    std::map<std::string, std::map<std::string, Statistics>> halves_; ///< of deliveries
    std::size_t points_run_ = 0;
};

} // namespace pes::lab
