// SPDX-License-Identifier: Apache-2.0
// Keeps sampling from taking all of the hart's time. However small a threshold is, the program must
// go on: between two samples it has to retire kDistance instructions, not each time but on average.
//
// The measure is a credit in instructions. What the program retires between the end of one sampling
// interrupt and the begin of the next is added, each sample takes kDistance away. A short burst of
// samples is as close as its thresholds ask for. When the credit is used up, the sampler lengthens
// the period of what has fired, until there is enough of it again.
//
// The counters that measure may be sampled themselves and stand still in the firmware then, or
// count its first and last instructions, fewer than 60. If somebody has stopped both, `mtime`
// measures.
#pragma once

#include <stdint.h>

namespace pes {

class Throttle {
  public:
    /// Sampling begins.
    void reset();

    /// What is between the program and the firmware, on either side of a stretch of the program.
    enum class Way : uint8_t {
        Interrupt, ///< nothing
        Call,      ///< the supervisor, which empties the buffer
    };

    /// The program goes on. `sampled`: the counters that count again only then.
    void leave(uint32_t sampled, Way way);

    /// The program is interrupted, for a sample or for good. Without a leave() since the last one
    /// it does nothing.
    void enter(Way way);

    /// A sample is taken. The period, as `present` and as the caller wanted it, from here on.
    /// `longest`: what the counter can hold.
    uint64_t next_period(uint64_t present, uint64_t wanted, uint64_t longest);

  private:
    static constexpr int64_t kDistance = 256; ///< instructions a sample, on average
    static constexpr int64_t kBurst = 64;     ///< samples that may be closer, at most
    static constexpr int64_t kMost = kDistance * kBurst;
    /// Instructions of the supervisor on its way, at most: they are no progress.
    static constexpr uint64_t kWay = 1024;
    /// Cycles that are worth an instruction: a program that waits all the time goes on too.
    static constexpr uint64_t kSlow = 8;

    int64_t credit_ = kMost;
    bool away_ = false;  ///< the program has the hart
    bool timed_ = false; ///< by mtime
    Way way_ = Way::Interrupt;
    uint64_t instret_ = 0;
    uint64_t cycle_ = 0;
    uint64_t time_ = 0;
};

} // namespace pes
