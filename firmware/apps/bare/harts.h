// SPDX-License-Identifier: Apache-2.0
// What bare-metal programs on several harts share: a barrier, inter-processor interrupts, the
// check.
#pragma once

#include "firmware/apps/bare/finisher.h"
#include "firmware/boot/csr.h"
#include "firmware/boot/mmio.h"
#include "hw/interface/maps/clint.h"
#include "platform.h"

#include <stdint.h>

namespace pes {

inline constexpr uint64_t kHarts = HARTS; ///< that the program runs on
inline constexpr uint64_t kMachineSoftware = uint64_t{1} << 3;

/// All harts meet here; sense-reversing, so that it can be used again at once.
class Barrier {
  public:
    void meet() {
        const uint64_t round = __atomic_load_n(&round_, __ATOMIC_ACQUIRE);
        if (__atomic_add_fetch(&arrived_, 1, __ATOMIC_ACQ_REL) == kHarts) {
            __atomic_store_n(&arrived_, 0, __ATOMIC_RELAXED);
            __atomic_store_n(&round_, round + 1, __ATOMIC_RELEASE);
        }
        while (__atomic_load_n(&round_, __ATOMIC_ACQUIRE) == round) {
        }
    }

  private:
    uint64_t arrived_ = 0;
    uint64_t round_ = 0;
};

inline void send_ipi(uint64_t hart) {
    asm volatile("fence rw, o" ::: "memory");
    write_device<uint32_t>(uint64_t{PES_CLINT_BASE} + clint::kMsip + 4 * hart, 1);
}

/// Sleeps until somebody has sent an interrupt to this hart, and takes it back.
inline void wait_for_ipi(uint64_t hart) {
    set_csr<csr::kMie>(kMachineSoftware);
    while ((read_csr<csr::kMip>() & kMachineSoftware) == 0) {
        asm volatile("wfi" ::: "memory");
    }
    write_device<uint32_t>(uint64_t{PES_CLINT_BASE} + clint::kMsip + 4 * hart, 0);
    while ((read_csr<csr::kMip>() & kMachineSoftware) != 0) {
    }
    asm volatile("fence i, rw" ::: "memory");
}

} // namespace pes
