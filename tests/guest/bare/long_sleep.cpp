// SPDX-License-Identifier: Apache-2.0
// A long WFI, with code behind it that fills the scoreboard, and then work. One hart is woken by
// its timer; of several, hart 0 works while the others sleep, and wakes them.
#include "firmware/apps/bare/harts.h"

namespace pes {

namespace {

constexpr uint64_t kMachineTimer = uint64_t{1} << 7;
constexpr uint64_t kAwake = 4'000'000; ///< iterations of two instructions

Barrier barrier;

void sleep_until_pending() {
    asm volatile("wfi\n"
                 ".rept 32\n"
                 "nop\n"
                 ".endr" ::
                     : "memory");
}

void sleep_by_timer() {
    constexpr uint64_t kClint = PES_CLINT_BASE;
    const uint64_t now = read_device<uint64_t>(kClint + clint::kMtime);
    write_device<uint64_t>(kClint + clint::kMtimecmp, now + SLEEP_TICKS);
    set_csr<csr::kMie>(kMachineTimer);
    sleep_until_pending();
    expect(read_device<uint64_t>(kClint + clint::kMtime) >= now + SLEEP_TICKS, 1);
}

void sleep_for_ipi(uint64_t hart) {
    set_csr<csr::kMie>(kMachineSoftware);
    sleep_until_pending();
    write_device<uint32_t>(uint64_t{PES_CLINT_BASE} + clint::kMsip + 4 * hart, 0);
}

void work() {
    for (uint64_t left = kAwake; left != 0; --left) {
        asm volatile("" : "+r"(left));
    }
}

} // namespace

extern "C" int main(uint64_t hart) {
    if (kHarts == 1) {
        sleep_by_timer();
        work();
        return 0;
    }
    if (hart != 0) {
        sleep_for_ipi(hart);
    } else {
        work();
        for (uint64_t other = 1; other < kHarts; ++other) {
            send_ipi(other);
        }
    }
    barrier.meet();
    work();
    barrier.meet();
    return 0;
}

} // namespace pes
