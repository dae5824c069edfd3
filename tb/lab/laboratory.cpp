// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/laboratory.h"

#include "decoder/skid/crossings.h"
#include "decoder/skid/skid.h"
#include "platform/config/config.h"
#include "platform/host/input_file.h"
#include "platform/host/user_error.h"
#include "platform/profile/event_names.h"
#include "platform/profile/record_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <set>

namespace pes::lab {
namespace {

std::vector<SampleRecord> read_samples(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    RecordReader reader(in);
    std::vector<SampleRecord> samples;
    for (SampleRecord record; reader.next(record);) {
        samples.push_back(record);
    }
    if (!in.eof() || reader.problems().any()) {
        throw UserError("samples '" + file.string() + "' are damaged");
    }
    return samples;
}

std::vector<SkidResult> read_skids(const std::filesystem::path& file, const SkidTrial& trial,
                                   const std::string& key) {
    InputFile input(file.string());
    const std::vector<CrossingRecord> crossings = read_crossings(input.stream(), file.string());
    const PlatformConfig config = make_config({}, trial.assignments);
    const Symbolizer symbolizer(parse_program_files(trial.guest.files()));
    std::vector<SkidResult> results;
    for (const EventSkid& skid : measure_skid(crossings, nullptr, symbolizer)) {
        results.push_back({.key = key,
                           .name = trial.name,
                           .event = event_name(*config.counters.profile, skid.event),
                           .crossings = skid.crossings(),
                           .delivered = skid.delivered,
                           .located = skid.located,
                           .at_cause = skid.at_cause,
                           .wrong_line = skid.wrong_line,
                           .wrong_block = skid.wrong_block,
                           .wrong_function = skid.wrong_function,
                           .instructions = skid.instructions.counts(),
                           .cycles = skid.cycles.counts()});
    }
    return results;
}

std::string label(const Matrix& matrix, const RunSpec& run) {
    return matrix.programs[run.program].name;
}

} // namespace

Laboratory::Laboratory(const Matrix& matrix, const LaboratoryOptions& options, Store& store)
    : matrix_(matrix), options_(options), store_(store), progress_(options.quiet),
      runner_(options.jobs, options.directory / "work", progress_) {
    std::filesystem::create_directories(options.directory / "work");
    std::filesystem::create_directories(options.directory / "truth");
}

Laboratory::~Laboratory() {
    std::error_code ignored;
    std::filesystem::remove_all(options_.directory / "work", ignored);
}

std::filesystem::path Laboratory::truth_file(const RunSpec& run) const {
    return options_.directory / "truth" / (run.key + ".csv");
}

std::filesystem::path Laboratory::work_file(const std::string& key, const char* suffix) const {
    return options_.directory / "work" / (key + suffix);
}

std::vector<std::string> Laboratory::command(const char* subcommand, const Guest& guest,
                                             const std::vector<std::string>& assignments) const {
    std::vector<std::string> command{options_.pes_vp, subcommand};
    const std::vector<std::string> arguments = guest.arguments();
    command.insert(command.end(), arguments.begin(), arguments.end());
    for (const std::string& assignment : assignments) {
        command.insert(command.end(), {"--set", assignment});
    }
    command.insert(command.end(), {"--quiet", "--console", "/dev/null", "--log-level", "off",
                                   "--max-cycles", std::to_string(matrix_.max_cycles)});
    return command;
}

Laboratory::Statistics Laboratory::statistics(const std::filesystem::path& file) const {
    std::ifstream in(file);
    const nlohmann::json json = nlohmann::json::parse(in, nullptr, false);
    if (!json.is_object()) {
        throw UserError("statistics '" + file.string() + "' are damaged");
    }
    const auto number = [&](const char* key) { return json.value(key, std::uint64_t{0}); };
    return {.cycles = number("cycles"),
            .instructions = number("instret"),
            .traps = number("traps"),
            .samples = number("samples"),
            .lost = number("lost_samples")};
}

bool Laboratory::run(const Plan& plan, bool trials) {
    std::vector<Job> jobs;
    for (std::size_t run = 0; run < plan.runs.size(); ++run) {
        if (needs_truth(plan, run)) {
            add_run(jobs, plan.runs[run]);
        }
    }
    for (const DeliveryTrial& trial : matrix_.deliveries) {
        if (trials) {
            add_delivery(jobs, trial);
        }
    }
    for (const SkidTrial& trial : matrix_.skids) {
        if (trials) {
            add_skid(jobs, trial);
        }
    }
    return runner_.run(jobs) && runner_.run(point_jobs(plan));
}

/// Whether a point of the run is still to be judged and there is nothing to judge it by.
bool Laboratory::needs_truth(const Plan& plan, std::size_t run) const {
    const std::optional<RunResult> stored = store_.run(plan.runs[run].key);
    if (!stored || std::filesystem::exists(truth_file(plan.runs[run]))) {
        return !stored;
    }
    return std::ranges::any_of(plan.points, [&](const PointSpec& point) {
        if (point.run != run) {
            return false;
        }
        const PointOutcome is = outcome(plan, point, stored);
        return !is.known || (!is.key.empty() && !store_.has_point(is.key));
    });
}

void Laboratory::add_run(std::vector<Job>& jobs, const RunSpec& run) {
    const LabProgram& program = matrix_.programs[run.program];
    std::vector<std::string> words =
        command("run", program.guest, matrix_.settings[run.settings].assignments);
    words.insert(words.end(), {"--truth", truth_file(run).string(), "--stats",
                               work_file(run.key, ".json").string()});
    jobs.push_back({label(matrix_, run) + " truth", std::move(words),
                    [this, run](double seconds) { store_run(run, seconds); }});
}

void Laboratory::store_run(const RunSpec& run, double seconds) {
    const Statistics counts = statistics(work_file(run.key, ".json"));
    store_.add(RunResult{.key = run.key,
                         .program = matrix_.programs[run.program].name,
                         .settings = matrix_.settings[run.settings].name,
                         .cycles = counts.cycles,
                         .instructions = counts.instructions,
                         .half_words = judge(run).half_words(),
                         .host_seconds = seconds});
}

void Laboratory::add_delivery(std::vector<Job>& jobs, const DeliveryTrial& trial) {
    const std::string key = delivery_key(trial, options_.platform);
    if (store_.cost(key)) {
        return;
    }
    for (const bool sampling : {true, false}) {
        const std::filesystem::path file = work_file(key, sampling ? "-sampling" : "-plain");
        std::vector<std::string> words =
            command("run", sampling ? trial.sampling : trial.plain, trial.assignments);
        words.insert(words.end(), {"--stats", file.string()});
        jobs.push_back({"delivery " + trial.delivery, std::move(words),
                        [this, &trial, key](double) { store_delivery(trial, key); }});
    }
}

/// Once, when both halves are there: they may both have ended before either is looked at.
void Laboratory::store_delivery(const DeliveryTrial& trial, const std::string& key) {
    if (store_.cost(key)) {
        return;
    }
    const std::filesystem::path with = work_file(key, "-sampling");
    const std::filesystem::path without = work_file(key, "-plain");
    if (!std::filesystem::exists(with) || !std::filesystem::exists(without)) {
        return;
    }
    const Statistics sampling = statistics(with);
    const Statistics plain = statistics(without);
    const std::uint64_t samples = trial.traps == 0 ? sampling.samples
                                  : sampling.traps > plain.traps
                                      ? (sampling.traps - plain.traps) / trial.traps
                                      : 0;
    if (samples == 0) {
        throw UserError("delivery '" + trial.delivery + "': the program that samples took none");
    }
    store_.add(CostResult{.key = key,
                          .delivery = trial.delivery,
                          .cycles_sampling = sampling.cycles,
                          .cycles_plain = plain.cycles,
                          .samples = samples,
                          .lost = sampling.lost});
}

void Laboratory::add_skid(std::vector<Job>& jobs, const SkidTrial& trial) {
    const std::string key = skid_key(trial, options_.platform);
    if (!store_.skids(key).empty()) {
        return;
    }
    const std::filesystem::path file = work_file(key, ".csv");
    std::vector<std::string> words = command("run", trial.guest, trial.assignments);
    words.insert(words.end(), {"--crossings", file.string()});
    jobs.push_back({"skid " + trial.name, std::move(words), [this, &trial, key, file](double) {
                        store_.add_skids(key, read_skids(file, trial, key));
                        std::filesystem::remove(file);
                    }});
}

Judge& Laboratory::judge(const RunSpec& run) {
    std::unique_ptr<Judge>& judge = judges_[run.key];
    if (!judge) {
        judge = std::make_unique<Judge>(matrix_.programs[run.program].guest.files(),
                                        *matrix_.settings[run.settings].pmu, truth_file(run));
    }
    return *judge;
}

std::vector<Job> Laboratory::point_jobs(const Plan& plan) {
    std::vector<Job> jobs;
    std::set<std::string> planned;
    std::map<std::string, RunResult> runs;
    for (const RunSpec& run : plan.runs) {
        runs[run.key] = store_.run(run.key).value();
    }
    for (const PointSpec& point : plan.points) {
        const RunSpec& run = plan.runs[point.run];
        RunResult& result = runs[run.key];
        if (!result.events.contains(point.event.name)) {
            const std::uint64_t total = judge(run).total(point.event.id);
            result.events[point.event.name] = total;
            store_.add_event(run.key, point.event.name, total);
        }
        const auto period = period_of(point, result, matrix_.min_events);
        const std::string key = period ? point_key(point, run.key, *period) : "";
        if (period && planned.insert(key).second && !store_.has_point(key)) {
            jobs.push_back(point_job(run, point, key, *period));
        }
    }
    return jobs;
}

Job Laboratory::point_job(const RunSpec& run, const PointSpec& point, const std::string& key,
                          std::uint64_t period) {
    std::vector<std::string> words = command("profile", matrix_.programs[run.program].guest,
                                             matrix_.settings[run.settings].assignments);
    words.insert(words.end(),
                 {"--method", point.method->name, "--event", point.event.name, "--period",
                  std::to_string(period), "--spread", std::to_string(point.spread), "--seed",
                  std::to_string(point.seed), "--samples", work_file(key, ".samples").string()});
    PointResult result{.key = key,
                       .run = run.key,
                       .method = point.method->name,
                       .event = point.event.name,
                       .period = period,
                       .spread = point.spread,
                       .seed = point.seed};
    return {label(matrix_, run) + " " + point.method->name + " " + point.event.name,
            std::move(words), [this, run, point, result](double seconds) mutable {
                result.host_seconds = seconds;
                store_point(run, point, std::move(result));
            }};
}

void Laboratory::store_point(const RunSpec& run, const PointSpec& point, PointResult result) {
    const std::filesystem::path file = work_file(result.key, ".samples");
    const std::vector<SampleRecord> samples = read_samples(file);
    std::filesystem::remove(file);
    result.samples = samples.size();
    result.lost = samples.empty() ? 0 : samples.back().lost;
    result.errors = judge(run).errors(point.event.id, samples);
    store_.add(result);
    ++points_run_;
}

PointOutcome Laboratory::outcome(const Plan& plan, const PointSpec& point,
                                 const std::optional<RunResult>& stored) const {
    if (!stored || !stored->events.contains(point.event.name)) {
        return {.spec = point, .known = false, .key = ""};
    }
    const auto period = period_of(point, *stored, matrix_.min_events);
    return {.spec = point,
            .known = true,
            .key = period ? point_key(point, plan.runs[point.run].key, *period) : ""};
}

std::vector<PointOutcome> Laboratory::outcomes(const Plan& plan) const {
    std::vector<std::optional<RunResult>> stored;
    for (const RunSpec& run : plan.runs) {
        stored.push_back(store_.run(run.key));
    }
    std::vector<PointOutcome> outcomes;
    for (const PointSpec& point : plan.points) {
        outcomes.push_back(outcome(plan, point, stored[point.run]));
    }
    return outcomes;
}

} // namespace pes::lab
