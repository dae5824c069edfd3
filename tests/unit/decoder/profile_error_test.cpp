// SPDX-License-Identifier: Apache-2.0
#include "platform/profile/profile_error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <numeric>
#include <random>

namespace pes {
namespace {

using Counts = std::vector<std::uint64_t>;

TEST(MeanAbsoluteDeviation, OfSmallBinomialsIsWhatTheirTablesGive) {
    EXPECT_NEAR(mean_absolute_deviation(1, 0.5), 0.5, 1e-12);
    EXPECT_NEAR(mean_absolute_deviation(2, 0.5), 0.5, 1e-12);    // |-1|, 0, |1| at 1/4, 1/2, 1/4
    EXPECT_NEAR(mean_absolute_deviation(1, 0.25), 0.375, 1e-12); // 3/4 1/4 + 1/4 3/4
    EXPECT_NEAR(mean_absolute_deviation(3, 0.5), 0.75, 1e-12);   // 1.5/4 + 0.5 3/4
    EXPECT_NEAR(mean_absolute_deviation(4, 0.25), 0.6328125, 1e-12); // 2 81/256
    EXPECT_EQ(mean_absolute_deviation(10, 0), 0);
    EXPECT_EQ(mean_absolute_deviation(10, 1), 0);
}

TEST(MeanAbsoluteDeviation, OfManyTrialsIsThatOfTheNormalDistribution) {
    const double n = 1e8;
    const double p = 0.3;
    const double normal = std::sqrt(2 / std::acos(-1.0) * n * p * (1 - p));
    EXPECT_NEAR(mean_absolute_deviation(100'000'000, p) / normal, 1, 1e-6);
}

TEST(ProfileError, IsThePartOfTheSamplesInWrongRows) {
    EXPECT_NEAR(profile_error({50, 50}, {9, 1}, 10).error, 0.4, 1e-12);
    EXPECT_NEAR(profile_error({1, 0}, {0, 7}, 7).error, 1, 1e-12);
    EXPECT_NEAR(profile_error({2, 1, 1}, {200, 100, 100}, 400).error, 0, 1e-12);
}

TEST(ProfileError, BiasIsWhatExceedsTheStatisticalError) {
    const ProfileError much = profile_error({500, 500}, {900, 100}, 1000);
    EXPECT_NEAR(much.statistical, 0.5 * std::sqrt(2 / std::acos(-1.0) / 1000), 1e-5);
    EXPECT_NEAR(much.systematic(), 0.4 - much.statistical, 1e-12);
    EXPECT_TRUE(much.beyond_chance());
    const ProfileError little = profile_error({500, 500}, {501, 499}, 1000);
    EXPECT_EQ(little.systematic(), 0);
    EXPECT_FALSE(little.beyond_chance());
}

TEST(ProfileError, OneRowHasNone) {
    const ProfileError error = profile_error({5}, {3}, 3);
    EXPECT_EQ(error.error, 0);
    EXPECT_EQ(error.statistical, 0);
    EXPECT_EQ(error.statistical_95, 0);
}

double error_of(const Counts& exact, const Counts& samples) {
    const double exact_in_all = std::accumulate(exact.begin(), exact.end(), 0.0);
    const double samples_in_all = std::accumulate(samples.begin(), samples.end(), 0.0);
    double overlap = 0;
    for (std::size_t row = 0; row < exact.size(); ++row) {
        overlap += std::min(static_cast<double>(exact[row]) / exact_in_all,
                            static_cast<double>(samples[row]) / samples_in_all);
    }
    return 1 - overlap;
}

/// The second model: every profile of `samples` samples with its probability.
class AllProfiles {
  public:
    AllProfiles(Counts exact, std::uint64_t samples)
        : exact_(std::move(exact)), total_(std::accumulate(exact_.begin(), exact_.end(), 0.0)) {
        Counts profile;
        visit(profile, samples, std::tgamma(static_cast<double>(samples) + 1));
    }

