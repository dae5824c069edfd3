// SPDX-License-Identifier: Apache-2.0
#include "decoder/trace/calls/call_tracker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace pes::trace {
namespace {

using testing::ElementsAre;

/// "+200" entered, "-200" returned, "~200" unwound, "?200" lost, "!200" stopped; traps in brackets.
class Log : public CallListener {
  public:
    void entered(std::uint16_t, const std::vector<Frame>& frames) override {
        add('+', frames.back());
        deepest = std::max(deepest, frames.size());
    }
    void left(std::uint16_t, const std::vector<Frame>& frames, FrameEnd end, FlowTime) override {
        add("-~?!"[static_cast<std::size_t>(end)], frames.back());
    }
    void ran(const InstructionRun& run, const std::vector<Frame>& frames) override {
        instructions[frames.empty() ? 0 : frames.back().entry] += run.instructions;
    }

    std::vector<std::string> words;
    std::map<Address, std::uint64_t> instructions;
    std::size_t deepest = 0;

  private:
    void add(char mark, const Frame& frame) {
        char text[32];
        std::snprintf(text, sizeof text, frame.kind == FrameKind::Trap ? "%c[%llx]" : "%c%llx",
                      mark, static_cast<unsigned long long>(frame.entry));
        words.emplace_back(text);
    }
};

class CallFrames : public ::testing::Test {
  protected:
    void run(RunEnd end, Address last, std::optional<Address> next, std::uint16_t source = 0) {
        tracker_.ran({source, end, 4, 3, last - 8, last, next, std::nullopt});
    }
    void call(Address from, Address to) { run(RunEnd::Call, from, to); }
    void ret(Address from, Address to) { run(RunEnd::Return, from, to); }

    Log log_;
    CallTracker tracker_{log_};
};

TEST_F(CallFrames, NestAndReturn) {
    call(0x100, 0x200);
    call(0x210, 0x300);
    ret(0x320, 0x214);
    ret(0x230, 0x104);
    EXPECT_THAT(log_.words, ElementsAre("+200", "+300", "-300", "-200"));
    EXPECT_EQ(log_.instructions[0x200], 6U) << "two runs of three";
    EXPECT_EQ(log_.instructions[0x300], 3U);
}

TEST_F(CallFrames, AReturnOverSeveralLeavesThemAll) {
    call(0x100, 0x200);
    call(0x210, 0x300);
    call(0x310, 0x400);
    ret(0x420, 0x104); // longjmp
    EXPECT_THAT(log_.words, ElementsAre("+200", "+300", "+400", "~400", "~300", "-200"));
}

TEST_F(CallFrames, AReturnToNowhereKnownEmptiesTheStack) {
    call(0x100, 0x200);
    ret(0x220, 0x900);
    ret(0x920, 0x999);
    EXPECT_THAT(log_.words, ElementsAre("+200", "~200"));
}

TEST_F(CallFrames, ATrapIsAFrameThatOnlyItsOwnReturnLeaves) {
    call(0x100, 0x200);
    tracker_.trapped({0, TrapKind::Interrupt, 0x204, 0x800, std::nullopt});
    call(0x810, 0x900);
    ret(0x920, 0x104); // not of the code that was interrupted
    run(RunEnd::TrapReturn, 0x830, 0x204);
    ret(0x220, 0x104);
    EXPECT_THAT(log_.words, ElementsAre("+200", "+[800]", "+900", "~900", "-[800]", "-200"));
}

TEST_F(CallFrames, CoroutinesLeaveAndEnter) {
    call(0x100, 0x200);
    run(RunEnd::ReturnAndCall, 0x210, 0x104);
    EXPECT_THAT(log_.words, ElementsAre("+200", "-200", "+104"));
}

TEST_F(CallFrames, AGapAndAStopLeaveEverything) {
    call(0x100, 0x200);
    FlowGap gap;
    tracker_.gap(gap);
    call(0x100, 0x200);
    tracker_.stopped({});
    EXPECT_THAT(log_.words, ElementsAre("+200", "?200", "+200", "!200"));
}

TEST_F(CallFrames, SourcesHaveStacksOfTheirOwn) {
    run(RunEnd::Call, 0x100, 0x200, 0);
    run(RunEnd::Call, 0x100, 0x300, 1);
    run(RunEnd::Return, 0x210, 0x104, 0);
    EXPECT_THAT(log_.words, ElementsAre("+200", "+300", "-200"));
}

TEST_F(CallFrames, EndlessRecursionStaysBounded) {
    constexpr std::size_t kMore = 10;
    for (std::size_t i = 0; i < CallTracker::kMostFrames + kMore; ++i) {
        call(0x210, 0x200);
    }
    EXPECT_EQ(log_.deepest, CallTracker::kMostFrames);
    for (std::size_t i = 0; i < kMore; ++i) {
        ret(0x220, 0x214);
    }
    EXPECT_EQ(log_.words.size(), CallTracker::kMostFrames) << "their returns are passed over";
    ret(0x220, 0x214);
    EXPECT_EQ(log_.words.back(), "-200");
}

} // namespace
} // namespace pes::trace
