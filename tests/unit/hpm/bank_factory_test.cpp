// SPDX-License-Identifier: Apache-2.0
// What people are told who ask for counters that this build does not have.
#include "hw/common/host/user_error.h"
#include "hw/hpm/rtl/bank_factory.h"
#include "tests/unit/common/user_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pes::test {
namespace {

TEST(BankFactory, MakesTheModelWithoutAskingForRtl) {
    EXPECT_NE(make_counter_bank(CounterConfig{.programmable = 13}), nullptr);
}

TEST(BankFactory, RefusesRtlWithOneSentence) {
    for (const CounterKind kind : {CounterKind::Rtl, CounterKind::Lockstep}) {
        const std::string sentence = user_error(
            [kind] { make_counter_bank(CounterConfig{.kind = kind, .programmable = 13}); });
#ifdef PES_WITHOUT_RTL
        EXPECT_EQ(sentence, "counters.model = rtl or lockstep needs RTL counters, and this pes-vp "
                            "was built without Verilator; expected tlm");
#else
        EXPECT_THAT(sentence, testing::HasSubstr("no RTL counters of shape 13:64:1"));
        EXPECT_THAT(sentence, testing::HasSubstr("PES_RTL_SHAPES"));
#endif
    }
}

} // namespace
} // namespace pes::test