    double mean() const {
        double sum = 0;
        for (const auto& [error, probability] : errors_) {
            sum += error * probability;
        }
        return sum;
    }
    /// Probability of an error up to this one.
    double up_to(double bound) const {
        double sum = 0;
        for (const auto& [error, probability] : errors_) {
            sum += error <= bound + 1e-9 ? probability : 0;
        }
        return sum;
    }
    double total() const { return up_to(1); }

  private:
    void visit(Counts& profile, std::uint64_t left, double weight) {
        if (profile.size() == exact_.size()) {
            if (left == 0) {
                errors_[error_of(exact_, profile)] += weight;
            }
            return;
        }
        const double share = static_cast<double>(exact_[profile.size()]) / total_;
        for (std::uint64_t count = 0; count <= left; ++count) {
            const auto times = static_cast<double>(count);
            profile.push_back(count);
            visit(profile, left - count, weight * std::pow(share, times) / std::tgamma(times + 1));
            profile.pop_back();
        }
    }

    Counts exact_;
    double total_;
    std::map<double, double> errors_;
};

TEST(PerfectSampler, AgreesWithTheEnumerationOfAllProfiles) {
    for (const Counts& exact : {Counts{1, 1}, Counts{9, 1}, Counts{5, 3, 2}, Counts{1, 1, 1, 1},
                                Counts{40, 30, 20, 9, 1}}) {
        for (const std::uint64_t samples : {1U, 2U, 5U, 10U, 20U}) {
            const AllProfiles all(exact, samples);
            ASSERT_NEAR(all.total(), 1, 1e-9);
            const PerfectSampler perfect(exact, samples);
            EXPECT_NEAR(perfect.expected_error(), all.mean(), 1e-9);
            // The bound is a value that errors take; simulation may miss it by a little.
            const double bound = perfect.error_bound(0.95);
            EXPECT_GE(all.up_to(bound), 0.93) << exact.size() << " rows, " << samples;
            EXPECT_LE(all.up_to(bound - 1e-6), 0.97) << exact.size() << " rows, " << samples;
        }
    }
}

TEST(PerfectSampler, EqualProfilesGiveEqualBounds) {
    const Counts exact{500, 300, 150, 40, 10};
    EXPECT_EQ(PerfectSampler(exact, 1000).error_bound(0.95),
              PerfectSampler(exact, 1000).error_bound(0.95));
    EXPECT_LT(PerfectSampler(exact, 1000).error_bound(0.5),
              PerfectSampler(exact, 1000).error_bound(0.95));
}

/// Sample by sample, from an inverted cumulative sum: shares nothing with the simulation.
Counts ideal_samples(const Counts& exact, std::uint64_t samples, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    Counts sums(exact.size());
    std::partial_sum(exact.begin(), exact.end(), sums.begin());
    Counts profile(exact.size());
    for (std::uint64_t i = 0; i < samples; ++i) {
        const std::uint64_t place = random() % sums.back();
        ++profile[static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), place) -
                                           sums.begin())];
    }
    return profile;
}

TEST(PerfectSampler, IdealSamplesAreBeyondTheirBoundInOneOfTwentyProfiles) {
    Counts zipf;
    for (std::uint64_t row = 1; row <= 300; ++row) {
        zipf.push_back(1'000'000 / row);
    }
    for (const Counts& exact : {Counts{500, 300, 150, 40, 10}, Counts{1, 1}, zipf}) {
        const double bound = PerfectSampler(exact, 1000).error_bound(0.95);
        int beyond = 0;
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            const ProfileError error{error_of(exact, ideal_samples(exact, 1000, seed)), 0, bound};
            beyond += error.beyond_chance() ? 1 : 0;
        }
        EXPECT_GE(beyond, 4) << exact.size() << " rows";
        EXPECT_LE(beyond, 18) << exact.size() << " rows";
    }
}

} // namespace
} // namespace pes
