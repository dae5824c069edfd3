// SPDX-License-Identifier: Apache-2.0
// What people are told who ask for counters that this build does not have.
#include "hw/hpm/rtl/built_models.h"
#include "platform/host/user_error.h"
#include "platform/soc/bank_factory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::test {
namespace {

TEST(BankFactory, MakesTheModelWithoutAskingForRtl) {
    EXPECT_NE(make_counter_bank(CounterConfig{.programmable = 13}), nullptr);
}

/// A shape that this build does not have.
CounterConfig absent(CounterModel kind) {
    CounterConfig config{.kind = kind, .programmable = 0};
    while (find_shape(built_models(), config) != nullptr) {
        ++config.programmable;
    }
    return config;
}

TEST(BankFactory, RefusesRtlWithOneSentence) {
    for (const CounterModel kind : {CounterModel::Rtl, CounterModel::Lockstep}) {
        const CounterConfig config = absent(kind);
        const std::string sentence = user_error([&config] { make_counter_bank(config); });
#ifdef PES_WITHOUT_RTL
        EXPECT_EQ(sentence, "counters.model = rtl or lockstep needs RTL counters, and this pes-vp "
                            "was built without Verilator; expected tlm");
#elif defined(PES_WITH_FOREIGN_RTL)
        EXPECT_EQ(sentence,
                  "this pes-vp has no RTL counters of shape 0:64:1 "
                  "([profile:]counters:width:write_freezes[:sscofpmf:smcntrpmf]), expected "
                  "4:48:0:0:1, that of the foreign RTL in this build (CMake variable "
                  "PES_FOREIGN_RTL): counters.programmable=4, counters.width=48, "
                  "counters.write_freezes=false, counters.sscofpmf=false");
#else
        EXPECT_THAT(sentence, testing::HasSubstr("no RTL counters of shape " +
                                                 std::to_string(config.programmable) + ":64:1"));
        EXPECT_THAT(sentence, testing::HasSubstr("expected one of 6:64:1, 2:47:0; the CMake "
                                                 "variable PES_RTL_SHAPES adds others"));
#endif
    }
}

} // namespace
} // namespace pes::test
