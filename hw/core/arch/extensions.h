// SPDX-License-Identifier: Apache-2.0
// The extensions of a hart: its unprivileged instruction set, and the optional privileged ones. An
// absent extension has neither CSRs nor bits in other CSRs.
// Their settings are in platform/config/setting_table.cpp.
#pragma once

#include "hw/core/arch/core_ids.h"
#include "hw/interface/maps/csr.h"
#include "hw/interface/riscv/isa.h"

#include <cstdint>

namespace pes {

struct Extensions {
    Isa isa = core_ids::kIsa;
    bool xtval = true;          ///< mtval and stval hold something; false: read-only 0
    bool mtvec_vectored = true; ///< mtvec.MODE may be vectored
    bool sstc = false;          ///< stimecmp
    bool smcsrind = false;      ///< with Sscsrind: registers behind miselect and siselect
    bool smcdeleg = false;      ///< with Ssccfg: S-mode may configure counters; needs smcsrind
    bool smstateen = false;     ///< with Ssstateen: enables for state in lower modes
    bool smctr = false;         ///< with Ssctr: control transfer records; needs smcsrind
    bool svadu = false;         ///< hardware sets A and D bits if menvcfg.ADUE = 1
    bool sspesa = false;   ///< captures the instruction that caused an overflow; needs Sscofpmf
    bool ssplcofi = false; ///< overflow interrupts without skid; needs sspesa
    bool smpdis = false;   ///< with Sspdis: samples decoded instructions; needs smcsrind
    bool ssamb = false;    ///< memory buffer for their records; needs smpdis
    std::uint32_t shpmspc = csr::kShpmspc;
    std::uint32_t shpmsdata = csr::kShpmsdata;
};

} // namespace pes
