// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/profile_error.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>

namespace pes {
namespace {

constexpr std::size_t kDraws = 1000;
constexpr std::size_t kFewestDraws = 200;
constexpr std::size_t kMostBinomials = 5'000'000; ///< of all draws: a second or so
constexpr std::uint64_t kSeed = 1;

double sum(const std::vector<std::uint64_t>& numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), 0.0, [](double total, auto number) {
        return total + static_cast<double>(number);
    });
}

/// The error of one profile of a perfect sampler: what rows have too much, others have too little.
/// `shares` fall: the draw ends when no sample is left.
double draw_error(const std::vector<double>& shares, std::uint64_t samples,
                  std::mt19937_64& random) {
    const auto all = static_cast<double>(samples);
    std::uint64_t left = samples;
    double share_left = 1;
    double too_many = 0;
    for (const double share : shares) {
        if (left == 0) {
            break;
        }
        const double chance = share < share_left ? share / share_left : 1;
        const std::uint64_t drawn =
            chance < 1 ? std::binomial_distribution<std::uint64_t>(left, chance)(random) : left;
        share_left -= share;
        left -= drawn;
        too_many += std::max(0.0, static_cast<double>(drawn) - all * share);
    }
    return too_many / all;
}

} // namespace

double mean_absolute_deviation(std::uint64_t n, double p) {
    const auto trials = static_cast<double>(n);
    const double next = std::floor(trials * p) + 1; // v + 1
    if (p <= 0 || p >= 1 || next > trials) {
        return 0;
    }
    const double choose =
        std::lgamma(trials + 1) - std::lgamma(next + 1) - std::lgamma(trials - next + 1);
    return 2 * next * std::exp(choose + next * std::log(p) + (trials - next + 1) * std::log1p(-p));
}

PerfectSampler::PerfectSampler(const std::vector<std::uint64_t>& exact, std::uint64_t samples)
    : samples_(samples) {
    const double total = sum(exact);
    for (const std::uint64_t row : exact) {
        if (row != 0) {
            shares_.push_back(static_cast<double>(row) / total);
        }
    }
    std::sort(shares_.begin(), shares_.end(), std::greater<>());
}

double PerfectSampler::expected_error() const {
    double deviations = 0;
    for (const double share : shares_) {
        deviations += mean_absolute_deviation(samples_, share);
    }
    return deviations / (2 * static_cast<double>(samples_));
}

double PerfectSampler::error_bound(double part) const {
    const std::size_t draws =
        std::clamp(kMostBinomials / std::max<std::size_t>(1, shares_.size()), kFewestDraws, kDraws);
    std::mt19937_64 random(kSeed);
    std::vector<double> errors;
    for (std::size_t i = 0; i < draws; ++i) {
        errors.push_back(draw_error(shares_, samples_, random));
    }
    const auto index = static_cast<std::size_t>(std::ceil(part * static_cast<double>(draws))) - 1;
    std::nth_element(errors.begin(), errors.begin() + static_cast<std::ptrdiff_t>(index),
                     errors.end());
    return errors[index];
}

ProfileError profile_error(const std::vector<std::uint64_t>& exact,
                           const std::vector<std::uint64_t>& sampled, std::uint64_t samples) {
    const double exact_in_all = sum(exact);
    const double sampled_in_all = sum(sampled);
    double distance = 0;
    for (std::size_t row = 0; row < exact.size(); ++row) {
        distance += std::abs(static_cast<double>(sampled[row]) / sampled_in_all -
                             static_cast<double>(exact[row]) / exact_in_all);
    }
    const PerfectSampler perfect(exact, samples);
    return {distance / 2, perfect.expected_error(), perfect.error_bound(0.95)};
}

} // namespace pes
