// SPDX-License-Identifier: Apache-2.0
// What a matrix has given, taken from the store: rows for files, and means for tables and charts.
#pragma once

#include "tb/lab/laboratory.h"
#include "tb/lab/store.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pes::lab {

struct PointRow {
    std::string program;
    std::string settings;
    std::size_t wanted = 0; ///< samples, 0: the period was given
    PointResult result;
    std::optional<double> overhead; ///< of the run's cycles; none: its delivery was not measured
};

/// A program that has too few of an event.
struct TooFew {
    std::string program;
    std::string settings;
    std::string event;
};

struct Results {
    std::vector<RunResult> runs;
    std::vector<PointRow> points;
    std::vector<TooFew> too_few;
    std::size_t missing = 0; ///< points that have not been run
    std::vector<CostResult> costs;
    std::vector<SkidResult> skids;

    // Names in the order of the matrix.
    std::vector<std::string> methods;
    std::vector<std::string> events;
    std::vector<std::string> programs;
};

Results gather(const Matrix& matrix, const Plan& plan, const std::vector<PointOutcome>& outcomes,
               Store& store, const std::string& platform);

/// Part of the run's cycles that sampling takes: samples x cost / cycles.
double overhead_of(std::uint64_t samples, double cycles_per_sample, std::uint64_t cycles);

/// The mean of a figure over the rows that are chosen and have it; none if there are none.
struct Mean {
    double value = 0;
    std::size_t points = 0;
};
std::optional<Mean> mean_of(const std::vector<PointRow>& rows,
                            const std::function<bool(const PointRow&)>& chosen,
                            const std::function<std::optional<double>(const PointRow&)>& figure);

/// A figure of a row's errors in a grouping.
std::optional<double> error_of(const PointRow& row, GroupBy by, double ErrorFigures::*figure);

/// The number of wanted samples that most points have: tables that need one rate use it. 0: none.
std::size_t usual_rate(const std::vector<PointRow>& rows);

} // namespace pes::lab
