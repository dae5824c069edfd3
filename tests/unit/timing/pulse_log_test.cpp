// SPDX-License-Identifier: Apache-2.0
#include "hw/core/timing/pulses/pulse_log.h"

#include <gtest/gtest.h>

namespace pes {
namespace {

std::uint64_t total(const PulseLog& log, Event event, Cycle through) {
    return log.totals_through(through).events[static_cast<std::size_t>(event)];
}

TEST(PulseLog, ASourcePulsesAtMostOnceInACycle) {
    PulseLog log;
    log.retire(RetiredMask(Event::Load), 5);
    log.retire(RetiredMask(Event::Load) | RetiredMask(Event::Integer), 5);
    EXPECT_EQ(log.at(5).events, event_bit(Event::Load) | event_bit(Event::Integer));
    EXPECT_EQ(log.at(5).retired, 2);
    EXPECT_EQ(total(log, Event::Load, 5), 1u);
    EXPECT_EQ(log.totals_through(5).retired, 2u);
}

TEST(PulseLog, TotalsLeaveOutWhatLiesAhead) {
    PulseLog log;
    log.pulse(Event::Store, 10);
    log.pulse(Event::Store, 12);
    log.retire(12);
    EXPECT_EQ(total(log, Event::Store, 9), 0u);
    EXPECT_EQ(total(log, Event::Store, 10), 1u);
    EXPECT_EQ(total(log, Event::Store, 11), 1u);
    EXPECT_EQ(total(log, Event::Store, 12), 2u);
    EXPECT_EQ(log.totals_through(11).retired, 0u);
}

TEST(PulseLog, AcceptsPulsesOutOfOrder) {
    PulseLog log;
    log.retire(20);
    log.pulse(Event::L1IMiss, 14);
    EXPECT_EQ(log.at(14).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(total(log, Event::L1IMiss, 13), 0u);
    EXPECT_EQ(total(log, Event::L1IMiss, 14), 1u);
}

TEST(PulseLog, LatePulseMovesToTheFirstOpenCycle) {
    PulseLog log;
    log.close(100);
    log.pulse(Event::L1IMiss, 90);
    EXPECT_EQ(total(log, Event::L1IMiss, 100), 0u);
    EXPECT_EQ(log.at(101).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(log.moved(), 1u);
    EXPECT_EQ(total(log, Event::L1IMiss, 101), 1u);
}

TEST(PulseLog, LatePulseSkipsCyclesInWhichItsSourcePulses) {
    PulseLog log;
    log.pulse(Event::L1IMiss, 101);
    log.close(100);
    log.pulse(Event::L1IMiss, 99);
    EXPECT_EQ(log.at(102).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(total(log, Event::L1IMiss, 102), 2u);
}

TEST(PulseLog, MovedPulseGivesWayToARealOne) {
    PulseLog log;
    log.close(100);
    log.pulse(Event::L1IMiss, 99); // now in 101
    log.pulse(Event::L1IMiss, 101);
    EXPECT_EQ(log.at(101).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(log.at(102).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(total(log, Event::L1IMiss, 102), 2u);
}

TEST(PulseLog, LateRetirementMovesAndKeepsTwoACycle) {
    PulseLog log;
    log.close(100);
    for (int i = 0; i < 3; ++i) {
        log.retire(RetiredMask(Event::Integer), 95);
    }
    EXPECT_EQ(log.at(101).retired, 2);
    EXPECT_EQ(log.at(102).retired, 1);
    EXPECT_EQ(log.totals_through(103).retired, 3u);
    EXPECT_EQ(total(log, Event::Integer, 103), 3u);
}

TEST(PulseLog, LevelIsTrueFromItsFirstCycleToBeforeItsLast) {
    PulseLog log;
    log.level(Event::FetchEmpty, 10, 13);
    EXPECT_EQ(log.at(9).events, EventMask());
    EXPECT_EQ(log.at(10).events, event_bit(Event::FetchEmpty));
    EXPECT_EQ(log.at(12).events, event_bit(Event::FetchEmpty));
    EXPECT_EQ(log.at(13).events, EventMask());
    EXPECT_EQ(total(log, Event::FetchEmpty, 11), 2u);
}

TEST(PulseLog, EmptyAndReversedLevelsAreNothing) {
    PulseLog log;
    log.level(Event::FetchEmpty, 10, 10);
    log.level(Event::FetchEmpty, 10, 4);
    EXPECT_EQ(total(log, Event::FetchEmpty, 20), 0u);
}

TEST(PulseLog, LevelOfMillionsOfCyclesCountsToTheCycle) {
    PulseLog log;
    log.level(Event::ScoreboardFull, 1000, 5'001'000);
    EXPECT_EQ(total(log, Event::ScoreboardFull, 999), 0u);
    EXPECT_EQ(total(log, Event::ScoreboardFull, 1'234'567), 1'233'568u);
    EXPECT_EQ(total(log, Event::ScoreboardFull, 6'000'000), 5'000'000u);
    EXPECT_EQ(log.at(5'000'999).events, event_bit(Event::ScoreboardFull));
    EXPECT_EQ(log.at(5'001'000).events, EventMask());
}

TEST(PulseLog, OverlappingLongLevelsMerge) {
    PulseLog log;
    log.level(Event::L1DAccess, 1000, 2000);
    log.level(Event::L1DAccess, 1500, 3000);
    log.level(Event::L1DAccess, 900, 910);
    log.pulse(Event::L1DAccess, 1700);
    EXPECT_EQ(total(log, Event::L1DAccess, 4000), 2010u);
}

TEST(PulseLog, LongLevelSwallowsPulsesOfItsEventOnly) {
    PulseLog log;
    log.pulse(Event::FetchEmpty, 150);
    log.pulse(Event::Load, 150);
    log.level(Event::FetchEmpty, 100, 300);
    EXPECT_EQ(total(log, Event::FetchEmpty, 400), 200u);
    EXPECT_EQ(log.at(150).events, event_bit(Event::FetchEmpty) | event_bit(Event::Load));
}

TEST(PulseLog, EverythingSoFarIncludesLongLevels) {
    PulseLog log;
    log.level(Event::L1IAccess, 100, 400);
    EXPECT_EQ(total(log, Event::L1IAccess, kNever), 300u);
}

TEST(PulseLog, LateLongLevelKeepsItsLength) {
    PulseLog log;
    log.close(1000);
    log.level(Event::PipelineStall, 900, 1100);
    EXPECT_EQ(total(log, Event::PipelineStall, 1000), 0u);
    EXPECT_EQ(total(log, Event::PipelineStall, 1200), 200u);
    EXPECT_EQ(log.moved(), 101u);
}

TEST(PulseLog, AJumpInTimeForgetsNothingThatIsStillOpen) {
    PulseLog log;
    for (Cycle cycle = 1000; cycle < 1020; ++cycle) {
        log.retire(RetiredMask(Event::Integer), cycle);
    }
    log.close(1009);
    log.retire(RetiredMask(Event::Load), 1008 + 512 * 100); // would share a slot with cycle 1008
    EXPECT_EQ(log.at(1012).events, event_bit(Event::Integer));
    EXPECT_EQ(total(log, Event::Integer, 1012), 13u);
    EXPECT_EQ(log.totals_through(1012).retired, 13u);
    EXPECT_EQ(log.totals_through(60'000).retired, 21u);
}

TEST(PulseLog, APulseBeforeAJumpStillFindsItsCycle) {
    PulseLog log;
    log.retire(1000);
    log.retire(100'000);
    log.pulse(Event::L1IMiss, 1003);
    log.pulse(Event::L1IMiss, 1003);
    EXPECT_EQ(log.at(1003).events, event_bit(Event::L1IMiss));
    EXPECT_EQ(total(log, Event::L1IMiss, 1002), 0u);
    EXPECT_EQ(total(log, Event::L1IMiss, 1003), 1u);
}

// A memory several hundred cycles away: stamps lead by more than the ring holds, for good.
TEST(PulseLog, StampsFarAheadKeepTheirCycleAsTimeComesNearer) {
    PulseLog log;
    constexpr Cycle kLead = 10 * PulseLog::kSlots;
    constexpr Cycle kEnd = 20 * PulseLog::kSlots;
    for (Cycle cycle = 0; cycle < kEnd; ++cycle) {
        log.retire(RetiredMask(Event::Load), cycle + kLead);
        log.pulse(Event::L1DMiss, cycle + 1);
        ASSERT_EQ(log.at(cycle + 1).events & event_bit(Event::L1DMiss), event_bit(Event::L1DMiss));
        log.close(cycle);
    }
    EXPECT_EQ(total(log, Event::Load, kEnd - 1), kEnd - kLead);
    EXPECT_EQ(log.totals_through(kNever).retired, kEnd);
    EXPECT_EQ(log.at(kEnd + 5).events, event_bit(Event::Load));
}

// Neither memory nor time may grow with the length of a level.
TEST(PulseLog, ALevelOfHoursTakesNoMoreThanOneOfAMillisecond) {
    PulseLog log;
    constexpr Cycle kLong = Cycle{1} << 45;
    log.level(Event::ScoreboardFull, 0, kLong);
    for (Cycle next = 0; next < 100'000; next += 500) {
        log.level(Event::ScoreboardFull, next, next + 3); // within the long one
        log.close(next);
        EXPECT_EQ(total(log, Event::ScoreboardFull, next), next + 1);
    }
    EXPECT_EQ(log.at(kLong - 1).events, event_bit(Event::ScoreboardFull));
    EXPECT_EQ(log.behind_all(), kLong);
    EXPECT_EQ(total(log, Event::ScoreboardFull, kNever - 1), kLong);
}

// What is decoded behind a WFI waits as long as it does. All that would otherwise be counted as if
// the code after it waited.
TEST(PulseLog, OfALevelThatWasClosedForLongLittleMoves) {
    PulseLog log;
    constexpr Cycle kLong = 1'000'000;
    log.settle_through(kLong);
    log.level(Event::ScoreboardFull, 10, kLong + 5);
    EXPECT_EQ(log.lost(), kLong + 1 - 10 - PulseLog::kMostMoved);
    EXPECT_EQ(total(log, Event::ScoreboardFull, kLong), 0u);
    EXPECT_EQ(total(log, Event::ScoreboardFull, kLong + 100), 100u);
    EXPECT_EQ(total(log, Event::ScoreboardFull, kNever - 1), PulseLog::kMostMoved + 4);
}

// Where a late level goes matters to a counter only.
TEST(PulseLog, OfALevelThatNoCounterCountsClosedCyclesAreInTheTotalsAtOnce) {
    PulseLog log;
    log.keep_late(event_bit(Event::L1IAccess));
    log.settle_through(100);
    log.level(Event::L1IAccess, 90, 95);
    EXPECT_EQ(total(log, Event::L1IAccess, 100), 5u);
    log.level(Event::L1IAccess, 95, 104); // 101, 102 and 103 are open
    EXPECT_EQ(total(log, Event::L1IAccess, 100), 11u);
    EXPECT_EQ(log.at(101).events, event_bit(Event::L1IAccess));
    EXPECT_EQ(total(log, Event::L1IAccess, 102), 13u);
    EXPECT_EQ(total(log, Event::L1IAccess, 200), 14u);
    EXPECT_EQ(log.moved(), 0u);
}

TEST(PulseLog, LateLevelsMoveFromTheTimeOnWhenACounterCountsThem) {
    PulseLog log;
    log.keep_late(event_bit(Event::L1IAccess));
    EXPECT_FALSE(log.spread(event_bit(Event::Load)));
    EXPECT_TRUE(log.spread(event_bit(Event::L1IAccess)));
    EXPECT_FALSE(log.spread(event_bit(Event::L1IAccess)));
    log.settle_through(100);
    log.level(Event::L1IAccess, 90, 95);
    EXPECT_EQ(total(log, Event::L1IAccess, 100), 0u);
    EXPECT_EQ(total(log, Event::L1IAccess, 105), 5u);
    EXPECT_EQ(log.at(101).events, event_bit(Event::L1IAccess));
}

TEST(PulseLog, AJournalTellsWhereLateLevelsGo) {
    PulseLog log;
    std::vector<PlacedPulse> journal;
    log.keep_late(event_bit(Event::L1IAccess));
    log.set_journal(&journal);
    log.settle_through(100);
    log.level(Event::L1IAccess, 80, 85); // in the totals only
    EXPECT_TRUE(journal.empty());
    log.spread(event_bit(Event::L1IAccess));
    log.level(Event::L1IAccess, 90, 95);
    ASSERT_EQ(journal.size(), 1u);
    EXPECT_EQ(journal[0].from, 101u);
    EXPECT_EQ(journal[0].to, 106u);
}

TEST(PulseLogDeathTest, AQuestionAboutACycleHandedOverAborts) {
    PulseLog log;
    log.retire(900);
    log.close(1000);
    EXPECT_DEATH(log.totals_through(999), "");
    EXPECT_DEATH(log.at(1000), "");
}

} // namespace
} // namespace pes
