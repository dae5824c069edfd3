// SPDX-License-Identifier: Apache-2.0
// Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood, OOPSLA 2014).
#pragma once

#include <cstdint>

namespace pes {

class RandomNumbers {
  public:
    explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9E37'79B9'7F4A'7C15;
        z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
        z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
        return z ^ z >> 31;
    }
    /// 0 .. bound - 1, with a bias below bound / 2^64.
    std::uint64_t below(std::uint64_t bound) { return next() % bound; }
    /// Of a checkpoint (hw/common/archive.h).
    template <typename Archive>
    void state(Archive& archive) {
        archive(state_);
    }

  private:
    std::uint64_t state_;
};

} // namespace pes
