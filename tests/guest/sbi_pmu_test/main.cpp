// SPDX-License-Identifier: Apache-2.0
#include "tests/guest/sbi_pmu_test/transcript.h"

extern "C" [[noreturn]] void run_tests() {
    using namespace pes;
    using namespace pes::pmu_test;
    find_machine();
    print(put_byte, "== begin\n");
    constexpr void (*kParts[])() = {
        show_questions,
        show_unconfigured,
        show_configuration_errors,
        show_events,
        show_allocation,
        show_configuration_flags,
        show_states,
        show_sets,
        show_snapshot,
        show_event_info,
        show_firmware_events,
        show_counting,
    };
    for (const auto show : kParts) {
        show();
        release_all();
    }
    print(put_byte, "== end\n");
    sbi_call(sbi::kReset, sbi::reset::kSystemReset, sbi::reset::kShutdown, sbi::reset::kNoReason);
    for (;;) {
        asm volatile("wfi");
    }
}
