// SPDX-License-Identifier: Apache-2.0
#include "firmware/pes/call_stack.h"

#include "firmware/boot/csr.h"
#include "firmware/boot/probe.h"
#include "hw/interface/maps/ctr.h"

namespace pes {

namespace {

constexpr uint16_t kSiselect = 0x150;
constexpr uint16_t kSireg = 0x151; // ctrsource

} // namespace

bool has_call_stack() {
    return csr_exists<ctr::kMctrctl>();
}

void follow_calls(bool supervisor) {
    asm volatile(".insn i 0x73, 0, x0, x0, 0x104"); // sctrclr
    write_csr<ctr::kMctrctl>(ctr::control::kUser | ctr::control::kRasEmulation |
                             (supervisor ? ctr::control::kSupervisor : 0));
}

void leave_calls() {
    write_csr<ctr::kMctrctl>(0);
}

uint32_t store_calls(uint64_t* to, uint32_t most) {
    const uint64_t selected = read_csr<kSiselect>();
    uint32_t count = 0;
    for (; count < most; ++count) {
        write_csr<kSiselect>(ctr::kFirstSelect + count);
        const uint64_t source = read_csr<kSireg>();
        if ((source & ctr::kValid) == 0) {
            break;
        }
        to[count] = source & ~ctr::kValid;
    }
    write_csr<kSiselect>(selected);
    return count;
}

} // namespace pes
