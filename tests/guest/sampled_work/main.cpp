// SPDX-License-Identifier: Apache-2.0
// Work that raises every kind of event (misses, mispredicted branches, stalls), sampled by one
// counter (SAMPLED_COUNTER, SAMPLED_EVENT, SAMPLED_PERIOD) in the modes SAMPLED_MODES, with a
// buffer that is emptied while it goes on. Sampling stops in the middle of it: a sample may fall
// into the call. For the waveform scenarios.
#include "firmware/apps/runtime/user.h"

namespace {

using namespace pes;

constexpr size_t kBuffer = 256; // four records
constexpr unsigned kRounds = 600;
constexpr unsigned kWords = 16 * 1024; // more than L1D holds

volatile uint64_t words[kWords];

uint64_t work() {
    uint64_t state = 1;
    double sum = 0.5;
    for (unsigned i = 0; i < kRounds; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const uint64_t next = words[state >> 40 & (kWords - 1)]; // the second load waits for it
        words[state >> 50] = words[next & (kWords - 1)] + state;
        if ((state >> 33 & 1) != 0) {
            sum = sum * 0.5 + 1.0;
        }
    }
    return state + static_cast<uint64_t>(sum);
}

} // namespace

int main() {
    void* const buffer = user::map_memory(kBuffer);
    user::sampling(sbi::sampling::kModes, SAMPLED_MODES);
    const bool started = buffer != nullptr &&
                         user::sampling(sbi::sampling::kSetBuffer,
                                        reinterpret_cast<uint64_t>(buffer), kBuffer) == 0 &&
                         user::sampling(sbi::sampling::kEnable, SAMPLED_COUNTER, SAMPLED_EVENT,
                                        SAMPLED_PERIOD) == 0 &&
                         user::sampling(sbi::sampling::kStart) == 0;
    if (!started) {
        return 1;
    }
    words[0] = work();
    user::sampling(sbi::sampling::kStop);
    user::print_line(user::sampling(sbi::sampling::kStatus, sbi::sampling::kSamples) != 0
                         ? "sampled"
                         : "no samples");
    return 0;
}
