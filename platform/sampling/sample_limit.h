// SPDX-License-Identifier: Apache-2.0
// A period that fits the length of a run, which nobody knows before it ends: samplers begin with a
// short one, and whenever there are too many samples, all of them double it and drop every second
// sample. A run then has between half of the most samples and all of them, unless it is very short.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace pes {

class RecordingTap;

class SampleLimit {
  public:
    /// With intervals that vary by this, sampling does not fall into step with a loop, although
    /// periods are multiples of each other.
    static constexpr unsigned kSpread = 10; ///< percent
    static constexpr std::uint64_t kShortest = 97;
    static constexpr std::size_t kMost = 10'000;

    void add(RecordingTap& tap);
    /// A sampler has one more.
    void recorded();

  private:
    std::vector<RecordingTap*> taps_;
    std::size_t count_ = 0;
};

} // namespace pes
