// SPDX-License-Identifier: Apache-2.0
// The callers of instrumented functions.
#include "firmware/perf/function_stack.h"

#include <gtest/gtest.h>

namespace pes::perf {
namespace {

constexpr std::uint64_t kMain = 0x100;
constexpr std::uint64_t kOuter = 0x200;
constexpr std::uint64_t kInner = 0x300;

TEST(FunctionStack, CallerIsTheFunctionThatWasEnteredBefore) {
    FunctionStack stack;
    EXPECT_EQ(stack.enter(kMain), 0U); // nobody knows who called the first
    EXPECT_EQ(stack.enter(kOuter), kMain);
    EXPECT_EQ(stack.enter(kOuter), kOuter);
    EXPECT_EQ(stack.leave(kOuter), kOuter);
    EXPECT_EQ(stack.enter(kInner), kOuter);
    EXPECT_EQ(stack.leave(kInner), kOuter);
    EXPECT_EQ(stack.leave(kOuter), kMain);
    EXPECT_EQ(stack.leave(kMain), 0U);
}

TEST(FunctionStack, ExitOfAFunctionThatNobodySawEnteringChangesNothing) {
    FunctionStack stack;
    EXPECT_EQ(stack.leave(kInner), 0U);
    EXPECT_EQ(stack.enter(kMain), 0U);
    EXPECT_EQ(stack.leave(kInner), kMain);
    EXPECT_EQ(stack.enter(kOuter), kMain);
}

TEST(FunctionStack, FunctionsThatWereLeftWithoutAnExitGoWithTheirCaller) {
    FunctionStack stack;
    stack.enter(kMain);
    stack.enter(kOuter);
    stack.enter(kInner); // longjmp to main
    EXPECT_EQ(stack.leave(kMain), 0U);
    EXPECT_EQ(stack.enter(kMain), 0U);
}

TEST(FunctionStack, BelowItsDepthCallersAreNotKnownAndAboveItAgain) {
    FunctionStack stack;
    for (std::uint64_t i = 1; i <= FunctionStack::kDepth; ++i) {
        EXPECT_EQ(stack.enter(16 * i), 16 * (i - 1));
    }
    constexpr std::uint64_t kLast = 16 * FunctionStack::kDepth;
    EXPECT_EQ(stack.enter(kOuter), kLast); // the last caller that is known
    EXPECT_EQ(stack.enter(kInner), 0U);
    EXPECT_EQ(stack.leave(kInner), 0U);
    EXPECT_EQ(stack.leave(kOuter), kLast);
    EXPECT_EQ(stack.leave(kLast), kLast - 16);
}

} // namespace
} // namespace pes::perf
