// SPDX-License-Identifier: Apache-2.0
// Random operands with a bias towards where rounding goes wrong: special values, neighbours of
// powers of two, long runs of equal bits, exponents close to those of the previous operand.
#pragma once

#include "hw/core/arch/float/format.h"

#include <algorithm>
#include <array>
#include <random>

namespace pes::fp::test {

template <FloatBits Bits>
inline constexpr std::array kSpecials = {
    Bits{0},                                                        // zero
    Bits{1},                                                        // smallest subnormal
    Format<Bits>::kFraction,                                        // largest subnormal
    Bits{Format<Bits>::kFraction + 1},                              // smallest normal
    Bits{Format<Bits>::kFraction + 2},                              // its successor
    Bits{Bits{Format<Bits>::kBias} << Format<Bits>::kFractionBits}, // 1
    Bits{(Bits{Format<Bits>::kBias} << Format<Bits>::kFractionBits) + 1},
    Bits{(Bits{Format<Bits>::kBias} << Format<Bits>::kFractionBits) - 1},
    Bits{Bits{Format<Bits>::kBias + 1} << Format<Bits>::kFractionBits}, // 2
    Bits{Bits{Format<Bits>::kBias - 1} << Format<Bits>::kFractionBits}, // 0.5
    Bits{Format<Bits>::kInfinity - 1},                                  // largest finite
    Format<Bits>::kInfinity,
    Bits{Format<Bits>::kInfinity + 1}, // signaling NaN
    Format<Bits>::kCanonicalNan,
    Bits{Format<Bits>::kCanonicalNan + 1}, // quiet NaN with a payload
};

template <FloatBits Bits>
class OperandSource {
  public:
    explicit OperandSource(std::uint64_t seed) : random_(seed) {}

    Bits next() {
        const Bits sign = below(2) != 0 ? Format<Bits>::kSign : Bits{0};
        if (below(10) == 0) {
            return sign | kSpecials<Bits>[below(kSpecials<Bits>.size())];
        }
        last_exponent_ = exponent();
        return sign | static_cast<Bits>(Bits(last_exponent_) << Format<Bits>::kFractionBits) |
               fraction();
    }

    /// Any of the 64-bit patterns, with small numbers and runs of ones as likely as large ones.
    std::uint64_t next_integer() {
        const std::uint64_t value = random_() >> below(64);
        switch (below(4)) {
        case 0:
            return value;
        case 1:
            return 0 - value;
        case 2:
            return (std::uint64_t{1} << below(64)) + below(5) - 2;
        default:
            return (std::uint64_t{1} << below(64)) + (std::uint64_t{1} << below(64)) + below(3) - 1;
        }
    }

  private:
    std::uint32_t below(std::size_t limit) { return static_cast<std::uint32_t>(random_() % limit); }

    std::uint32_t exponent() {
        constexpr std::uint32_t kLast = Format<Bits>::kMaxBiased - 1;
        constexpr std::uint32_t kBias = Format<Bits>::kBias;
        switch (below(6)) {
        case 0: // anywhere
            return below(kLast + 1);
        case 1: // subnormal or nearly
            return below(4);
        case 2: // nearly infinite
            return kLast - below(4);
        case 3: // near the previous one, so that sums cancel
            return std::min(kLast, last_exponent_ + below(3));
        case 4: // roots of the limits, so that products reach them
            return (below(2) != 0 ? kBias / 2 : kBias + kBias / 2) - 2 +
                   below(Format<Bits>::kFractionBits / 4);
        default: // integers and fractions of everyday size
            return kBias - 8 + below(72);
        }
    }

    Bits fraction() {
        const auto bits = static_cast<Bits>(random_());
        const auto run = static_cast<Bits>(Bits{1} << below(Format<Bits>::kFractionBits));
        switch (below(5)) {
        case 0: // few significant bits, so that results are exact or ties
            return static_cast<Bits>(bits << below(sizeof(Bits) * 8)) & Format<Bits>::kFraction;
        case 1:
            return run - 1;
        case 2:
            return Format<Bits>::kFraction & static_cast<Bits>(~(run - 1));
        case 3:
            return run ^ static_cast<Bits>(below(2));
        default:
            return bits & Format<Bits>::kFraction;
        }
    }

    std::mt19937_64 random_;
    std::uint32_t last_exponent_ = Format<Bits>::kBias;
};

} // namespace pes::fp::test
