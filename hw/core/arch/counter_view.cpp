// SPDX-License-Identifier: Apache-2.0
#include "hw/core/arch/counter_view.h"

#include "hw/core/arch/csr_numbers.h"
#include "hw/core/arch/csr_rights.h"
#include "hw/interface/pmu/counter_csr.h"

namespace pes {

namespace {

constexpr std::uint16_t kShadowToCounter = csr::kCycle - csr::kMcycle;
constexpr std::uint16_t kSireg2 = csr::kSireg + 1;
constexpr std::uint16_t kNobodys = 0; // of no register of a bank

std::uint16_t configuration_csr(unsigned index) {
    switch (index) {
    case kCycleIndex:
        return csr::kMcyclecfg;
    case kInstretIndex:
        return csr::kMinstretcfg;
    default:
        return event_csr(index);
    }
}

/// "Counter Delegation", table of indirect HPM state. On RV64 only sireg and sireg2 have a meaning,
/// and only for a delegated counter. 0x41 selects none, since counter 1 is time.
CounterView delegated_view(const CsrFile& csr, std::uint16_t number) {
    const std::uint64_t select = csr.siselect();
    if (select < kFirstCounterSelect || select > kLastCounterSelect) {
        return {number};
    }
    const auto index = static_cast<unsigned>(select - kFirstCounterSelect);
    if ((delegated_counters(csr) >> index & 1) == 0) {
        return {number};
    }
    // MINH belongs to M-mode: it is read-only 0 here, and a write does not change it.
    return number == kSireg2 ? CounterView{configuration_csr(index), ~csr::kMhpmeventMachineInhibit}
                             : CounterView{counter_csr(index)};
}

} // namespace

CounterView counter_view(const CsrFile& csr, Privilege privilege, std::uint16_t number) {
    if (is_counter_shadow(number)) {
        return {static_cast<std::uint16_t>(number - kShadowToCounter)};
    }
    if (is_sample_csr(csr, number)) {
        return {number == csr.extensions().shpmspc ? csr::kShpmspc : csr::kShpmsdata};
    }
    switch (number) {
    case csr::kShpmspc: // has another number
    case csr::kShpmsdata:
        return {kNobodys};
    case csr::kScountovf: // Sscofpmf: in S-mode only what mcounteren opens
        return {number, privilege == Privilege::Machine ? ~std::uint64_t{0} : csr.mcounteren()};
    case csr::kScountinhibit: // "Supervisor Counter Inhibit Register": a masked alias
        return {csr::kMcountinhibit, delegated_counters(csr)};
    case csr::kSireg:
    case kSireg2:
        return delegated_view(csr, number);
    default:
        return {number};
    }
}

} // namespace pes
