// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the SiFive U74: its native events, and as presets the 22 of T. Rocha's thesis
// (2023), with the same terms; the meaning of "fused multiply-add" and "other" is the manual's.
#include "hw/interface/pmu/profile_u74.h"
#include "firmware/papi/papi.h"
#include "firmware/papi/profile.h"

namespace pes::papi {

namespace {

constexpr auto kU74Natives = natives_of<kU74Events>();

constexpr Preset kU74Presets[] = {
    one(PAPI_TOT_CYC, kCyclesNative),
    one(PAPI_TOT_INS, kInstructionsNative),
    one(PAPI_BR_CN, kU74Natives["conditional-branch"]),
    sum(PAPI_BR_UCN, kU74Natives["jal"], kU74Natives["jalr"]),
    sum(PAPI_BR_INS, kU74Natives["jal"], kU74Natives["jalr"], kU74Natives["conditional-branch"]),
    sum(PAPI_BR_MSP, kU74Natives["direction-mispredict"], kU74Natives["target-mispredict"]),
    difference(PAPI_BR_PRC, "", kU74Natives["conditional-branch"],
               kU74Natives["direction-mispredict"], kU74Natives["target-mispredict"]),
    sum(PAPI_INT_INS, kU74Natives["integer-load"], kU74Natives["integer-store"],
        kU74Natives["integer-arithmetic"], kU74Natives["integer-multiply"],
        kU74Natives["integer-divide"]),
    sum(PAPI_FP_INS, kU74Natives["fp-load"], kU74Natives["fp-store"], kU74Natives["fp-add"],
        kU74Natives["fp-multiply"], kU74Natives["fp-fused-multiply-add"],
        kU74Natives["fp-divide-sqrt"], kU74Natives["fp-other"]),
    sum(PAPI_FP_OPS, kU74Natives["fp-add"], kU74Natives["fp-multiply"],
        kU74Natives["fp-fused-multiply-add"], kU74Natives["fp-divide-sqrt"],
        kU74Natives["fp-other"]),
    one(PAPI_FML_INS, kU74Natives["fp-multiply"]),
    one(PAPI_FAD_INS, kU74Natives["fp-add"]),
    one(PAPI_FMA_INS, kU74Natives["fp-fused-multiply-add"]),
    one(PAPI_L1_DCM, kU74Natives["dcache-miss"], "Accesses to devices included."),
    one(PAPI_L1_ICM, kU74Natives["icache-miss"]),
    sum(PAPI_L1_TCM, kU74Natives["dcache-miss"], kU74Natives["icache-miss"]),
    one(PAPI_TLB_DM, kU74Natives["dtlb-miss"]),
    one(PAPI_TLB_IM, kU74Natives["itlb-miss"]),
    sum(PAPI_TLB_TL, kU74Natives["dtlb-miss"], kU74Natives["itlb-miss"]),
    sum(PAPI_LD_INS, kU74Natives["integer-load"], kU74Natives["fp-load"]),
    sum(PAPI_SR_INS, kU74Natives["integer-store"], kU74Natives["fp-store"]),
    sum(PAPI_LST_INS, kU74Natives["integer-load"], kU74Natives["fp-load"],
        kU74Natives["integer-store"], kU74Natives["fp-store"]),
};
static_assert(sizeof(kU74Presets) / sizeof(kU74Presets[0]) == 22, "the presets of the thesis");

} // namespace

const Profile kU74{
    .name = "u74",
    .vendor = "SiFive",
    .model = "U74",
    .natives = kU74Natives.row,
    .native_count = decltype(kU74Natives)::kCount,
    .presets = kU74Presets,
    .preset_count = sizeof(kU74Presets) / sizeof(kU74Presets[0]),
    .signature = u74::select(u74::kRetired, 14),
};

} // namespace pes::papi
