// SPDX-License-Identifier: Apache-2.0
// The generator's own random numbers. The standard distributions may differ between libraries; a
// seed must name the same program everywhere.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pes::differential {

/// splitmix64: a 64-bit counter through a mixing function (Steele, Lea, Flood 2014).
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9E37'79B9'7F4A'7C15;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xBF58'476D'1CE4'E5B9;
        z = (z ^ (z >> 27)) * 0x94D0'49BB'1331'11EB;
        return z ^ (z >> 31);
    }
    /// 0 <= result < bound. The bias of the remainder is below 2^-50 for the bounds used here.
    std::uint64_t below(std::uint64_t bound) { return bits() % bound; }
    /// low <= result <= high
    std::int64_t between(std::int64_t low, std::int64_t high) {
        return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
    }
    bool one_in(std::uint64_t n) { return below(n) == 0; }

    template <typename T>
    const T& pick(std::span<const T> items) {
        return items[below(items.size())];
    }
    template <typename T, std::size_t N>
    const T& pick(const std::array<T, N>& items) {
        return items[below(N)];
    }
    template <typename T, std::size_t N>
    const T& pick(const T (&items)[N]) {
        return items[below(N)];
    }

  private:
    std::uint64_t state_;
};

} // namespace pes::differential
