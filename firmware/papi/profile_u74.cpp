// SPDX-License-Identifier: Apache-2.0
// PAPI's view of the SiFive U74 (manual, chapter Hardware Performance Monitor): selector = class in
// bits 7:0, one bit for each event of the class from bit 8 on. The presets are the 22 of T. Rocha's
// thesis (2023), with the same terms; the meaning of "fused multiply-add" and "other" is the
// manual's.
#include "firmware/papi/papi.h"
#include "firmware/papi/profile.h"

namespace pes::papi {

namespace {

struct Row {
    const char* name;
    const char* meaning;
    uint64_t selector;
};

constexpr uint64_t kRetired = 0;
constexpr uint64_t kPipeline = 1;
constexpr uint64_t kMemory = 2;

consteval uint64_t select(uint64_t event_class, unsigned bit) {
    return event_class | uint64_t{1} << bit;
}

constexpr Row kRows[] = {
    {"exception-taken", "Exceptions taken.", select(kRetired, 8)},
    {"integer-load", "Integer loads retired.", select(kRetired, 9)},
    {"integer-store", "Integer stores retired.", select(kRetired, 10)},
    {"atomic", "Atomic memory operations retired.", select(kRetired, 11)},
    {"system", "System instructions retired.", select(kRetired, 12)},
    {"integer-arithmetic", "Integer arithmetic instructions retired.", select(kRetired, 13)},
    {"conditional-branch", "Conditional branches retired.", select(kRetired, 14)},
    {"jal", "JAL instructions retired.", select(kRetired, 15)},
    {"jalr", "JALR instructions retired.", select(kRetired, 16)},
    {"integer-multiply", "Integer multiplications retired.", select(kRetired, 17)},
    {"integer-divide", "Integer divisions retired.", select(kRetired, 18)},
    {"fp-load", "Floating-point loads retired.", select(kRetired, 19)},
    {"fp-store", "Floating-point stores retired.", select(kRetired, 20)},
    {"fp-add", "Floating-point additions retired.", select(kRetired, 21)},
    {"fp-multiply", "Floating-point multiplications retired.", select(kRetired, 22)},
    {"fp-fused-multiply-add", "Fused multiply-adds retired.", select(kRetired, 23)},
    {"fp-divide-sqrt", "Floating-point divisions and roots retired.", select(kRetired, 24)},
    {"fp-other", "Other floating-point instructions retired.", select(kRetired, 25)},
    {"address-interlock", "Address-generation interlocks.", select(kPipeline, 8)},
    {"long-latency-interlock", "Long-latency interlocks.", select(kPipeline, 9)},
    {"csr-interlock", "CSR read interlocks.", select(kPipeline, 10)},
    {"icache-busy", "Instruction cache or ITIM busy.", select(kPipeline, 11)},
    {"dcache-busy", "Data cache or DTIM busy.", select(kPipeline, 12)},
    {"direction-mispredict", "Branch directions mispredicted.", select(kPipeline, 13)},
    {"target-mispredict", "Branch and jump targets mispredicted.", select(kPipeline, 14)},
    {"csr-flush", "Pipeline flushes by CSR writes.", select(kPipeline, 15)},
    {"other-flush", "Pipeline flushes by other events.", select(kPipeline, 16)},
    {"multiply-interlock", "Integer multiplication interlocks.", select(kPipeline, 17)},
    {"fp-interlock", "Floating-point interlocks.", select(kPipeline, 18)},
    {"icache-miss", "Instruction cache misses.", select(kMemory, 8)},
    {"dcache-miss", "Data cache misses and accesses to devices.", select(kMemory, 9)},
    {"dcache-writeback", "Data cache write-backs.", select(kMemory, 10)},
    {"itlb-miss", "Instruction TLB misses.", select(kMemory, 11)},
    {"dtlb-miss", "Data TLB misses.", select(kMemory, 12)},
    {"utlb-miss", "Second-level TLB misses.", select(kMemory, 13)},
};

constexpr auto kNatives = natives_of<kRows>();

consteval Preset one(int code, uint8_t term, const char* note = "") {
    return preset(code, Derived::None, "", note, term);
}
template <typename... Terms>
consteval Preset sum(int code, Terms... terms) {
    return preset(code, Derived::Add, "", "", terms...);
}

constexpr Preset kPresets[] = {
    one(PAPI_TOT_CYC, kCyclesNative),
    one(PAPI_TOT_INS, kInstructionsNative),
    one(PAPI_BR_CN, kNatives["conditional-branch"]),
    sum(PAPI_BR_UCN, kNatives["jal"], kNatives["jalr"]),
    sum(PAPI_BR_INS, kNatives["jal"], kNatives["jalr"], kNatives["conditional-branch"]),
    sum(PAPI_BR_MSP, kNatives["direction-mispredict"], kNatives["target-mispredict"]),
    preset(PAPI_BR_PRC, Derived::Sub, "", "", kNatives["conditional-branch"],
           kNatives["direction-mispredict"], kNatives["target-mispredict"]),
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
    .signature = select(kRetired, 14),
};

} // namespace pes::papi
