// SPDX-License-Identifier: Apache-2.0
#include "firmware/sbi/pmu_delegation.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/probe.h"
#include "firmware/sbi/counters.h"

namespace pes {

namespace {

bool delegated;

} // namespace

void delegate_counters() {
    delegated = csr_exists<csr::kMenvcfg>() && (read_csr<csr::kMenvcfg>() & kEnvironmentCde) != 0;
}

bool counters_delegated() {
    return delegated;
}

void exclude_machine_mode() {
    constexpr uint64_t kFixed = 7; // cycle, the hole, instret: as on harts without filters for them
    for_each_counter(counters().present() & ~kFixed,
                     [](unsigned n) { counters().set_event(n, 0, csr::kMhpmeventMachineInhibit); });
}

} // namespace pes
