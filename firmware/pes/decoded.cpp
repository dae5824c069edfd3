// SPDX-License-Identifier: Apache-2.0
#include "firmware/pes/decoded.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/probe.h"
#include "firmware/sbi/sbi.h"
#include "hw/interface/pmu/counter_csr.h"
#include "hw/interface/pmu/profile_cva6_pdis.h"

namespace pes::decoded {

namespace {

// The numbers that the platform has by default: the draft assigns none.
constexpr uint16_t kMpdisctl = 0x7D0, kSpdiscounter = 0x5D1;
constexpr uint16_t kSpdisevmask = 0x5D2, kSpdisevmatch = 0x5D3, kSpdisfilter = 0x5D4;
constexpr uint16_t kSiselect = 0x150, kSireg = 0x151, kSireg2 = 0x152, kSireg5 = 0x156;
constexpr unsigned kInitialShift = 32;

uint64_t mode_bits(uint64_t modes) {
    return ((modes & sbi::sampling::kModeUser) != 0 ? pdis::control::kU : 0) |
           ((modes & sbi::sampling::kModeSupervisor) != 0 ? pdis::control::kS : 0) |
           ((modes & sbi::sampling::kModeMachine) != 0 ? pdis::control::kM : 0);
}

} // namespace

const uint64_t kEvent = find_event(kCva6PdisProfile, "pdis-sample")->selector;

bool present() {
    const bool counted = csr_read_back<csr::kMhpmevent3>(kEvent) == kEvent;
    if (counted) {
        write_csr<csr::kMhpmevent3>(0);
    }
    return counted && csr_exists<kMpdisctl>() && (read_csr<kMpdisctl>() & pdis::control::kMem) == 0;
}

void set_up(uint64_t kind, uint64_t modes) {
    write_csr<kSpdisevmask>(pdis::header::kFlushed);
    write_csr<kSpdisevmatch>(0);
    write_csr<kSpdisfilter>(0);
    write_csr<kMpdisctl>(kind | mode_bits(modes) | pdis::control::kOf);
}

void off() {
    write_csr<kMpdisctl>(0);
}

void set_period(uint64_t period) {
    const uint64_t initial = (uint64_t{1} << 32) - period;
    write_csr<kSpdiscounter>(initial << kInitialShift | initial);
}

/// siselect is the supervisor's, too.
Sample last() {
    const uint64_t selected = read_csr<kSiselect>();
    write_csr<kSiselect>(pdis::kSelect);
    const uint64_t header = read_csr<kSireg>();
    const uint64_t kind = header & pdis::header::kType;
    const bool accesses = kind >= 1 && kind <= 3 && (header & pdis::header::kAddress1Valid) != 0;
    const Sample sample{.pc = read_csr<kSireg2>(),
                        .data_address = accesses ? read_csr<kSireg5>() : 0};
    write_csr<kSiselect>(selected);
    return sample;
}

} // namespace pes::decoded
