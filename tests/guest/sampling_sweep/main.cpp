// SPDX-License-Identifier: Apache-2.0
// Samples a short piece of work by every counter, with thresholds, events and buffers that leave
// the program next to no time of its own. Each combination has to come to its end with the right
// result, and to have sampled what there was to sample. One line a counter and event; exit code 1
// if something is wrong.
#include "firmware/apps/runtime/user.h"
#include "hw/interface/maps/sample_record.h"
#include "hw/interface/pmu/counter_csr.h"

namespace {

using namespace pes;

constexpr uint64_t kThresholds[] = {1, 5, 25, 100, 1000};
constexpr size_t kBuffers[] = {64, 1024};
constexpr uint64_t kLargestBuffer = 1024;
constexpr uint64_t kEvents = 24; ///< selectors of the profile cva6
constexpr uint64_t kIntegers = 20;
constexpr unsigned kRounds = 300;
constexpr unsigned kWords = 64;

volatile uint64_t words[kWords];

/// Loads, stores, arithmetic, branches that are hard to predict, calls, floating point.
__attribute__((noinline)) uint64_t mix(uint64_t state) {
    return state * 6364136223846793005U + 1442695040888963407U;
}

uint64_t work() {
    uint64_t state = 1;
    double sum = 0.5;
    for (unsigned i = 0; i < kRounds; ++i) {
        state = mix(state);
        words[state >> 58] = words[i % kWords] + state;
        if ((state >> 33 & 1) != 0) {
            sum = sum * 0.5 + 1.0;
        }
    }
    return state + static_cast<uint64_t>(sum * 1024.0);
}

struct Totals {
    uint64_t samples = 0;
    uint64_t lost = 0;
    uint64_t throttled = 0;
    uint64_t wrong = 0; ///< combinations
};

uint64_t status(sbi::sampling::StatusItem item) {
    return static_cast<uint64_t>(user::sampling(sbi::sampling::kStatus, item));
}

class Sweep {
  public:
    Sweep(void* buffer, uint64_t expected) : buffer_(buffer), expected_(expected) {}

    /// All thresholds and buffers for one event of one counter; false if the counter has it not.
    bool run(uint64_t counter, uint64_t event) {
        Totals totals;
        for (const size_t size : kBuffers) {
            for (const uint64_t threshold : kThresholds) {
                if (!sample(counter, event, threshold, size, totals)) {
                    return false;
                }
            }
        }
        user::print_line("counter ", counter, " event ", event, ": ", totals.samples, " samples, ",
                         totals.lost, " lost, ", totals.throttled, " throttled, ", totals.wrong,
                         " wrong");
        wrong_ += totals.wrong;
        return true;
    }

    uint64_t wrong() const { return wrong_; }

  private:
    bool sample(uint64_t counter, uint64_t event, uint64_t threshold, size_t size, Totals& totals) {
        user::sampling(sbi::sampling::kSetBuffer, reinterpret_cast<uint64_t>(buffer_), size);
        if (user::sampling(sbi::sampling::kEnable, counter, event, threshold) != 0) {
            return false;
        }
        const bool started = user::sampling(sbi::sampling::kStart) == 0;
        const bool right = work() == expected_;
        const bool stopped = user::sampling(sbi::sampling::kStop) == 0;
        const bool disabled = user::sampling(sbi::sampling::kDisable, counter) == 0;
        const uint64_t samples = status(sbi::sampling::kSamples);
        const bool enough = samples != 0 || !is_plentiful(counter, event);
        totals.samples += samples;
        totals.lost += status(sbi::sampling::kLost);
        totals.throttled += status(sbi::sampling::kThrottled);
        totals.wrong +=
            started && right && stopped && disabled && enough && modes_are_right() ? 0 : 1;
        return true;
    }

    /// There are more than the largest threshold.
    static bool is_plentiful(uint64_t counter, uint64_t event) {
        return counter < kFirstProgrammable || event == kIntegers;
    }

    /// What is left in the buffer: records of the program, and of nobody else.
    bool modes_are_right() const {
        const auto* record = static_cast<const SampleRecord*>(buffer_);
        const uint64_t bytes = status(sbi::sampling::kBytes);
        for (uint64_t i = 0; i < bytes / kSampleSize; ++i) {
            if (record[i].magic != kSampleMagic || record[i].privilege != 0) {
                return false;
            }
        }
        return true;
    }

    void* buffer_;
    uint64_t expected_;
    uint64_t wrong_ = 0;
};

} // namespace

int main() {
    void* const buffer = user::map_memory(kLargestBuffer);
    if (buffer == nullptr) {
        return 1;
    }
    const int64_t counters = user::sampling(sbi::sampling::kCounters);
    if (counters < 0) {
        user::print_line("sampling_sweep: no sampling unit");
        return 2;
    }
    Sweep sweep(buffer, work());
    bool complete = sweep.run(kCycleIndex, 0) && sweep.run(kInstretIndex, 0);
    for (uint64_t event = 1; event <= kEvents; ++event) {
        // The last two are there with overflow interrupts only.
        complete = (sweep.run(kFirstProgrammable, event) || event > 22) && complete;
    }
    for (uint64_t counter = kFirstProgrammable; counter < kCounterLimit; ++counter) {
        if ((static_cast<uint64_t>(counters) >> counter & 1) != 0) {
            complete = sweep.run(counter, kIntegers) && complete;
        }
    }
    user::print_line("sampling_sweep: ", complete ? "complete, " : "incomplete, ", sweep.wrong(),
                     " wrong");
    return complete && sweep.wrong() == 0 ? 0 : 1;
}
