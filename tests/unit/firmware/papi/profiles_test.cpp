// SPDX-License-Identifier: Apache-2.0
// The tables of the PAPI layer. Expected values: the SiFive U74 manual's selectors, T. Rocha's
// presets (thesis, 2023), PAPI's event codes.
#include "firmware/papi/library.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

namespace pes::papi {
namespace {

class PapiProfile : public testing::TestWithParam<const Profile*> {};

TEST_P(PapiProfile, NamesEachNativeEventOnce) {
    std::set<std::string> names;
    for (unsigned i = 0; i < GetParam()->native_count; ++i) {
        EXPECT_TRUE(names.insert(GetParam()->natives[i].name).second)
            << GetParam()->natives[i].name;
    }
}

TEST_P(PapiProfile, HasItsSignatureAmongItsSelectors) {
    unsigned found = 0;
    for (unsigned i = 0; i < GetParam()->native_count; ++i) {
        const Native& native = GetParam()->natives[i];
        found += native.event == sbi::pmu::kEventRaw && native.data == GetParam()->signature;
    }
    EXPECT_EQ(found, 1U);
}

TEST_P(PapiProfile, DefinesEachPresetOnceOfNativesThatExist) {
    std::set<int> codes;
    for (unsigned i = 0; i < GetParam()->preset_count; ++i) {
        const Preset& preset = GetParam()->presets[i];
        EXPECT_TRUE(IS_PRESET(preset.code));
        EXPECT_TRUE(codes.insert(preset.code).second) << std::hex << preset.code;
        EXPECT_EQ(preset.derived == Derived::None, preset.terms == 1);
        EXPECT_EQ(preset.derived == Derived::Postfix, !std::string(preset.postfix).empty());
        for (unsigned term = 0; term < preset.terms; ++term) {
            EXPECT_LT(preset.term[term], GetParam()->native_count);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, PapiProfile, testing::Values(&kCva6, &kU74),
                         [](const auto& info) { return info.param->name; });

std::vector<uint64_t> selectors_of(const Profile& profile, int code) {
    std::vector<uint64_t> selectors;
    for (unsigned i = 0; i < profile.preset_count; ++i) {
        const Preset& preset = profile.presets[i];
        for (unsigned term = 0; term < preset.terms && preset.code == code; ++term) {
            selectors.push_back(profile.natives[preset.term[term]].data);
        }
    }
    return selectors;
}

TEST(PapiU74, HasTheThesisPresetsWithTheManualsSelectors) {
    // Class in the low byte, the event's bit above.
    const std::map<int, std::vector<uint64_t>> expected = {
        {PAPI_TOT_CYC, {0}},
        {PAPI_TOT_INS, {0}},
        {PAPI_BR_CN, {0x4000}},
        {PAPI_BR_UCN, {0x8000, 0x10000}},
        {PAPI_BR_INS, {0x8000, 0x10000, 0x4000}},
        {PAPI_BR_MSP, {0x2001, 0x4001}},
        {PAPI_BR_PRC, {0x4000, 0x2001, 0x4001}},
        {PAPI_INT_INS, {0x200, 0x400, 0x2000, 0x20000, 0x40000}},
        {PAPI_FP_INS, {0x80000, 0x100000, 0x200000, 0x400000, 0x800000, 0x1000000, 0x2000000}},
        {PAPI_FP_OPS, {0x200000, 0x400000, 0x800000, 0x1000000, 0x2000000}},
        {PAPI_FML_INS, {0x400000}},
        {PAPI_FAD_INS, {0x200000}},
        {PAPI_FMA_INS, {0x800000}},
        {PAPI_L1_DCM, {0x202}},
        {PAPI_L1_ICM, {0x102}},
        {PAPI_L1_TCM, {0x202, 0x102}},
        {PAPI_TLB_DM, {0x1002}},
        {PAPI_TLB_IM, {0x802}},
        {PAPI_TLB_TL, {0x1002, 0x802}},
        {PAPI_LD_INS, {0x200, 0x80000}},
        {PAPI_SR_INS, {0x400, 0x100000}},
        {PAPI_LST_INS, {0x200, 0x80000, 0x400, 0x100000}},
    };
    EXPECT_EQ(expected.size(), kU74.preset_count);
    for (const auto& [code, selectors] : expected) {
        EXPECT_EQ(selectors_of(kU74, code), selectors) << std::hex << code;
    }
}

TEST(PapiPresets, HaveTheCodesOfPapi) {
    EXPECT_EQ(static_cast<unsigned>(PAPI_L1_DCM), 0x80000000U);
    EXPECT_EQ(static_cast<unsigned>(PAPI_TLB_DM), 0x80000014U);
    EXPECT_EQ(static_cast<unsigned>(PAPI_BR_MSP), 0x8000002EU);
    EXPECT_EQ(static_cast<unsigned>(PAPI_TOT_INS), 0x80000032U);
    EXPECT_EQ(static_cast<unsigned>(PAPI_TOT_CYC), 0x8000003BU);
    EXPECT_EQ(static_cast<unsigned>(PAPI_L1_DCH), 0x8000003EU);
    EXPECT_EQ(static_cast<unsigned>(PAPI_FP_OPS), 0x80000066U);
    EXPECT_EQ(static_cast<unsigned>(PAPI_REF_CYC), 0x8000006BU);
}

TEST(PapiDerived, AddsAllTerms) {
    const long long terms[] = {5, 7, 11};
    EXPECT_EQ(evaluate(Derived::Add, 3, "", terms), 23);
}

TEST(PapiDerived, SubtractsTheOthersFromTheFirst) {
    const long long terms[] = {20, 7, 15};
    EXPECT_EQ(evaluate(Derived::Sub, 3, "", terms), -2);
}

TEST(PapiDerived, EvaluatesPostfixWithNumbersAndAllOperations) {
    const long long terms[] = {100, 20, 7};
    EXPECT_EQ(evaluate(Derived::Postfix, 3, "N0|N1|+|N2|-|", terms), 113);
    EXPECT_EQ(evaluate(Derived::Postfix, 3, "N0|N1|N2|-|*|", terms), 1300);
    EXPECT_EQ(evaluate(Derived::Postfix, 3, "N0|32|*|N1|/|", terms), 160);
}

TEST(PapiDerived, GivesZeroForADivisionByZero) {
    const long long terms[] = {100, 0};
    EXPECT_EQ(evaluate(Derived::Postfix, 2, "N0|N1|/|", terms), 0);
}

} // namespace
} // namespace pes::papi
