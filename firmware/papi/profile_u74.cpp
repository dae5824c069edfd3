// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the SiFive U74: its native events, and as presets the 22 of T. Rocha's thesis
// (2023), with the same terms; the meaning of "fused multiply-add" and "other" is the manual's.
#include "hw/interface/pmu/profile_u74.h"
#include "firmware/papi/papi.h"
#include "firmware/papi/profile.h"

namespace pes::papi {

namespace {

constexpr auto kNatives = natives_of<kU74Events>();

constexpr Preset kPresets[] = {
    one(PAPI_TOT_CYC, kCyclesNative),
    one(PAPI_TOT_INS, kInstructionsNative),
    one(PAPI_BR_CN, kNatives["conditional-branch"]),
    sum(PAPI_BR_UCN, kNatives["jal"], kNatives["jalr"]),
    sum(PAPI_BR_INS, kNatives["jal"], kNatives["jalr"], kNatives["conditional-branch"]),
    sum(PAPI_BR_MSP, kNatives["direction-mispredict"], kNatives["target-mispredict"]),
    difference(PAPI_BR_PRC, "", kNatives["conditional-branch"], kNatives["direction-mispredict"],
               kNatives["target-mispredict"]),
    sum(PAPI_INT_INS, kNatives["integer-load"], kNatives["integer-store"],
        kNatives["integer-arithmetic"], kNatives["integer-multiply"], kNatives["integer-divide"]),
    sum(PAPI_FP_INS, kNatives["fp-load"], kNatives["fp-store"], kNatives["fp-add"],
        kNatives["fp-multiply"], kNatives["fp-fused-multiply-add"], kNatives["fp-divide-sqrt"],
        kNatives["fp-other"]),
    sum(PAPI_FP_OPS, kNatives["fp-add"], kNatives["fp-multiply"], kNatives["fp-fused-multiply-add"],
        kNatives["fp-divide-sqrt"], kNatives["fp-other"]),
    one(PAPI_FML_INS, kNatives["fp-multiply"]),
    one(PAPI_FAD_INS, kNatives["fp-add"]),
    one(PAPI_FMA_INS, kNatives["fp-fused-multiply-add"]),
    one(PAPI_L1_DCM, kNatives["dcache-miss"], "Accesses to devices included."),
    one(PAPI_L1_ICM, kNatives["icache-miss"]),
    sum(PAPI_L1_TCM, kNatives["dcache-miss"], kNatives["icache-miss"]),
    one(PAPI_TLB_DM, kNatives["dtlb-miss"]),
    one(PAPI_TLB_IM, kNatives["itlb-miss"]),
    sum(PAPI_TLB_TL, kNatives["dtlb-miss"], kNatives["itlb-miss"]),
    sum(PAPI_LD_INS, kNatives["integer-load"], kNatives["fp-load"]),
    sum(PAPI_SR_INS, kNatives["integer-store"], kNatives["fp-store"]),
    sum(PAPI_LST_INS, kNatives["integer-load"], kNatives["fp-load"], kNatives["integer-store"],
        kNatives["fp-store"]),
};
static_assert(sizeof(kPresets) / sizeof(kPresets[0]) == 22, "the presets of the thesis");

} // namespace

const Profile kU74{
    .name = "u74",
    .vendor = "SiFive",
    .model = "U74",
    .natives = kNatives.row,
    .native_count = decltype(kNatives)::kCount,
    .presets = kPresets,
    .preset_count = sizeof(kPresets) / sizeof(kPresets[0]),
    .signature = u74::select(u74::kRetired, 14),
};

} // namespace pes::papi
