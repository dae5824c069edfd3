// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/csv_files.h"

#include "platform/host/csv.h"

#include <spdlog/fmt/fmt.h>

namespace pes::lab {
std::string points_csv(const Results& results) {
    std::string text = "program,settings,method,event,period,spread,seed,samples,lost,overhead,"
                       "grouping,profile_error,statistical_error,statistical_bound,"
                       "systematic_error\n";
    for (const PointRow& row : results.points) {
        const PointResult& point = row.result;
        for (const auto& [grouping, error] : point.errors) {
            text += fmt::format(
                "{},{},{},{},{},{},{},{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f}\n",
                csv_field(row.program), csv_field(row.settings), point.method, point.event,
                point.period, point.spread, point.seed, point.samples, point.lost,
                row.overhead ? fmt::format("{:.6f}", *row.overhead) : "", to_string(grouping),
                error.profile, error.statistical, error.bound, error.systematic);
        }
    }
    return text;
}

std::string costs_csv(const Results& results) {
    std::string text = "delivery,cycles_sampling,cycles_plain,samples,lost,cycles_per_sample\n";
    for (const CostResult& cost : results.costs) {
        text +=
            fmt::format("{},{},{},{},{},{:.1f}\n", csv_field(cost.delivery), cost.cycles_sampling,
                        cost.cycles_plain, cost.samples, cost.lost, cost.cycles_per_sample());
    }
    return text;
}

std::string skids_csv(const Results& results) {
    std::string text = "name,event,unit,distance,samples\n";
    for (const SkidResult& skid : results.skids) {
        for (const auto& [unit, bars] :
             {std::pair("instructions", &skid.instructions), std::pair("cycles", &skid.cycles)}) {
            for (const auto& [distance, samples] : *bars) {
                text += fmt::format("{},{},{},{},{}\n", csv_field(skid.name), skid.event, unit,
                                    distance, samples);
            }
        }
    }
    return text;
}

} // namespace pes::lab
