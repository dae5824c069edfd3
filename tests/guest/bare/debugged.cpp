// SPDX-License-Identifier: Apache-2.0
// Something for a debugger to look at: functions that call one another, variables that change in a
// known order, on HARTS harts. The exit code is 7.
#include "tests/guest/bare/debugged.h"

#include "firmware/apps/bare/harts.h"

namespace {

pes::Barrier barrier;

} // namespace

extern "C" {

uint64_t total;
uint64_t turns[PES_MAX_HARTS];
uint32_t never_read = 0x12345678;

uint64_t triple(uint64_t value) {
    return 3 * value + 1;
}

uint64_t add_triple(uint64_t value) {
    const uint64_t more = triple(value);
    total += more;
    return more;
}

void take_turn(uint64_t hart) {
    turns[hart] += hart + 1;
}

void never_called() {
    total = 0;
}

int main(uint64_t hart) {
    barrier.meet();
    for (uint64_t round = 0; round < kRounds; ++round) {
        take_turn(hart);
        asm volatile("" ::: "memory");
    }
    barrier.meet();
    if (hart != 0) {
        return 0;
    }
    for (uint64_t round = 0; round < kRounds; ++round) {
        add_triple(round);
        asm volatile("" ::: "memory");
    }
    if (total == 0) {
        never_called();
    }
    return 7;
}
}
