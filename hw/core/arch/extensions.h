// SPDX-License-Identifier: Apache-2.0
// The optional extensions of a hart. One that is absent leaves no trace: neither a CSR nor a bit.
// The keys: platform/config/setting_table.cpp.
#pragma once

#include "hw/interface/maps/csr.h"

#include <cstdint>

namespace pes {

struct Extensions {
    bool sstc = false;      ///< stimecmp
    bool smcsrind = false;  ///< with Sscsrind: registers behind miselect and siselect
    bool smcdeleg = false;  ///< with Ssccfg: counters that S-mode configures; needs smcsrind
    bool smstateen = false; ///< with Ssstateen: state that is closed to lower modes
    bool smctr = false;     ///< with Ssctr: control transfer records; needs smcsrind
    bool svadu = false;     ///< A and D bits are set by hardware, if menvcfg.ADUE says so
    bool sspesa = false;    ///< the instruction behind an overflow; needs Sscofpmf
    bool ssplcofi = false;  ///< overflow interrupts without skid; needs sspesa
    bool smpdis = false;    ///< with Sspdis: decoded instructions are sampled; needs smcsrind
    bool ssamb = false;     ///< their records go to a memory buffer; needs smpdis
    std::uint32_t shpmspc = csr::kShpmspc;
    std::uint32_t shpmsdata = csr::kShpmsdata;
};

} // namespace pes
