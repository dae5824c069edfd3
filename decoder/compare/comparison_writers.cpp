// SPDX-License-Identifier: Apache-2.0
#include "decoder/compare/comparison.h"
#include "platform/host/csv.h"
#include "platform/profile/event_names.h"
#include "platform/profile/place_json.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <functional>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

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

/// Six digits, or nothing.
std::string share_text(const std::optional<ProfileError>& error,
                       const std::function<double(const ProfileError&)>& part) {
    return error ? fmt::format("{:.6f}", part(*error)) : "";
}

void write_errors(std::ostream& out, const Comparison& comparison) {
    if (!comparison.error) {
        return;
    }
    const ProfileError& error = *comparison.error;
    out << fmt::format("profile error: {:.2f} % by {}; a perfect sampler with {} samples makes "
                       "{:.2f} % on average, at most {:.2f} % in 95 of 100 profiles\n",
                       100 * error.error, to_string(comparison.by), comparison.samples,
                       100 * error.statistical, 100 * error.statistical_95);
    out << fmt::format("systematic error: {:.2f} %, {}\n", 100 * error.systematic(),
                       error.beyond_chance() ? "beyond what chance explains"
                                             : "no more than chance explains");
}

} // namespace

std::string describe(const LeftOut& left_out, const TruthMeasure& measure) {
    if (left_out.what.empty()) {
        return fmt::format("left out: nothing ({})", left_out.why_nothing);
    }
    return fmt::format(
        "left out: {}: {:.2f} % of {} {}, {:.2f} % of {} samples", fmt::join(left_out.what, ", "),
        percent(left_out.exact, left_out.exact_in_all), left_out.exact_in_all, measure.name,
        percent(left_out.samples, left_out.samples_in_all), left_out.samples_in_all);
}

std::vector<std::string> notes_of(const Comparison& comparison) {
    std::vector<std::string> notes;
    if (!comparison.why_retired.empty()) {
        notes.push_back(
            fmt::format("compared with {}: {}", comparison.measure.name, comparison.why_retired));
    }
    notes.push_back(describe(comparison.left_out, comparison.measure));
    return notes;
}

void write_csv(std::ostream& out, const Comparison& comparison, RowLimit limit) {
    out << "exact_rank,sampled_rank,exact,exact_share,samples,sampled_share,function,address,"
           "program,file,line,offset,event,by,error,statistical_error,statistical_error_95,"
           "systematic_error\n";
    const auto& error = comparison.error;
    const std::string of_all =
        fmt::format("{},{},{},{},{},{}", event_name(*comparison.pmu, comparison.event),
                    to_string(comparison.by), share_text(error, [](auto& of) { return of.error; }),
                    share_text(error, [](auto& of) { return of.statistical; }),
                    share_text(error, [](auto& of) { return of.statistical_95; }),
                    share_text(error, [](auto& of) { return of.systematic(); }));
    for (std::size_t i = 0; i < row_count(comparison, limit); ++i) {
        const ComparisonRow& row = comparison.rows[i];
        out << fmt::format("{},{},{},{:.6f},{},{:.6f},{},{:#x},{},{},{},{},{}\n",
                           rank_text(row.exact_rank), rank_text(row.sampled_rank), row.exact,
                           row.exact_share, row.samples, row.sampled_share, csv_field(row.function),
                           row.address, csv_field(row.program), csv_field(row.file),
                           row.line == 0 ? "" : std::to_string(row.line), row.offset, of_all);
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
                        {"sampled_share", row.sampled_share}});
        add_place(rows.back(), row);
    }
    Json document = {{"event", event_name(*comparison.pmu, comparison.event)},
                     {"by", to_string(comparison.by)},
                     {"samples", comparison.samples},
                     {"measure", comparison.measure.name},
                     {"why_retired", text_or_null(comparison.why_retired)},
                     {"exact", comparison.exact},
                     {"left_out",
                      {{"what", comparison.left_out.what},
                       {"exact", comparison.left_out.exact},
                       {"samples", comparison.left_out.samples}}},
                     {"overlap", comparison.overlap}};
    const auto& error = comparison.error;
    document["error"] = error ? Json(error->error) : Json(nullptr);
    document["statistical_error"] = error ? Json(error->statistical) : Json(nullptr);
    document["statistical_error_95"] = error ? Json(error->statistical_95) : Json(nullptr);
    document["systematic_error"] = error ? Json(error->systematic()) : Json(nullptr);
    document["beyond_chance"] = error ? Json(error->beyond_chance()) : Json(nullptr);
    document["rows_in_all"] = comparison.rows.size();
    document["rows"] = std::move(rows);
    out << text_of(document);
}

void write_text(std::ostream& out, const Comparison& comparison, RowLimit limit, TextStyle style) {
    constexpr unsigned kBarCells = 12;
    const std::size_t count = row_count(comparison, limit);
    const std::string title = fmt::format("{} samples of {} against {} {}", comparison.samples,
                                          event_name(*comparison.pmu, comparison.event),
                                          comparison.exact, comparison.measure.name);
    out << heading(title, style) << '\n';
    for (const std::string& note : notes_of(comparison)) {
        out << "  " << note << '\n';
    }
    out << fmt::format("  {:>14}  {:<{}}  {:>14}  {:<{}}\n", "exact", "", kBarCells, "sampled", "",
                       kBarCells);
    std::size_t line_width = 0;
    for (std::size_t i = 0; i < count; ++i) {
        line_width = std::max(line_width, line_text(comparison.rows[i]).size());
    }
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
                           place_text(row, comparison.by, line_width));
    }
    if (count < comparison.rows.size()) {
        out << fmt::format("  ({} more rows)\n", comparison.rows.size() - count);
    }
    out << fmt::format(
        "agreement: {} of the top {} {} in common, the hottest one {}; shares overlap by {:.1f} "
        "%\n",
        comparison.common_top(count), count, rows_text(comparison.by),
        comparison.common_top(1) == 1 ? "is the same" : "differs", 100 * comparison.overlap);
    write_errors(out, comparison);
}

} // namespace pes
