// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/results.h"

#include "tb/lab/delivery.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace pes::lab {
namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) {
        names.push_back(name);
    }
}

/// 0 for what hardware alone delivers.
std::optional<double> cost_of(const SamplingMethod& method, const std::vector<CostResult>& costs) {
    const std::string_view delivery = delivery_of(method);
    if (delivery.empty()) {
        return 0.0;
    }
    const auto found = std::ranges::find(costs, delivery, &CostResult::delivery);
    return found == costs.end() ? std::nullopt : std::optional(found->cycles_per_sample());
}

class Gatherer {
  public:
    Gatherer(const Matrix& matrix, const Plan& plan, Store& store)
        : matrix_(matrix), plan_(plan), store_(store) {}

    void add_trials(const std::string& platform) {
        for (const DeliveryTrial& trial : matrix_.deliveries) {
            if (const auto cost = store_.cost(delivery_key(trial, platform))) {
                results_.costs.push_back(*cost);
            }
        }
        for (const SkidTrial& trial : matrix_.skids) {
            for (SkidResult& skid : store_.skids(skid_key(trial, platform))) {
                results_.skids.push_back(std::move(skid));
            }
        }
    }

    void add(const PointOutcome& outcome) {
        const RunSpec& run = plan_.runs[outcome.spec.run];
        const std::string& program = matrix_.programs[run.program].name;
        const std::string& settings = matrix_.settings[run.settings].name;
        add_once(results_.methods, outcome.spec.method->name);
        add_once(results_.events, outcome.spec.event.name);
        add_once(results_.programs, program);
        if (!outcome.known) {
            ++results_.missing;
            return;
        }
        if (outcome.key.empty()) {
            if (too_few_.insert({program, settings, outcome.spec.event.name}).second) {
                results_.too_few.push_back({program, settings, outcome.spec.event.name});
            }
            return;
        }
        if (!points_.insert(outcome.key).second) {
            return;
        }
        const auto stored = store_.point(outcome.key);
        if (!stored) {
            ++results_.missing;
            return;
        }
        const Rate& rate = outcome.spec.rate;
        PointRow row{.program = program,
                     .settings = settings,
                     .wanted = rate.kind == Rate::Kind::Samples ? rate.number : 0,
                     .result = *stored,
                     .overhead = std::nullopt};
        if (const auto cost = cost_of(*outcome.spec.method, results_.costs)) {
            row.overhead = overhead_of(stored->samples, *cost, cycles_of(run));
        }
        results_.points.push_back(std::move(row));
    }

    Results take() { return std::move(results_); }

  private:
    std::uint64_t cycles_of(const RunSpec& run) {
        const auto [place, is_new] = runs_.try_emplace(run.key, results_.runs.size());
        if (is_new) {
            results_.runs.push_back(store_.run(run.key).value());
        }
        return results_.runs[place->second].cycles;
    }

    const Matrix& matrix_;
    const Plan& plan_;
    Store& store_;
    Results results_;
    std::set<std::tuple<std::string, std::string, std::string>> too_few_;
    std::set<std::string> points_;
    std::map<std::string, std::size_t> runs_; ///< places in results_.runs
};

} // namespace

double overhead_of(std::uint64_t samples, double cycles_per_sample, std::uint64_t cycles) {
    return cycles == 0
               ? 0
               : static_cast<double>(samples) * cycles_per_sample / static_cast<double>(cycles);
}

Results gather(const Matrix& matrix, const Plan& plan, const std::vector<PointOutcome>& outcomes,
               Store& store, const std::string& platform) {
    Gatherer gatherer(matrix, plan, store);
    gatherer.add_trials(platform);
    for (const PointOutcome& outcome : outcomes) {
        gatherer.add(outcome);
    }
    return gatherer.take();
}

std::optional<Mean> mean_of(const std::vector<PointRow>& rows,
                            const std::function<bool(const PointRow&)>& chosen,
                            const std::function<std::optional<double>(const PointRow&)>& figure) {
    Mean mean;
    for (const PointRow& row : rows) {
        const std::optional<double> value = chosen(row) ? figure(row) : std::nullopt;
        if (value) {
            mean.value += *value;
            ++mean.points;
        }
    }
    if (mean.points == 0) {
        return std::nullopt;
    }
    mean.value /= static_cast<double>(mean.points);
    return mean;
}

std::optional<double> error_of(const PointRow& row, GroupBy by, double ErrorFigures::*figure) {
    const auto found = row.result.errors.find(by);
    return found == row.result.errors.end() ? std::nullopt : std::optional(found->second.*figure);
}

std::size_t usual_rate(const std::vector<PointRow>& rows) {
    std::map<std::size_t, std::size_t> points;
    for (const PointRow& row : rows) {
        ++points[row.wanted];
    }
    const auto most = std::ranges::max_element(
        points, {}, [](const auto& rate) { return std::pair(rate.second, rate.first); });
    return most == points.end() ? 0 : most->first;
}

} // namespace pes::lab
