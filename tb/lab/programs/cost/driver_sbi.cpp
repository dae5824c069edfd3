// SPDX-License-Identifier: Apache-2.0
// The counter is the firmware's: each step is a call.
#include "firmware/boot/csr.h"
#include "firmware/supervisor/sbi_call.h"
#include "tb/lab/programs/cost/driver.h"

namespace pes::driver {

void prepare() {
    constexpr uint64_t kBranches = 0x00005;
    constexpr uint64_t kFlags = sbi::pmu::kConfigNotMachine | sbi::pmu::kConfigNotSupervisor;
    sbi_call(sbi::kPmu, sbi::pmu::kCounterConfigMatching, kCounter, 1, kFlags, kBranches);
}

void start(uint64_t value) {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStart, kCounter, 1, sbi::pmu::kStartSetInitValue, value);
}

uint64_t stop() {
    sbi_call(sbi::kPmu, sbi::pmu::kCounterStop, kCounter, 1, 0);
    return read_csr<csr::kCycle + kCounter>();
}

uint64_t sampled_pc() {
    return read_csr<csr::kSepc>();
}

} // namespace pes::driver
