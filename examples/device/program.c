// SPDX-License-Identifier: Apache-2.0
// Waits for an interrupt of the test timer and handles it by polling the PLIC.
#include "examples/device/map.h"
#include "examples/runtime.h"

#define REGISTER32(address) (*(volatile uint32_t*)(address))
#define REGISTER64(address) (*(volatile uint64_t*)(address))

enum { kId = TEST_TIMER_SOURCE + 1, kMachineExternal = 1 << 11 };

static const uintptr_t kPlic = 0x0C000000;
static const uintptr_t kClaim = 0x0C200004;

int main(void) {
    REGISTER32(kPlic + 4 * kId) = 1;         // priority
    REGISTER32(kPlic + 0x2000) = 1u << kId;  // enabled in machine mode
    __asm__ volatile("csrs mie, %0" ::"r"(kMachineExternal));

    const uint64_t due = REGISTER64(TEST_TIMER_BASE + TEST_TIMER_COUNT) + 1000;
    REGISTER64(TEST_TIMER_BASE + TEST_TIMER_COMPARE) = due;
    REGISTER32(TEST_TIMER_BASE + TEST_TIMER_CONTROL) = 1;
    __asm__ volatile("wfi"); // mstatus.MIE is 0: the interrupt wakes the hart and is not taken
    const uint64_t woken = REGISTER64(TEST_TIMER_BASE + TEST_TIMER_COUNT);
    const uint32_t id = REGISTER32(kClaim);

    REGISTER64(TEST_TIMER_BASE + TEST_TIMER_COMPARE) = ~(uint64_t)0; // the line falls
    REGISTER32(kClaim) = id;
    print("interrupt ");
    print_number(id);
    print(woken >= due && woken < due + 100 ? " in time\n" : " at a wrong time\n");
    return id == kId && REGISTER32(kClaim) == 0 ? 0 : 1;
}
