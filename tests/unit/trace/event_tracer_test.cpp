// SPDX-License-Identifier: Apache-2.0
// Event trace: the table of CKSRC, one in 256 messages with a full address, and what begins and
// ends a trace.
#include "hw/interface/maps/trace.h"
#include "tests/unit/trace/instruction_feed.h"

namespace pes::trace {
namespace {

using namespace test;
namespace event = trace_map::event;

class EventTracerTest : public InstructionFeed {
  protected:
    void start(std::uint32_t events, std::uint64_t period = 0) {
        settings_.mode = InstructionMode::Events;
        settings_.events = events;
        settings_.sync_units = period;
        tracer_.configure(settings_);
        tracer_.start(SyncReason::TraceEnable, cycle_);
    }
};

TraceMessage full(EventSource source, Address address) {
    return make_message(MessageCode::InCircuitTraceSync)
        .set(Field::EventSource, source)
        .set(Field::EventData0, address >> 1);
}
TraceMessage full(EventSource source, Address address, std::uint64_t data) {
    return full(source, address).set(Field::DataFormat, 1).set(Field::EventData1, data);
}
TraceMessage unique(EventSource source, Address reference, Address address) {
    return make_message(MessageCode::InCircuitTrace)
        .set(Field::EventSource, source)
        .set(Field::EventData0, (reference ^ address) >> 1);
}
TraceMessage unique(EventSource source, Address reference, Address address, std::uint64_t data) {
    return unique(source, reference, address)
        .set(Field::DataFormat, 1)
        .set(Field::EventData1, data);
}
const TraceMessage kOnAt1000 = full(EventSource::Control, 0x1000, 2);
using Messages = std::vector<TraceMessage>;

TEST_F(EventTracerTest, BeginsWithTraceOnAndEndsWithTraceOff) {
    start(event::kAll);
    run(kAdd);
    run(kAdd);
    tracer_.stop(CorrelationEvent::TraceDisabled, ++cycle_);
    EXPECT_EQ(messages(), (Messages{kOnAt1000, unique(EventSource::Control, 0x1000, 0x1008, 3)}));
}

TEST_F(EventTracerTest, CountersComeBehindEachEventAndSampleButNotBehindControl) {
    counters_.values = {1000, 100, 7};
    start(event::kCallReturn | event::kCounters, 4);
    counters_.values = {1010, 103, 7, 0, 0, 0, 0, 9};
    run(kAdd);
    EXPECT_EQ(messages(), (Messages{kOnAt1000}));
    jump(kRet, 0x2000); // an event
    EXPECT_EQ(counters_.asked, cycle_);
    ASSERT_EQ(messages().size(), 3U);
    EXPECT_EQ(counters_of(last()), (EventCounters{10, 3, 0, 0, 0, 0, 0, 9}));
    EXPECT_EQ(last().value(Field::EventSource), 12U);
    EXPECT_EQ(last().value(Field::DataFormat), 1U);
    EXPECT_EQ(last().value(Field::EventData0), 0x0003'000AU);
    EXPECT_EQ(last().value(Field::EventData1), std::uint64_t{9} << 48);
    counters_.values = {1011, 50, 7 + 65536, 0, 0, 0, 0, 9 + 65535};
    run(kAdd); // the fourth unit is there: a sample
    EXPECT_EQ(messages().size(), 5U);
    EXPECT_EQ(counters_of(last()), (EventCounters{1, 50, 65535, 0, 0, 0, 0, 65535}));
    tracer_.stop(CorrelationEvent::TraceDisabled, ++cycle_);
    EXPECT_EQ(messages().size(), 6U);
    EXPECT_FALSE(counters_of(last()));
}

TEST_F(EventTracerTest, SaysWhyItBeginsAndEnds) {
    settings_.mode = InstructionMode::Events;
    tracer_.configure(settings_);
    tracer_.start(SyncReason::ExitDebug, cycle_);
    run(kAdd);
    tracer_.stop(CorrelationEvent::EnterDebug, ++cycle_);
    tracer_.start(SyncReason::ExitReset, cycle_);
    run(kAdd);
    tracer_.stop(CorrelationEvent::EnterReset, ++cycle_);
    EXPECT_EQ(messages(), (Messages{full(EventSource::Control, 0x1000, 4),
                                    unique(EventSource::Control, 0x1000, 0x1004, 5),
                                    full(EventSource::Control, 0x1004, 6),
                                    unique(EventSource::Control, 0x1004, 0x1008, 8)}));
}

TEST_F(EventTracerTest, CallsAndReturnsCarryWhatTheProgramDoesNotSay) {
    start(event::kCallReturn);
    jump(kCall2048, 0x1800); // where to is in the program
    jump(kCallA5, 0x4000);
    jump(kRet, 0x1802);
    jump(kJumpA0, 0x5000); // neither call nor return
    jump(kMret, 0x6000);
    EXPECT_EQ(messages(),
              (Messages{kOnAt1000, unique(EventSource::CallReturn, 0x1000, 0x1000),
                        unique(EventSource::CallReturn, 0x1000, 0x1800, (0x1800 ^ 0x4000) >> 1),
                        // the reference is the destination of the one before
                        unique(EventSource::CallReturn, 0x4000, 0x4000, (0x4000 ^ 0x1802) >> 1)}));
}

TEST_F(EventTracerTest, TrapsCarryTheirPlaceAndCause) {
    start(event::kException | event::kInterrupt);
    trap(2, 0x8000);
    trap(kInterrupt | 7, 0x9000);
    EXPECT_EQ(messages(), (Messages{kOnAt1000, unique(EventSource::Exception, 0x1000, 0x1000, 2),
                                    unique(EventSource::Interrupt, 0x1000, 0x8000, 7)}));
}

TEST_F(EventTracerTest, ContextIsThePrivilegeAboveATagOfZero) {
    start(event::kContext);
    jump(kMret, 0x2000);
    privilege_ = Privilege::User;
    run(kAdd);
    trap(8, 0x8000);
    EXPECT_EQ(messages(),
              (Messages{kOnAt1000, unique(EventSource::Context, 0x1000, 0x2000, 0U << 2),
                        unique(EventSource::Context, 0x2000, 0x8000, 3U << 2)}));
}

TEST_F(EventTracerTest, TriggersCarryTheirNumber) {
    start(event::kExternalTrigger);
    run(kAdd);
    tracer_.trigger(2, ++cycle_);
    tracer_.trigger(1, ++cycle_);
    EXPECT_EQ(messages(),
              (Messages{kOnAt1000, unique(EventSource::ExternalTrigger, 0x1000, 0x1004, 2),
                        unique(EventSource::ExternalTrigger, 0x1004, 0x1004, 1)}));
}

TEST_F(EventTracerTest, OnlyWhatIsEnabledIsReported) {
    for (const std::uint32_t enabled :
         {0U, event::kCallReturn, event::kException, event::kInterrupt, event::kContext,
          event::kExternalTrigger}) {
        port_.sent.clear();
        pc_ = 0x1000;
        privilege_ = Privilege::Machine;
        start(enabled);
        jump(kRet, 0x2000);
        privilege_ = Privilege::User;
        run(kAdd);
        privilege_ = Privilege::Machine;
        trap(2, 0x8000);
        trap(kInterrupt | 7, 0x9000);
        tracer_.trigger(0, ++cycle_);
        const std::size_t expected = enabled == 0 ? 1 : enabled == event::kContext ? 3 : 2;
        EXPECT_EQ(messages().size(), expected) << enabled;
    }
}

TEST_F(EventTracerTest, SamplesThePcOncePerPeriodOfHalfWords) {
    start(0, 6);
    run(kAdd);  // 2
    run(kAdd);  // 4
    run(kCAdd); // 5
    run(kAdd);  // 7: a sample, and one half-word is left over
    run(kAdd);  // 3
    run(kAdd);  // 5
    run(kCAdd); // 6: a sample
    EXPECT_EQ(messages(), (Messages{kOnAt1000, unique(EventSource::PcSample, 0x1000, 0x100A),
                                    unique(EventSource::PcSample, 0x100A, 0x1016)}));
}

TEST_F(EventTracerTest, OneMessageIn256HasAFullAddress) {
    start(0, 2);
    for (int count = 0; count < 600; ++count) {
        jump(kAdd, 0x1000);
    }
    std::vector<std::size_t> absolute;
    for (std::size_t index = 0; index < port_.sent.size(); ++index) {
        if (port_.sent[index].message.code == MessageCode::InCircuitTraceSync) {
            absolute.push_back(index);
        }
    }
    EXPECT_EQ(absolute, (std::vector<std::size_t>{0, 256, 512}));
}

TEST_F(EventTracerTest, AfterALossTheNextInstructionBeginsAgain) {
    start(0, 2);
    run(kAdd);
    port_.full = [] { return true; };
    run(kAdd);
    run(kAdd);
    port_.full = nullptr;
    jump(kAdd, 0x2000);
    EXPECT_EQ(messages(),
              (Messages{kOnAt1000, unique(EventSource::PcSample, 0x1000, 0x1000),
                        make_message(MessageCode::Error), full(EventSource::Control, 0x100C, 0),
                        unique(EventSource::PcSample, 0x100C, 0x100C)}));
}

TEST_F(EventTracerTest, ATriggerMakesTheNextMessageASynchronisingOne) {
    start(event::kCallReturn);
    run(kAdd);
    tracer_.synchronise(SyncReason::ExternalTrigger, cycle_);
    jump(kRet, 0x2000);
    EXPECT_EQ(messages(),
              (Messages{kOnAt1000, full(EventSource::CallReturn, 0x1004, (0x1004 ^ 0x2000) >> 1)}));
}

} // namespace
} // namespace pes::trace
