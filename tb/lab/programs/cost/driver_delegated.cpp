// SPDX-License-Identifier: Apache-2.0
// The counter is the supervisor's (Smcdeleg, Ssccfg), and the hart latches who made it overflow
// (Sspesa): no step leaves supervisor mode.
#include "firmware/boot/csr.h"
#include "tb/lab/programs/cost/driver.h"

namespace pes::driver {
namespace {

constexpr uint16_t kSiselect = 0x150, kSireg = 0x151, kSireg2 = 0x152;
constexpr uint16_t kScountinhibit = 0x120;
constexpr uint64_t kSelectCounter = 0x40 + kCounter;
constexpr uint64_t kBranches = 9; // of the profile cva6
constexpr uint64_t kEvent = kBranches | csr::kMhpmeventSupervisorInhibit;

} // namespace

void prepare() {
    set_csr<kScountinhibit>(uint64_t{1} << kCounter);
    write_csr<kSiselect>(kSelectCounter);
}

void start(uint64_t value) {
    write_csr<kSireg>(value);
    write_csr<kSireg2>(kEvent); // OF = 0
    clear_csr<kScountinhibit>(uint64_t{1} << kCounter);
}

uint64_t stop() {
    set_csr<kScountinhibit>(uint64_t{1} << kCounter);
    return read_csr<kSireg>();
}

uint64_t sampled_pc() {
    return read_csr<csr::kShpmspc>();
}

} // namespace pes::driver
