// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/lab_command.h"

#include "platform/host/output_file.h"
#include "platform/host/user_error.h"
#include "tb/lab/content_hash.h"
#include "tb/lab/csv_files.h"
#include "tb/lab/directory_lock.h"
#include "tb/lab/lab_page.h"
#include "tb/lab/laboratory.h"
#include "tb/lab/page_tables.h"
#include "tb/lab/results.h"
#include "tb/lab/slurm.h"

#include <spdlog/fmt/fmt.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <unistd.h>

namespace pes::lab {
namespace {

namespace files = std::filesystem;

constexpr const char* kDatabase = "lab.sqlite";
constexpr const char* kShards = "shards";
constexpr std::size_t kDefaultTasks = 8;

files::path own_command() {
    return files::read_symlink("/proc/self/exe");
}

/// Beside this program: as installed, or as built.
std::string find_pes_vp(const std::string& option) {
    if (!option.empty()) {
        if (::access(option.c_str(), X_OK) != 0) {
            throw UserError("--platform got '" + option + "', expected the command pes-vp");
        }
        return files::canonical(option).string();
    }
    for (const char* place : {"pes-vp", "../../platform/pes-vp"}) {
        const files::path command = own_command().parent_path() / place;
        if (::access(command.c_str(), X_OK) == 0) {
            return files::canonical(command).string();
        }
    }
    throw UserError("pes-vp is not beside pes-lab, expected --platform FILE");
}

void write_file(const files::path& file, const std::string& text) {
    OutputFile out(file);
    out.write(text);
    out.commit();
}

class LabCommand {
  public:
    explicit LabCommand(const Options& options)
        : options_(options), matrix_(read_matrix(options.matrix, options.programs)),
          pes_vp_(find_pes_vp(options.pes_vp)), platform_(ContentHash().add_file(pes_vp_).text()),
          plan_(make_plan(matrix_, platform_)) {}

    int execute() {
        if (options_.engine == Engine::Slurm) {
            return submit_array();
        }
        return options_.shard ? run_shard(*options_.shard) : run_here();
    }

  private:
    unsigned jobs() const {
        return options_.jobs != 0 ? options_.jobs
                                  : std::max(1U, std::thread::hardware_concurrency());
    }

    LaboratoryOptions laboratory(const files::path& directory) const {
        return {.directory = directory,
                .pes_vp = pes_vp_,
                .platform = platform_,
                .jobs = jobs(),
                .quiet = options_.quiet};
    }

    int submit_array() const {
        const files::path out = files::absolute(options_.out);
        const std::size_t tasks = std::min(options_.tasks != 0 ? options_.tasks : kDefaultTasks,
                                           std::max<std::size_t>(1, plan_.points.size()));
        const unsigned at_once = std::max(1U, options_.jobs);
        JobArray array{.tasks = tasks,
                       .jobs = at_once,
                       .command = {own_command().string(),
                                   files::absolute(options_.matrix).string(), "--out", out.string(),
                                   "--platform", pes_vp_, "--jobs", std::to_string(at_once),
                                   "--quiet"},
                       .logs = out / "slurm",
                       .further_options = options_.slurm_options};
        if (!options_.programs.empty()) {
            array.command.insert(array.command.end(),
                                 {"--programs", files::absolute(options_.programs).string()});
        }
        const std::string job = submit(array);
        fmt::print("pes-lab: job {} of {} tasks; --collect takes the results when it has ended\n",
                   job, tasks);
        return 0;
    }

    /// Its share, in a directory of its own.
    int run_shard(const Share& share) const {
        const files::path directory =
            files::path(options_.out) / kShards / std::to_string(share.index);
        const DirectoryLock lock(directory);
        Store store(directory / kDatabase);
        if (const files::path known = files::path(options_.out) / kDatabase; files::exists(known)) {
            store.merge(known);
        }
        const LaboratoryOptions options = laboratory(directory);
        Laboratory lab(matrix_, options, store);
        const bool complete = lab.run(share_of(plan_, share.index, share.count), share.index == 0);
        fmt::print("pes-lab: shard {} of {}: {} points run\n", share.index, share.count,
                   lab.points_run());
        return complete ? 0 : kInterruptedExit;
    }

    void collect(Store& store) const {
        const files::path shards = files::path(options_.out) / kShards;
        if (!files::is_directory(shards)) {
            throw UserError("--collect: '" + options_.out + "' has no results of shards");
        }
        for (const auto& shard : files::directory_iterator(shards)) {
            store.merge(shard.path() / kDatabase);
        }
    }

    int run_here() const {
        const DirectoryLock lock(options_.out);
        Store store(files::path(options_.out) / kDatabase);
        const LaboratoryOptions options = laboratory(options_.out);
        Laboratory lab(matrix_, options, store);
        if (options_.collect) {
            collect(store);
        } else if (!lab.run(plan_, true)) {
            fmt::print(stderr,
                       "pes-lab: interrupted; {} points were run, the same command goes on\n",
                       lab.points_run());
            return kInterruptedExit;
        }
        const std::vector<PointOutcome> outcomes = lab.outcomes(plan_);
        const Results results = gather(matrix_, plan_, outcomes, store, platform_);
        write_results(results);
        return report(results, lab.points_run());
    }

    void write_results(const Results& results) const {
        const files::path out = options_.out;
        write_file(out / "points.csv", points_csv(results));
        write_file(out / "costs.csv", costs_csv(results));
        write_file(out / "skids.csv", skids_csv(results));
        write_file(out / "tables.md", page_tables(results));
        write_page(out / "report.html", results);
    }

    void write_page(const files::path& file, const Results& results) const {
        if (lab_page_text().empty()) {
            fmt::print(stderr,
                       "pes-lab: '{}' is not written: this build has no page, expected a build "
                       "after scripts/setup.sh, which fetches the page's libraries\n",
                       file.string());
            return;
        }
        OutputFile out(file);
        pes::write_page(
            out.stream(), lab_page_text(),
            lab_page_data(results, matrix_.file.stem().string() + ": sampling methods"));
        out.commit();
    }

    int report(const Results& results, std::size_t points_run) const {
        fmt::print("pes-lab: {} points, {} of them run now; results are in {}\n",
                   results.points.size(), points_run, options_.out);
        if (!results.too_few.empty()) {
            fmt::print("pes-lab: {} pairs of program and event have fewer than {} events\n",
                       results.too_few.size(), matrix_.min_events);
        }
        if (results.missing != 0) {
            fmt::print(stderr, "pes-lab: {} points are missing: their shards have not ended\n",
                       results.missing);
            return kRunFailedExit;
        }
        return 0;
    }

    const Options& options_;
    const Matrix matrix_;
    const std::string pes_vp_;
    const std::string platform_;
    const Plan plan_;
};

} // namespace

int lab_command(const Options& options) {
    return LabCommand(options).execute();
}

} // namespace pes::lab
