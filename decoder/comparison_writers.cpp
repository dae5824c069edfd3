// SPDX-License-Identifier: Apache-2.0
#include "decoder/comparison.h"
#include "decoder/csv.h"
#include "decoder/event_names.h"
#include "decoder/text_layout.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

using Json = nlohmann::ordered_json;

std::size_t row_count(const Comparison& comparison, RowLimit limit) {
    return limit == 0 ? comparison.rows.size() : std::min(limit, comparison.rows.size());
}

std::string rank_text(std::size_t rank) {
    return rank == 0 ? "" : std::to_string(rank);
}

Json rank_or_null(std::size_t rank) {
    return rank == 0 ? Json(nullptr) : Json(rank);
}

double percent(std::uint64_t part, std::uint64_t all) {
    return all == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(all);
}

} // namespace

std::string describe(const LeftOut& left_out, TruthMeasure measure) {
    if (left_out.what.empty()) {
        return fmt::format("left out: nothing ({})", left_out.why_nothing);
    }
    return fmt::format(
        "left out: {}: {:.2f} % of {} {}, {:.2f} % of {} samples", fmt::join(left_out.what, ", "),
        percent(left_out.exact, left_out.exact_in_all), left_out.exact_in_all, to_string(measure),
        percent(left_out.samples, left_out.samples_in_all), left_out.samples_in_all);
}

void write_csv(std::ostream& out, const Comparison& comparison, RowLimit limit) {
    out << "exact_rank,sampled_rank,exact,exact_share,samples,sampled_share,function,address,"
           "program\n";
    for (std::size_t i = 0; i < row_count(comparison, limit); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        out << fmt::format("{},{},{},{:.6f},{},{:.6f},{},{:#x},{}\n", rank_text(row.exact_rank),
                           rank_text(row.sampled_rank), row.exact, row.exact_share, row.samples,
                           row.sampled_share, csv_field(row.function), row.address,
                           csv_field(row.program));
    }
}

void write_json(std::ostream& out, const Comparison& comparison, RowLimit limit) {
    Json rows = Json::array();
    for (std::size_t i = 0; i < row_count(comparison, limit); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        rows.push_back({{"exact_rank", rank_or_null(row.exact_rank)},
                        {"sampled_rank", rank_or_null(row.sampled_rank)},
                        {"exact", row.exact},
                        {"exact_share", row.exact_share},
                        {"samples", row.samples},
                        {"sampled_share", row.sampled_share},
                        {"function", row.function.empty() ? Json(nullptr) : Json(row.function)},
                        {"address", fmt::format("{:#x}", row.address)},
                        {"program", row.program.empty() ? Json(nullptr) : Json(row.program)}});
    }
    const Json document = {{"event", event_name(*comparison.pmu, comparison.event)},
                           {"samples", comparison.samples},
                           {"measure", to_string(comparison.measure)},
                           {"exact", comparison.exact},
                           {"left_out",
                            {{"what", comparison.left_out.what},
                             {"exact", comparison.left_out.exact},
                             {"samples", comparison.left_out.samples}}},
                           {"overlap", comparison.overlap},
                           {"rows_in_all", comparison.rows.size()},
                           {"rows", rows}};
    out << document.dump(2, ' ', false, Json::error_handler_t::replace) << '\n';
}

void write_text(std::ostream& out, const Comparison& comparison, RowLimit limit, TextStyle style) {
    constexpr unsigned kBarCells = 12;
    const std::size_t count = row_count(comparison, limit);
    const std::string title = fmt::format("{} samples of {} against {} {}", comparison.samples,
                                          event_name(*comparison.pmu, comparison.event),
                                          comparison.exact, to_string(comparison.measure));
    out << heading(title, style) << '\n';
    out << "  " << describe(comparison.left_out, comparison.measure) << '\n';
    out << fmt::format("  {:>14}  {:<{}}  {:>14}  {:<{}}\n", "exact", "", kBarCells, "sampled", "",
                       kBarCells);
    double longest = 0;
    for (const ComparisonRow& row : comparison.rows) {
        longest = std::max({longest, row.exact_share, row.sampled_share});
    }
    const auto column = [&](std::size_t rank, double share) {
        return fmt::format("{:>4}  {:>6.2f} %  {}", rank == 0 ? "-" : rank_text(rank), 100 * share,
                           bar(share / longest, kBarCells, style));
    };
    for (std::size_t i = 0; i < count; ++i) {
        const ComparisonRow& row = comparison.rows[i];
        out << fmt::format("  {}  {}  {}\n", column(row.exact_rank, row.exact_share),
                           column(row.sampled_rank, row.sampled_share),
                           function_text(row.function));
    }
    if (count < comparison.rows.size()) {
        out << fmt::format("  ({} more rows)\n", comparison.rows.size() - count);
    }
    out << fmt::format(
        "agreement: {} of the top {} functions in common, the hottest one {}; shares "
        "overlap by {:.1f} %\n",
        comparison.common_top(count), count,
        comparison.common_top(1) == 1 ? "is the same" : "differs", 100 * comparison.overlap);
}

} // namespace pes
