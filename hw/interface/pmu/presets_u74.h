// SPDX-License-Identifier: Apache-2.0
// PAPI's presets on the SiFive U74: the 22 of T. Rocha's thesis (2023), with the same terms; the
// meaning of "fused multiply-add" and "other" is the manual's.
#pragma once

#include "hw/interface/pmu/presets.h"

namespace pes {

inline constexpr PresetRow kU74Presets[] = {
    presets::one("TOT_CYC", kCyclesTerm),
    presets::one("TOT_INS", kInstructionsTerm),
    presets::one("BR_CN", "conditional-branch"),
    presets::sum("BR_UCN", "jal", "jalr"),
    presets::sum("BR_INS", "jal", "jalr", "conditional-branch"),
    presets::sum("BR_MSP", "direction-mispredict", "target-mispredict"),
    presets::difference("BR_PRC", "", "conditional-branch", "direction-mispredict",
                        "target-mispredict"),
    presets::sum("INT_INS", "integer-load", "integer-store", "integer-arithmetic",
                 "integer-multiply", "integer-divide"),
    presets::sum("FP_INS", "fp-load", "fp-store", "fp-add", "fp-multiply", "fp-fused-multiply-add",
                 "fp-divide-sqrt", "fp-other"),
    presets::sum("FP_OPS", "fp-add", "fp-multiply", "fp-fused-multiply-add", "fp-divide-sqrt",
                 "fp-other"),
    presets::one("FML_INS", "fp-multiply"),
    presets::one("FAD_INS", "fp-add"),
    presets::one("FMA_INS", "fp-fused-multiply-add"),
    presets::one("L1_DCM", "dcache-miss", "Accesses to devices included."),
    presets::one("L1_ICM", "icache-miss"),
    presets::sum("L1_TCM", "dcache-miss", "icache-miss"),
    presets::one("TLB_DM", "dtlb-miss"),
    presets::one("TLB_IM", "itlb-miss"),
    presets::sum("TLB_TL", "dtlb-miss", "itlb-miss"),
    presets::sum("LD_INS", "integer-load", "fp-load"),
    presets::sum("SR_INS", "integer-store", "fp-store"),
    presets::sum("LST_INS", "integer-load", "fp-load", "integer-store", "fp-store"),
};
static_assert(sizeof(kU74Presets) / sizeof(kU74Presets[0]) == 22, "the presets of the thesis");

} // namespace pes
