// SPDX-License-Identifier: Apache-2.0
// Asks the platform for a checkpoint in the middle of its work. It sees no difference between a run
// that takes one, one that does not, and one that goes on from it.
#include "firmware/lib/host_call.h"
#include "hw/interface/maps/host_platform.h"

/// Where --checkpoint-at finds it by name.
extern "C" __attribute__((noinline)) uint64_t work(uint64_t seed) {
    for (unsigned round = 0; round < 500; ++round) {
        seed = seed * 6364136223846793005U + (seed >> 33);
        asm volatile("" : "+r"(seed));
    }
    return seed;
}

int main() {
    const uint64_t before = work(1);
    int64_t result = -1;
    const bool answered = pes::host_call::call(pes::host_platform::kCheckpointCall, {},
                                               pes::host_call::kForEver, result);
    const uint64_t behind = work(before);
    return answered && result == 0 && behind != before ? 5 : 1;
}
