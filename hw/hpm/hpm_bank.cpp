// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/hpm_bank.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/hpm/privilege_track.h"

namespace pes {
namespace {

constexpr std::uint64_t kCenturies = std::uint64_t{1} << 60; ///< of cycles: never, in a run

} // namespace

bool HpmBank::is_own(std::uint16_t csr) const {
    if (config_.profile->registers == RegisterSet::Hpm) {
        return is_counter_csr(csr, config_.sscofpmf, config_.smcntrpmf);
    }
    return decode_pcer_csr(csr).kind != PcerRegister::None;
}

bool HpmBank::can_interrupt(Privilege mode, CountedEvents events) const {
    if (config_.profile->registers != RegisterSet::Hpm) {
        return false; // PCER has no comparator and no overflow interrupt
    }
    const std::uint64_t inhibited = peek(csr::kMcountinhibit);
    const unsigned end = kFirstProgrammable + config_.programmable;
    for (unsigned index = kCycleIndex; index < end; ++index) {
        const bool programmable = index >= kFirstProgrammable;
        if (!programmable && index != kCycleIndex) {
            continue;
        }
        std::uint64_t selected = 0;
        if (programmable) {
            selected = peek(event_csr(index));
            if (events == CountedEvents::Cycles &&
                !sources_of(config_, selected).has(Event::Cycles)) {
                continue;
            }
        } else if (config_.smcntrpmf) {
            selected = peek(csr::kMcyclecfg);
        }
        if ((inhibited >> index & 1) != 0 || (selected & inhibit_bit(mode)) != 0) {
            continue;
        }
        const std::uint64_t value = peek(counter_csr(index));
        const std::uint64_t threshold = peek(threshold_csr(index));
        const unsigned unused = kMaxCounterWidth - config_.width;
        const std::uint64_t limit = programmable ? ~std::uint64_t{0} >> unused : ~std::uint64_t{0};
        const bool requests =
            programmable && config_.sscofpmf && (selected & csr::kMhpmeventOverflow) == 0;
        if ((threshold > value && threshold <= limit && threshold - value < kCenturies) ||
            (requests && limit - value < kCenturies)) {
            return true;
        }
    }
    return false;
}

} // namespace pes
