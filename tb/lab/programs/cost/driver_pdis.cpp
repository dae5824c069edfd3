// SPDX-License-Identifier: Apache-2.0
// The counter is that of decoded instructions, the supervisor's (Sspdis, Ssccfg): it reloads
// itself, and a record says what became of the one that was selected.
#include "firmware/boot/csr.h"
#include "hw/interface/maps/pdis.h"
#include "tb/lab/programs/cost/driver.h"

namespace pes::driver {
namespace {

constexpr uint16_t kSpdisctl = 0x5D0, kSpdiscounter = 0x5D1;
constexpr uint16_t kSiselect = 0x150, kSireg2 = 0x152, kSireg4 = 0x155;
constexpr uint16_t kScountinhibit = 0x120;
constexpr uint64_t kTransfers = 4;
constexpr unsigned kInitialShift = 32;

static_assert(kCounter == pdis::kCounterBit);

bool begun = false;

} // namespace

void prepare() {
    set_csr<kScountinhibit>(uint64_t{1} << kCounter);
    write_csr<kSiselect>(pdis::kSelect);
    write_csr<kSpdisctl>(kTransfers | pdis::control::kU);
}

void start(uint64_t value) {
    if (!begun) {
        begun = true;
        write_csr<kSpdiscounter>(value << kInitialShift | (value & 0xFFFF'FFFF));
    }
    clear_csr<kSpdisctl>(pdis::control::kOf);
    clear_csr<kScountinhibit>(uint64_t{1} << kCounter);
}

/// The latencies stand for a value.
uint64_t stop() {
    set_csr<kScountinhibit>(uint64_t{1} << kCounter);
    return read_csr<kSireg4>();
}

uint64_t sampled_pc() {
    return read_csr<kSireg2>();
}

} // namespace pes::driver
