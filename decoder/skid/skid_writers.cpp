// SPDX-License-Identifier: Apache-2.0
#include "decoder/skid/skid.h"
#include "platform/profile/event_names.h"
#include "platform/profile/place_json.h"
#include "platform/profile/text_layout.h"

#include <algorithm>
#include <array>
#include <spdlog/fmt/fmt.h>

namespace pes {
namespace {

constexpr double kMedian = 0.5;
constexpr double kHigh = 0.95;

double share(std::uint64_t part, const EventSkid& skid) {
    return skid.located == 0 ? 0 : static_cast<double>(part) / static_cast<double>(skid.located);
}

std::string numbers_csv(const Histogram& skid) {
    return skid.empty() ? ",,,"
                        : fmt::format("{:.6f},{},{},{}", skid.mean(), skid.percentile(kMedian),
                                      skid.percentile(kHigh), skid.highest());
}

Json numbers_json(const Histogram& skid) {
    if (skid.empty()) {
        return nullptr;
    }
    Json bins = Json::array();
    for (const auto& [value, times] : skid.counts()) {
        bins.push_back({{"skid", value}, {"crossings", times}});
    }
    return {{"mean", skid.mean()},
            {"median", skid.percentile(kMedian)},
            {"percentile_95", skid.percentile(kHigh)},
            {"highest", skid.highest()},
            {"histogram", bins}};
}

Json event_json(const PmuProfile& pmu, const EventSkid& skid, bool has_samples) {
    Json event = {{"event", event_name(pmu, skid.event)},
                  {"selector", skid.event.selector},
                  {"crossings", skid.crossings()},
                  {"thresholds", skid.thresholds},
                  {"overflows", skid.overflows},
                  {"delivered", skid.delivered},
                  {"not_delivered", skid.crossings() - skid.delivered}};
    event["sampled"] = has_samples ? Json(skid.sampled) : Json(nullptr);
    event["lost"] = has_samples ? Json(skid.delivered - skid.sampled) : Json(nullptr);
    event["cause_unknown"] = skid.cause_unknown;
    event["instructions"] = numbers_json(skid.instructions);
    event["cycles"] = numbers_json(skid.cycles);
    event["located"] = skid.located;
    event["at_cause"] = skid.at_cause;
    event["wrong_line"] = skid.wrong_line;
    event["wrong_block"] = skid.wrong_block;
    event["wrong_function"] = skid.wrong_function;
    return event;
}

void write_numbers(std::ostream& out, const char* unit, const Histogram& skid) {
    if (skid.empty()) {
        out << fmt::format("  {:<12}  {:>10}  {:>8}  {:>8}  {:>8}\n", unit, "-", "-", "-", "-");
        return;
    }
    out << fmt::format("  {:<12}  {:>10.2f}  {:>8}  {:>8}  {:>8}\n", unit, skid.mean(),
                       skid.percentile(kMedian), skid.percentile(kHigh), skid.highest());
}

/// Bins of equal width up to the 95th percentile, and one for the rest.
void write_histogram(std::ostream& out, const char* unit, const Histogram& skid, TextStyle style) {
    constexpr std::int64_t kMostBins = 16;
    constexpr unsigned kBarCells = 24;
    if (skid.empty()) {
        return;
    }
    struct Bin {
        std::string values;
        std::uint64_t crossings = 0;
    };
    const std::int64_t lowest = skid.counts().begin()->first;
    const std::int64_t high = skid.percentile(kHigh);
    const std::int64_t width = (high - lowest) / kMostBins + 1;
    std::vector<Bin> bins(static_cast<std::size_t>((high - lowest) / width + 1));
    for (std::size_t i = 0; i < bins.size(); ++i) {
        const std::int64_t begin = lowest + static_cast<std::int64_t>(i) * width;
        bins[i].values = width == 1 ? fmt::format("{}", begin)
                                    : fmt::format("{} to {}", begin, begin + width - 1);
    }
    const std::int64_t end = lowest + static_cast<std::int64_t>(bins.size()) * width;
    if (skid.highest() >= end) {
        bins.push_back({fmt::format("{} and more", end)});
    }
    for (const auto& [value, times] : skid.counts()) {
        const auto bin = static_cast<std::size_t>((value - lowest) / width);
        bins[std::min(bin, bins.size() - 1)].crossings += times;
    }
    const std::uint64_t most = std::ranges::max(bins, {}, &Bin::crossings).crossings;
    out << fmt::format("  skid in {}:\n", unit);
    for (const Bin& bin : bins) {
        const double part = static_cast<double>(bin.crossings) / static_cast<double>(skid.count());
        out << fmt::format(
            "  {:>16}  {:>9}  {:>5.1f} %  {}\n", bin.values, bin.crossings, 100 * part,
            bar(static_cast<double>(bin.crossings) / static_cast<double>(most), kBarCells, style));
    }
}

void write_event(std::ostream& out, const SkidReport& report, const EventSkid& skid,
                 TextStyle style) {
    const PmuProfile& pmu = *report.pmu;
    out << '\n'
        << heading(fmt::format("{} ({}): {} crossings, {} delivered, {} not delivered",
                               event_name(pmu, skid.event), event_title(pmu, skid.event),
                               skid.crossings(), skid.delivered, skid.crossings() - skid.delivered),
                   style)
        << '\n';
    if (report.has_samples()) {
        out << fmt::format("  {} with a sample, {} lost\n", skid.sampled,
                           skid.delivered - skid.sampled);
    }
    if (skid.measured == 0) {
        return;
    }
    if (skid.cause_unknown != 0) {
        out << fmt::format("  {} of {} without a known cause\n", skid.cause_unknown, skid.measured);
    }
    out << fmt::format("  {:<12}  {:>10}  {:>8}  {:>8}  {:>8}\n", "skid", "mean", "median", "95 %",
                       "highest");
    write_numbers(out, "instructions", skid.instructions);
    write_numbers(out, "cycles", skid.cycles);
    out << fmt::format("  in the causal instruction {:.1f} %, wrong line {:.1f} %, wrong block "
                       "{:.1f} %, wrong function {:.1f} % of {}\n",
                       100 * share(skid.at_cause, skid), 100 * share(skid.wrong_line, skid),
                       100 * share(skid.wrong_block, skid), 100 * share(skid.wrong_function, skid),
                       skid.located);
    write_histogram(out, "instructions", skid.instructions, style);
    write_histogram(out, "cycles", skid.cycles, style);
}

} // namespace

void write_csv(std::ostream& out, const SkidReport& report, RowLimit /*limit*/) {
    out << "event,crossings,thresholds,overflows,delivered,sampled,cause_unknown,"
           "instructions_mean,instructions_median,instructions_95,instructions_highest,"
           "cycles_mean,cycles_median,cycles_95,cycles_highest,"
           "located,at_cause,wrong_line,wrong_block,wrong_function\n";
    for (const EventSkid& skid : report.events) {
        out << fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", event_name(*report.pmu, skid.event),
            skid.crossings(), skid.thresholds, skid.overflows, skid.delivered,
            report.has_samples() ? std::to_string(skid.sampled) : "", skid.cause_unknown,
            numbers_csv(skid.instructions), numbers_csv(skid.cycles), skid.located, skid.at_cause,
            skid.wrong_line, skid.wrong_block, skid.wrong_function);
    }
}

void write_json(std::ostream& out, const SkidReport& report, RowLimit /*limit*/) {
    Json events = Json::array();
    for (const EventSkid& skid : report.events) {
        events.push_back(event_json(*report.pmu, skid, report.has_samples()));
    }
    Json samples = nullptr;
    if (report.has_samples()) {
        samples = {{"input", report.samples_input},
                   {"samples", report.samples},
                   {"without_crossing", report.without_crossing}};
    }
    out << text_of(Json{{"input", report.input}, {"samples", samples}, {"events", events}});
}

void write_text(std::ostream& out, const SkidReport& report, RowLimit /*limit*/, TextStyle style) {
    std::uint64_t crossings = 0;
    for (const EventSkid& skid : report.events) {
        crossings += skid.crossings();
    }
    out << heading(fmt::format("{}: {} crossings", printable(report.input), crossings), style)
        << '\n';
    if (report.has_samples()) {
        out << fmt::format("  {}: {} samples, {} without a crossing\n",
                           printable(report.samples_input), report.samples,
                           report.without_crossing);
    }
    for (const EventSkid& skid : report.events) {
        write_event(out, report, skid, style);
    }
}

} // namespace pes
