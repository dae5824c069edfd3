// SPDX-License-Identifier: Apache-2.0
#include "tb/lab/judge.h"

#include "platform/host/input_file.h"
#include "platform/profile/profile_error.h"
#include "platform/program/elf_code.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace pes::lab {
namespace {

constexpr double kBoundPart = 0.95;

std::uint64_t sum(const AddressTallies& exact) {
    std::uint64_t sum = 0;
    for (const auto& [pc, tally] : exact) {
        sum += tally.samples;
    }
    return sum;
}

} // namespace

std::uint64_t effective_samples(std::span<const SampleRecord> samples) {
    double weights = 0;
    double squares = 0;
    for (const SampleRecord& sample : samples) {
        const auto weight = static_cast<double>(sample.threshold);
        weights += weight;
        squares += weight * weight;
    }
    return squares == 0 ? 0 : static_cast<std::uint64_t>(std::llround(weights * weights / squares));
}

Judge::Judge(const std::vector<std::string>& programs, const PmuProfile& pmu,
             std::filesystem::path truth)
    : programs_(programs), pmu_(pmu), truth_file_(std::move(truth)),
      symbolizer_(parse_program_files(programs)) {}

const Truth& Judge::truth(const EventId& event) {
    const auto found = truths_.find(event);
    if (found != truths_.end()) {
        return found->second;
    }
    InputFile input(truth_file_.string());
    Truth truth = read_truth(input.stream(), truth_file_.string(), measure_of(pmu_, event));
    input.require_read();
    return truths_.emplace(event, std::move(truth)).first->second;
}

std::uint64_t Judge::total(const EventId& event) {
    return sum(truth(event).exact);
}

std::uint64_t Judge::half_words() {
    trace::ProgramImage image;
    for (const std::string& program : programs_) {
        trace::add_program_code(image, program);
    }
    std::uint64_t sum = 0;
    for (const auto& [pc, tally] : truth({CounterKind::Instret, 0}).exact) {
        const trace::CodeSegment* segment = image.find(pc);
        sum += tally.samples * (segment != nullptr ? segment->run(pc).length / 2U : 2U);
    }
    return sum;
}

Judge::Rows& Judge::rows(const EventId& event, GroupBy by) {
    const auto [place, is_new] =
        rows_.try_emplace({event, by}, Rows{RowFinder(symbolizer_, by), {}});
    Rows& rows = place->second;
    if (is_new) {
        for (const auto& [pc, tally] : truth(event).exact) {
            const std::size_t row = rows.finder.row_of(pc);
            rows.exact.resize(rows.finder.places().size());
            rows.exact[row] += tally.samples;
        }
    }
    return rows;
}

Judge::Chance Judge::chance(const EventId& event, GroupBy by, std::uint64_t samples) {
    const auto [place, is_new] = chances_.try_emplace({event, by, samples});
    if (is_new) {
        const PerfectSampler perfect(rows(event, by).exact, samples);
        place->second = {perfect.expected_error(), perfect.error_bound(kBoundPart)};
    }
    return place->second;
}

double Judge::error(Rows& rows, std::span<const SampleRecord> samples) {
    std::vector<double> sampled;
    double weights = 0;
    for (const SampleRecord& sample : samples) {
        const std::size_t row = rows.finder.row_of(sample.pc);
        sampled.resize(rows.finder.places().size());
        sampled[row] += static_cast<double>(sample.threshold);
        weights += static_cast<double>(sample.threshold);
    }
    const auto all = static_cast<double>(
        std::accumulate(rows.exact.begin(), rows.exact.end(), std::uint64_t{0}));
    double shared = 0;
    for (std::size_t row = 0; row < std::min(sampled.size(), rows.exact.size()); ++row) {
        shared += std::min(sampled[row] / weights, static_cast<double>(rows.exact[row]) / all);
    }
    return std::max(0.0, 1 - shared);
}

std::map<GroupBy, ErrorFigures> Judge::errors(const EventId& event,
                                              std::span<const SampleRecord> samples) {
    std::map<GroupBy, ErrorFigures> errors;
    const std::uint64_t effective = effective_samples(samples);
    if (effective == 0 || total(event) == 0) {
        return errors;
    }
    for (const GroupBy by : kGroupings) {
        const auto [statistical, bound] = chance(event, by, effective);
        const double profile = error(rows(event, by), samples);
        errors[by] = {.profile = profile,
                      .statistical = statistical,
                      .bound = bound,
                      .systematic = std::max(0.0, profile - statistical)};
    }
    return errors;
}

} // namespace pes::lab
