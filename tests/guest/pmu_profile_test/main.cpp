// SPDX-License-Identifier: Apache-2.0
// What a PMU profile lets a supervisor count, under any SBI firmware: the shape of counter 3, and
// its count of one known loop for events of several profiles. It judges nothing; tests/e2e knows
// what each profile has.
#include "firmware/boot/csr.h"
#include "tests/guest/sbi_pmu_test/transcript.h"

namespace {

using namespace pes;
using namespace pes::pmu_test;

constexpr uint64_t kTurns = 1000;
alignas(8) uint64_t word;

/// What hpmcounter3 counts over turns of one integer load, one addition and one conditional branch.
uint64_t count_loop() {
    uint64_t turns = kTurns;
    uint64_t first;
    uint64_t last;
    asm volatile("csrr %1, hpmcounter3\n"
                 "1: ld t0, 0(%3)\n"
                 "addi %0, %0, -1\n"
                 "bnez %0, 1b\n"
                 "csrr %2, hpmcounter3"
                 : "+r"(turns), "=&r"(first), "=&r"(last)
                 : "r"(&word)
                 : "t0", "memory");
    return last - first;
}

void show_count(uint64_t event, uint64_t data) {
    print(put_byte, "event ", Hex{event}, " data ", Hex{data}, ": ");
    if (configure(3, 1, 0, event, data).error != sbi::kSuccess) {
        print(put_byte, "not supported\n");
        return;
    }
    start(3, 1, sbi::pmu::kStartSetInitValue, 0);
    print(put_byte, count_loop(), "\n");
    stop(3, 1, sbi::pmu::kStopReset);
}

} // namespace

extern "C" [[noreturn]] void run_tests() {
    constexpr uint64_t kCsrBits = 0xFFF;
    find_machine();
    const uint64_t info = counter_info(3).value;
    print(put_byte, "== begin\nprogrammable counters: ",
          machine.first_firmware > 3 ? machine.first_firmware - 3 : 0, "\n");
    if (machine.first_firmware > 3) {
        print(put_byte, "counter 3: CSR ", Hex{info & kCsrBits}, ", ",
              (info >> sbi::pmu::kInfoWidthShift & 0x3F) + 1, " bits\n");
    }
    constexpr uint64_t kEvents[] = {0x00005, 0x10000, 0x10002}; // branches, L1D reads, L1D writes
    for (const uint64_t event : kEvents) {
        show_count(event, 0);
    }
    // Loads and branches of cva6, of u74 (alone and several), of the example file; then what the
    // loop has none of, and what no profile has.
    constexpr uint64_t kSelectors[] = {0x5,   0x9, 0x200,  0x4000, 0x600, 0x201,
                                       0x301, 0x6, 0x8000, 0x202,  0x19,  0x8'0001};
    for (const uint64_t selector : kSelectors) {
        show_count(sbi::pmu::kEventRaw, selector);
    }
    print(put_byte, "== end\n");
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown, sbi::reset::kNoReason);
    for (;;) {
        asm volatile("wfi");
    }
}
