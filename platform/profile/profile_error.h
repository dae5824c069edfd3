// SPDX-License-Identifier: Apache-2.0
// How far a sampled profile is from the exact one, and how much of that is chance.
//
// The profile error (B. Gottschall, L. Eeckhout, M. Jahre: "TIP: Time-Proportional Instruction
// Profiling", MICRO 2021) is the part of the samples that is given to other rows than the exact
// profile gives it to. With exact shares p_i and sampled shares s_i of the rows i
//
//     error = 1 - sum_i min(p_i, s_i) = 1/2 sum_i |s_i - p_i|
//
// A perfect sampler makes an error too: its n samples are n independent draws from the exact
// profile, so X_i samples of row i are binomial (n, p_i). The expected error is exact, from the
// binomial's mean absolute deviation (A. de Moivre; P. Diaconis, S. Zabell: "Closed form summation
// for classical distributions", Statistical Science 6, 1991), with v = floor(n p):
//
//     E|X - n p| = 2 (v + 1) C(n, v + 1) p^(v + 1) (1 - p)^(n - v)
//     statistical error = 1 / (2 n) sum_i E|X_i - n p_i|
//
// The 95th percentile of the perfect sampler's error has no closed form. With few rows its
// distribution is skewed, so that no normal approximation holds, and bounds that hold for every
// distribution (McDiarmid) are several times too wide. It is therefore simulated: 1000 multinomial
// draws, each row a binomial of what the rows before it left over. That puts the bound between the
// 93.5th and the 96.5th percentile. The generator has a fixed seed: equal profiles give equal
// numbers.
//
// The systematic error (bias) is what exceeds the statistical error. It is certain only beyond the
// 95th percentile. A sampler with a fixed period may do better than independent draws.
#pragma once

#include <cstdint>
#include <vector>

namespace pes {

/// The error of a perfect sampler.
class PerfectSampler {
  public:
    /// `exact`: of each row, in any unit. `samples` and the sum of `exact` are not 0.
    PerfectSampler(const std::vector<std::uint64_t>& exact, std::uint64_t samples);

    double expected_error() const;
    /// That this part of its profiles does not exceed.
    double error_bound(double part) const;

  private:
    std::vector<double> shares_; ///< falling
    std::uint64_t samples_;
};

struct ProfileError {
    static constexpr double kRounding = 1e-9; ///< of sums of shares

    double error = 0;
    double statistical = 0;
    double statistical_95 = 0; ///< 95th percentile

    double systematic() const { return error > statistical ? error - statistical : 0; }
    /// Chance alone makes such an error in less than one of 20 profiles.
    bool beyond_chance() const { return error > statistical_95 + kRounding; }
};

/// Of rows in the same order: what the exact profile has, and what `samples` samples give to each,
/// in any unit. Neither sum is 0. The statistical part is that of samples that weigh the same.
ProfileError profile_error(const std::vector<std::uint64_t>& exact,
                           const std::vector<std::uint64_t>& sampled, std::uint64_t samples);

/// E|X - n p| of a binomial X of n trials with probability p.
double mean_absolute_deviation(std::uint64_t n, double p);

} // namespace pes
