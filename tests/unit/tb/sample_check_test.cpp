// SPDX-License-Identifier: Apache-2.0
// The distances are those measured on CVA6 RTL (docs/waveforms.md).
#include "tb/sample_check.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

constexpr Cycle kEvent = 1000;

/// A sample as the RTL takes it.
Sample rtl_sample() {
    Sample sample;
    sample.counter = 3;
    sample.selector = 21;
    sample.threshold = 3;
    sample.skid = 9;
    sample.mepc = sample.resumed_pc = 0x8000'0096;
    const auto set = [&sample](Step step, Cycle distance) {
        sample.steps[static_cast<std::size_t>(step)] = kEvent + distance;
    };
    set(Step::Event, 0);
    set(Step::ThresholdReached, 1);
    set(Step::Line, 1);
    set(Step::Request, 1);
    set(Step::Pending, 2);
    set(Step::Target, 3);
    set(Step::Mip, 4);
    set(Step::TrapTaken, 7);
    set(Step::HandlerStarts, 14);
    set(Step::Inhibit, 21);
    set(Step::Claim, 24);
    set(Step::Store, 34);
    set(Step::Reset, 38);
    set(Step::Complete, 41);
    set(Step::UninhibitRetires, 42);
    set(Step::ReturnRetires, 44);
    set(Step::Resume, 51);
    return sample;
}

Sample with(Step step, std::optional<Cycle> distance) {
    Sample sample = rtl_sample();
    sample.steps[static_cast<std::size_t>(step)] =
        distance ? std::optional(kEvent + *distance) : std::nullopt;
    return sample;
}

std::size_t count(const Sample& sample, const CheckOptions& options, Verdict verdict) {
    const std::vector<CheckRow> rows = check_sample(sample, options);
    return static_cast<std::size_t>(std::ranges::count(rows, verdict, &CheckRow::verdict));
}

constexpr CheckOptions kLoop{.figures = RtlFigures::Loop};
constexpr CheckOptions kAny{.figures = RtlFigures::Interrupt};

TEST(SampleCheck, AcceptsWhatTheRtlDoes) {
    EXPECT_EQ(count(rtl_sample(), kLoop, Verdict::Holds), kStepCount + 2); // and two facts
}

TEST(SampleCheck, DemandsTheInterruptStagesOfEveryProgram) {
    for (const auto& [step, late] : {std::pair{Step::ThresholdReached, 2},
                                     {Step::Request, 2},
                                     {Step::Pending, 3},
                                     {Step::Target, 4},
                                     {Step::Mip, 5}}) {
        EXPECT_NE(count(with(step, late), kAny, Verdict::Fails), 0U) << title_of(step);
    }
}

TEST(SampleCheck, DemandsTrapAndReturnOfTheLoopOnly) {
    for (const auto& [step, late] :
         {std::pair{Step::TrapTaken, 8}, {Step::HandlerStarts, 15}, {Step::Resume, 53}}) {
        EXPECT_EQ(count(with(step, late), kAny, Verdict::Fails), 0U) << title_of(step);
        EXPECT_NE(count(with(step, late), kAny, Verdict::Differs), 0U) << title_of(step);
        EXPECT_NE(count(with(step, late), kLoop, Verdict::Fails), 0U) << title_of(step);
    }
}

TEST(SampleCheck, DemandsTheLengthOfTheHandlerOfTheLoopOnly) {
    EXPECT_EQ(count(with(Step::UninhibitRetires, 40), kLoop, Verdict::Fails), 1U);
    EXPECT_EQ(count(with(Step::UninhibitRetires, 40), kAny, Verdict::Holds),
              count(rtl_sample(), kAny, Verdict::Holds));
}

TEST(SampleCheck, FailsOnAWrongOrder) {
    EXPECT_NE(count(with(Step::Claim, 13), kAny, Verdict::Fails), 0U);
    EXPECT_NE(count(with(Step::Store, 23), kAny, Verdict::Fails), 0U);
    EXPECT_NE(count(with(Step::Complete, 37), kAny, Verdict::Fails), 0U);
}

TEST(SampleCheck, FailsWhenAStepDoesNotHappen) {
    EXPECT_NE(count(with(Step::Complete, {}), kAny, Verdict::Fails), 0U);
    EXPECT_NE(count(with(Step::Inhibit, {}), kAny, Verdict::Fails), 0U);
}

TEST(SampleCheck, WantsNoInhibitionWhereTheCounterRuns) {
    EXPECT_EQ(count(with(Step::Inhibit, {}),
                    {.figures = RtlFigures::Interrupt, .handler_inhibits = false}, Verdict::Fails),
              0U);
}

TEST(SampleCheck, DemandsTheSkidOfTheRtl) {
    Sample sample = rtl_sample();
    sample.skid = 12;
    EXPECT_EQ(count(sample, kLoop, Verdict::Fails), 1U);
    sample.skid = 5;
    EXPECT_EQ(count(sample, kLoop, Verdict::Fails), 1U);
}

TEST(SampleCheck, DemandsNoTrapOfASampleThatACallHasTaken) {
    Sample sample = rtl_sample();
    sample.taken = Taken::ByCall;
    for (const Step step : {Step::TrapTaken, Step::HandlerStarts, Step::Claim, Step::Complete,
                            Step::UninhibitRetires, Step::ReturnRetires, Step::Resume}) {
        sample.steps[static_cast<std::size_t>(step)].reset();
    }
    EXPECT_TRUE(sample.complete());
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 0U);
    sample.steps[static_cast<std::size_t>(Step::Inhibit)].reset();
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 1U);
}

TEST(SampleCheck, SaysThatASampleHasNoRecord) {
    const Sample sample = with(Step::Store, {});
    EXPECT_FALSE(sample.recorded());
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 0U);
    EXPECT_NE(format_check(sample, check_sample(sample, kAny)).find("no record"),
              std::string::npos);
}

TEST(SampleCheck, TakesTheInterruptThatIsUpForAnotherSource) {
    Sample sample = with(Step::Target, {});
    sample.steps[static_cast<std::size_t>(Step::Mip)].reset();
    EXPECT_NE(count(sample, kAny, Verdict::Fails), 0U);
    sample.line_shared = true;
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 0U);
}

TEST(SampleCheck, AllowsAnotherTrapBehindTheReturn) {
    Sample sample = with(Step::Resume, 80);
    sample.resumed_pc = 0x8020'0000;
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 1U);
    sample.trapped_again = true;
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 0U);
}

TEST(SampleCheck, NamesCounterAndCause) {
    Sample sample = rtl_sample();
    sample.counter = 0;
    sample.cause = EventCause::Other;
    EXPECT_EQ(format_check(sample, {}).find("mcycle, event 21, threshold 3: event behind pc"), 0U);
    sample.counter = 31;
    sample.cause = EventCause::Write;
    EXPECT_EQ(format_check(sample, {}).find("mhpmcounter31, event 21, threshold 3: written at"),
              0U);
}

TEST(SampleCheck, DemandsResumptionAtMepc) {
    Sample sample = rtl_sample();
    sample.resumed_pc += 2;
    EXPECT_EQ(count(sample, kAny, Verdict::Fails), 1U);
}

} // namespace
} // namespace pes::test
