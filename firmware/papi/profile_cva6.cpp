// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the CVA6 profile. Class events of this core count cycles in which at least one
// instruction of the class retires (docs/counters.md), and so do the presets made of them.
#include "hw/interface/pmu/profile_cva6.h"

#include "firmware/papi/papi.h"
#include "firmware/papi/profile.h"

namespace pes::papi {

namespace {

constexpr auto kNatives = natives_of<kCva6Events>();

constexpr Preset kPresets[] = {
    one(PAPI_TOT_CYC, kCyclesNative),
    one(PAPI_TOT_INS, kInstructionsNative),
    one(PAPI_L1_DCM, kNatives["l1d-miss"], "Reads only: stores do not allocate."),
    one(PAPI_L1_LDM, kNatives["l1d-miss"], "Page walks included."),
    one(PAPI_L1_ICM, kNatives["l1i-miss"]),
    sum(PAPI_L1_TCM, kNatives["l1d-miss"], kNatives["l1i-miss"]),
    sum(PAPI_L1_DCA, kNatives["load"], kNatives["store"]),
    one(PAPI_L1_DCR, kNatives["load"]),
    one(PAPI_L1_DCW, kNatives["store"]),
    preset(PAPI_L1_DCH, Derived::Postfix, "N0|N1|+|N2|-|", "A store counts as a hit.",
           kNatives["load"], kNatives["store"], kNatives["l1d-miss"]),
    one(PAPI_L1_ICA, kNatives["l1i-access"], "Cycles with a request."),
    difference(PAPI_L1_ICH, "Cycles with a request less misses.", kNatives["l1i-access"],
               kNatives["l1i-miss"]),
    one(PAPI_TLB_DM, kNatives["dtlb-miss"]),
    one(PAPI_TLB_IM, kNatives["itlb-miss"]),
    sum(PAPI_TLB_TL, kNatives["dtlb-miss"], kNatives["itlb-miss"]),
    one(PAPI_BR_INS, kNatives["branch"]),
    one(PAPI_BR_MSP, kNatives["branch-mispredict"], "Indirect jumps included."),
    difference(PAPI_BR_PRC, "All branches and jumps.", kNatives["branch"],
               kNatives["branch-mispredict"]),
    one(PAPI_INT_INS, kNatives["integer"], "No loads, stores, branches."),
    one(PAPI_FP_INS, kNatives["floating-point"], "No loads, stores."),
    one(PAPI_LD_INS, kNatives["load"]),
    one(PAPI_SR_INS, kNatives["store"], "Atomics included."),
    sum(PAPI_LST_INS, kNatives["load"], kNatives["store"]),
    one(PAPI_STL_ICY, kNatives["fetch-empty"], "Cycles with nothing to decode."),
    one(PAPI_RES_STL, kNatives["pipeline-stall"], "Read-after-write hazards."),
};

constexpr uint64_t kIntegerSelector = 20;

} // namespace

const Profile kCva6{
    .name = "cva6",
    .vendor = "OpenHW Group",
    .model = "CVA6",
    .natives = kNatives.row,
    .native_count = decltype(kNatives)::kCount,
    .presets = kPresets,
    .preset_count = sizeof(kPresets) / sizeof(kPresets[0]),
    .signature = kIntegerSelector,
};

} // namespace pes::papi
