// SPDX-License-Identifier: Apache-2.0
// PAPI's presets on the CVA6 profile. Class events of this core count cycles in which at least one
// instruction of the class retires (docs/counters.md), and so do the presets made of them.
#pragma once

#include "hw/interface/pmu/presets.h"

namespace pes {

inline constexpr PresetRow kCva6Presets[] = {
    presets::one("TOT_CYC", kCyclesTerm),
    presets::one("TOT_INS", kInstructionsTerm),
    presets::one("L1_DCM", "l1d-miss", "Reads only: stores do not allocate."),
    presets::one("L1_LDM", "l1d-miss", "Page walks included."),
    presets::one("L1_ICM", "l1i-miss"),
    presets::sum("L1_TCM", "l1d-miss", "l1i-miss"),
    presets::sum("L1_DCA", "load", "store"),
    presets::one("L1_DCR", "load"),
    presets::one("L1_DCW", "store"),
    presets::row("L1_DCH", Derived::Postfix, "N0|N1|+|N2|-|", "A store counts as a hit.", "load",
                 "store", "l1d-miss"),
    presets::one("L1_ICA", "l1i-access", "Cycles with a request."),
    presets::difference("L1_ICH", "Cycles with a request less misses.", "l1i-access", "l1i-miss"),
    presets::one("TLB_DM", "dtlb-miss"),
    presets::one("TLB_IM", "itlb-miss"),
    presets::sum("TLB_TL", "dtlb-miss", "itlb-miss"),
    presets::one("BR_INS", "branch"),
    presets::one("BR_MSP", "branch-mispredict", "Indirect jumps included."),
    presets::difference("BR_PRC", "All branches and jumps.", "branch", "branch-mispredict"),
    presets::one("INT_INS", "integer", "No loads, stores, branches."),
    presets::one("FP_INS", "floating-point", "No loads, stores."),
    presets::one("LD_INS", "load"),
    presets::one("SR_INS", "store", "Atomics included."),
    presets::sum("LST_INS", "load", "store"),
    presets::one("STL_ICY", "fetch-empty", "Cycles with nothing to decode."),
    presets::one("RES_STL", "pipeline-stall", "Read-after-write hazards."),
};

} // namespace pes
