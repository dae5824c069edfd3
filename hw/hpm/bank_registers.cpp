// SPDX-License-Identifier: Apache-2.0
#include "hw/hpm/bank_registers.h"

#include "hw/hpm/pcer_csr.h"
#include "hw/interface/pmu/counter_csr.h"

namespace pes {
namespace {

std::vector<std::uint16_t> pcer_registers() {
    std::vector<std::uint16_t> registers{csr::kPcmr, csr::kPcer, csr::kUserPcmr, csr::kUserPcer};
    for (unsigned index = 0; index <= kPcerCounters; ++index) { // PCCR31 too
        const std::uint16_t machine = pccr_csr(index);
        const auto user = static_cast<std::uint16_t>(csr::kUserPccr0 + index);
        registers.insert(registers.end(), {machine, user});
    }
    return registers;
}

} // namespace

std::vector<std::uint16_t> bank_registers(const CounterConfig& config) {
    if (config.profile->registers != RegisterSet::Hpm) {
        return pcer_registers();
    }
    std::vector<std::uint16_t> registers{csr::kMcycle,
                                         csr::kMinstret,
                                         csr::kMcountinhibit,
                                         csr::kMhpmthresholdCycle,
                                         csr::kMhpmthresholdInstret,
                                         csr::kMhpmmmaped,
                                         csr::kMhpmmsize,
                                         csr::kMhpmmoffset,
                                         csr::kMhpmmcontrol};
    if (config.sscofpmf) {
        registers.push_back(csr::kScountovf);
    }
    if (config.smcntrpmf) {
        registers.insert(registers.end(), {csr::kMcyclecfg, csr::kMinstretcfg});
    }
    // Absent registers are compared too: they must stay 0.
    for (unsigned index = kFirstProgrammable; index < kCounterLimit; ++index) {
        registers.insert(registers.end(),
                         {counter_csr(index), event_csr(index), threshold_csr(index)});
    }
    return registers;
}

} // namespace pes
