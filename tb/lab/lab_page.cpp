// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/lab_page.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

namespace pes::lab {
namespace {

using Json = nlohmann::ordered_json;
using Chosen = std::function<bool(const PointRow&)>;
using Figure = std::function<std::optional<double>(const PointRow&)>;

Json number(const std::optional<double>& value) {
    return value ? Json(*value) : Json();
}

/// Points of one rate have a number of wanted samples in common, or the period.
std::uint64_t rate_key(const PointRow& point) {
    return point.wanted != 0 ? point.wanted : point.result.period;
}

Figure error(GroupBy by, double ErrorFigures::*figure) {
    return [by, figure](const PointRow& row) { return error_of(row, by, figure); };
}

Chosen points_of(const std::string& method, const std::string& event) {
    return [&method, &event](const PointRow& row) {
        return row.result.method == method && row.result.event == event;
    };
}

class DataWriter {
  public:
    explicit DataWriter(const Results& results)
        : results_(results), rate_(usual_rate(results.points)) {}

    Json write(const std::string& title) const {
        Json groupings = Json::array();
        for (const GroupBy by : kGroupings) {
            groupings.push_back(to_string(by));
        }
        return {{"title", title},
                {"points", results_.points.size()},
                {"programs", results_.programs.size()},
                {"rate", rate_},
                {"groupings", groupings},
                {"methods", results_.methods},
                {"events", results_.events},
                {"errors", errors()},
                {"rates", rates()},
                {"costs", costs()},
                {"skids", skids()},
                {"runs", runs()},
                {"too_few", too_few()}};
    }

  private:
    Json mean(const Chosen& chosen, const Figure& figure) const {
        const auto mean = mean_of(results_.points, chosen, figure);
        return number(mean ? std::optional(mean->value) : std::nullopt);
    }

    /// Means at the usual rate, of each event and method that was measured at it.
    Json errors() const {
        Json rows = Json::array();
        for (const std::string& event : results_.events) {
            for (const std::string& method : results_.methods) {
                const Chosen of_both = points_of(method, event);
                const Chosen chosen = [&](const PointRow& row) {
                    return of_both(row) && row.wanted == rate_;
                };
                if (std::ranges::any_of(results_.points, chosen)) {
                    rows.push_back(error_row(method, event, chosen));
                }
            }
        }
        return rows;
    }

    Json error_row(const std::string& method, const std::string& event,
                   const Chosen& chosen) const {
        Json profile = Json::array();
        Json systematic = Json::array();
        for (const GroupBy by : kGroupings) {
            profile.push_back(mean(chosen, error(by, &ErrorFigures::profile)));
            systematic.push_back(mean(chosen, error(by, &ErrorFigures::systematic)));
        }
        std::uint64_t lost = 0;
        for (const PointRow& point : results_.points) {
            lost += chosen(point) ? point.result.lost : 0;
        }
        constexpr GroupBy kFinest = GroupBy::Instruction;
        return {{"method", method},
                {"event", event},
                {"profile", profile},
                {"systematic", systematic},
                {"statistical", mean(chosen, error(kFinest, &ErrorFigures::statistical))},
                {"bound", mean(chosen, error(kFinest, &ErrorFigures::bound))},
                {"overhead", mean(chosen, [](const PointRow& row) { return row.overhead; })},
                {"lost", lost}};
    }

    /// Of events with several rates: mean period of the programs, and mean errors, by rate.
    Json rates() const {
        std::map<std::string, std::set<std::uint64_t>> keys;
        for (const PointRow& point : results_.points) {
            keys[point.result.event].insert(rate_key(point));
        }
        Json rows = Json::array();
        for (const std::string& event : results_.events) {
            for (const std::string& method : results_.methods) {
                for (const std::uint64_t key : keys[event]) {
                    if (keys[event].size() > 1) {
                        add_rate(rows, method, event, key);
                    }
                }
            }
        }
        return rows;
    }

    void add_rate(Json& rows, const std::string& method, const std::string& event,
                  std::uint64_t key) const {
        const Chosen of_both = points_of(method, event);
        const Chosen chosen = [&](const PointRow& row) {
            return of_both(row) && rate_key(row) == key;
        };
        const Json period = mean(
            chosen, [](const PointRow& row) { return static_cast<double>(row.result.period); });
        if (period.is_null()) {
            return;
        }
        Json profile = Json::array();
        for (const GroupBy by : kGroupings) {
            profile.push_back(mean(chosen, error(by, &ErrorFigures::profile)));
        }
        rows.push_back(
            {{"method", method}, {"event", event}, {"period", period}, {"profile", profile}});
    }

    Json costs() const {
        Json rows = Json::array();
        for (const CostResult& cost : results_.costs) {
            rows.push_back({{"delivery", cost.delivery},
                            {"cycles", cost.cycles_per_sample()},
                            {"samples", cost.samples},
                            {"lost", cost.lost},
                            {"sampling", cost.cycles_sampling},
                            {"plain", cost.cycles_plain}});
        }
        return rows;
    }

    static Json histogram(const SkidResult::Histogram& distances) {
        Json bars = Json::array();
        for (const auto& [distance, samples] : distances) {
            bars.push_back({distance, samples});
        }
        return bars;
    }

    Json skids() const {
        Json rows = Json::array();
        for (const SkidResult& skid : results_.skids) {
            const auto part = [&](std::uint64_t count) {
                return number(skid.located == 0 ? std::nullopt
                                                : std::optional(static_cast<double>(count) /
                                                                static_cast<double>(skid.located)));
            };
            rows.push_back({{"program", skid.name},
                            {"event", skid.event},
                            {"samples", skid.delivered},
                            {"at_cause", part(skid.at_cause)},
                            {"line", part(skid.wrong_line)},
                            {"block", part(skid.wrong_block)},
                            {"function", part(skid.wrong_function)},
                            {"instructions", histogram(skid.instructions)},
                            {"cycles", histogram(skid.cycles)}});
        }
        return rows;
    }

    Json runs() const {
        Json rows = Json::array();
        for (const RunResult& run : results_.runs) {
            rows.push_back({{"program", run.program},
                            {"settings", run.settings},
                            {"cycles", run.cycles},
                            {"instructions", run.instructions}});
        }
        return rows;
    }

    /// The programs by event.
    Json too_few() const {
        Json missing = Json::object();
        for (const TooFew& pair : results_.too_few) {
            missing[pair.event].push_back(pair.program);
        }
        return missing;
    }

    const Results& results_;
    std::size_t rate_;
};

} // namespace

std::string lab_page_data(const Results& results, const std::string& title) {
    return DataWriter(results).write(title).dump(-1, ' ', false, Json::error_handler_t::replace);
}

} // namespace pes::lab
