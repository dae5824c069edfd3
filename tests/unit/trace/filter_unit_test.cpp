// SPDX-License-Identifier: Apache-2.0
// Filters and comparators one rule at a time, by the text of the Trace Control Interface 1.0, and
// what the tracers say where filters let the trace begin and end (N-Trace 1.0: ProgTraceCorrelation
// with EVCODE 4, SYNC 5 and 6; E-Trace 2.0: support packets, notify).
#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/flow_messages.h"
#include "tests/unit/trace/instruction_feed.h"

#include <gmock/gmock.h>

#include <sstream>

namespace pes::trace::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr std::uint32_t kSret = 0x10200073;

/// Instructions of four bytes from 0x1000 on; each returns whether it is traced.
class Unit : public ::testing::Test {
  protected:
    void use() {
        settings_.selected = 1;
        settings_.filters[0].enable = true;
        unit_.configure(settings_);
        unit_.reset();
    }
    void ask(std::size_t which, std::uint8_t comparator) {
        settings_.filters[0].asks.at(which) = {.match = true, .comparator = comparator};
    }
    bool at(Address pc, std::uint32_t raw = kAdd, Privilege mode = Privilege::Machine) {
        verdict_ = unit_.retired({.cycle = ++cycle_,
                                  .pc = pc,
                                  .next_pc = pc + 4,
                                  .raw = raw,
                                  .length = 4,
                                  .privilege = mode});
        return verdict_.traced;
    }
    void trap(std::uint64_t cause, std::uint64_t tval = 0) {
        unit_.trapped({.cycle = ++cycle_,
                       .cause = cause,
                       .epc = 0,
                       .tval = tval,
                       .vector = 0,
                       .from = Privilege::Machine,
                       .to = Privilege::Machine});
    }
    ComparatorSettings& comparator(std::size_t index) { return settings_.comparators.at(index); }
    /// Traced or not for addresses around the value 0x1008.
    std::vector<bool> around() { return {at(0x1004), at(0x1008), at(0x100C)}; }

    TraceFilters settings_;
    FilterUnit unit_;
    FilterUnit::Verdict verdict_;
    Cycle cycle_ = 0;
};

// --- Filters -------------------------------------------------------------------------------------

TEST_F(Unit, WithoutASelectedFilterAllIsTraced) {
    settings_.filters[0].enable = true;
    settings_.filters[0].by_privilege = true; // of no mode
    unit_.configure(settings_);
    unit_.reset();
    EXPECT_FALSE(unit_.on());
    EXPECT_TRUE(at(0x1000));
}

TEST_F(Unit, AFilterWithoutConditionsMatchesAll) {
    use();
    EXPECT_TRUE(unit_.on());
    EXPECT_TRUE(at(0x1000));
}

TEST_F(Unit, ASelectedFilterThatIsNotEnabledMatchesNothing) {
    settings_.selected = 2;
    unit_.configure(settings_);
    EXPECT_FALSE(at(0x1000));
}

TEST_F(Unit, SeveralFiltersAreAnOr) {
    settings_.filters[0].by_privilege = true;
    settings_.filters[0].privileges = 1; // U
    settings_.filters[1] = settings_.filters[0];
    settings_.filters[1].enable = true;
    settings_.filters[1].privileges = 2; // S
    use();
    settings_.selected = 3;
    unit_.configure(settings_);
    EXPECT_TRUE(at(0x1000, kAdd, Privilege::User));
    EXPECT_TRUE(at(0x1000, kAdd, Privilege::Supervisor));
    EXPECT_FALSE(at(0x1000, kAdd, Privilege::Machine));
}

TEST_F(Unit, ConditionsOfOneFilterAreAnAnd) {
    settings_.filters[0].by_privilege = true;
    settings_.filters[0].privileges = 8; // M
    comparator(2).primary = {.function = CompareFunction::Greater, .value = 0x1000};
    comparator(3).primary = {.function = CompareFunction::Less, .value = 0x1010};
    ask(0, 2);
    ask(2, 3);
    use();
    EXPECT_FALSE(at(0x1000));
    EXPECT_TRUE(at(0x1008));
    EXPECT_FALSE(at(0x1008, kAdd, Privilege::User));
    EXPECT_FALSE(at(0x1010));
}

TEST_F(Unit, CauseMatchesFromTheTrapToItsReturn) {
    settings_.filters[0].by_cause = true;
    settings_.filters[0].causes = 1U << 7 | std::uint64_t{1} << 40;
    use();
    EXPECT_FALSE(at(0x1000));
    trap(2);
    EXPECT_FALSE(at(0x2000));
    EXPECT_FALSE(at(0x2004, kMret));
    trap(7);
    EXPECT_TRUE(at(0x2000));
    EXPECT_TRUE(at(0x2004, kMret)) << "the return itself is in the handler";
    EXPECT_FALSE(at(0x1000));
    trap(kInterrupt | 7); // ecause has no interrupt bit
    EXPECT_TRUE(at(0x2000, kSret));
    EXPECT_FALSE(at(0x1000));
    trap(40);
    EXPECT_TRUE(at(0x2000));
}

TEST_F(Unit, ACauseBeyondTheRegistersMatchesNothing) {
    settings_.filters[0].by_cause = true;
    settings_.filters[0].causes = ~std::uint64_t{0};
    use();
    trap(64);
    EXPECT_FALSE(at(0x2000));
}

TEST_F(Unit, NestedTrapsAreCounted) {
    settings_.filters[0].by_interrupt = true;
    settings_.filters[0].interrupts = true;
    use();
    trap(2); // an exception is none
    EXPECT_FALSE(at(0x2000));
    trap(kInterrupt | 5);
    EXPECT_TRUE(at(0x3000));
    trap(2);
    EXPECT_TRUE(at(0x4000, kMret)) << "inside of the one that matches";
    EXPECT_TRUE(at(0x3004, kMret));
    EXPECT_FALSE(at(0x2004, kMret));
    EXPECT_FALSE(at(0x1000));
}

TEST_F(Unit, CauseAndInterruptHaveToFitTheSameTrap) {
    settings_.filters[0].by_interrupt = true;
    settings_.filters[0].by_cause = true;
    settings_.filters[0].causes = 1U << 7;
    use();
    trap(kInterrupt | 7); // interrupts = false: exceptions
    EXPECT_FALSE(at(0x2000));
    trap(7);
    EXPECT_TRUE(at(0x3000));
}

// --- Comparators ---------------------------------------------------------------------------------

TEST_F(Unit, PrimaryFunctions) {
    const std::pair<CompareFunction, std::vector<bool>> expected[] = {
        {CompareFunction::Equal, {false, true, false}},
        {CompareFunction::NotEqual, {true, false, true}},
        {CompareFunction::Less, {true, false, false}},
        {CompareFunction::LessOrEqual, {true, true, false}},
        {CompareFunction::Greater, {false, false, true}},
        {CompareFunction::GreaterOrEqual, {false, true, true}},
        {CompareFunction::Special, {false, false, false}},
        {CompareFunction::Always, {true, true, true}},
    };
    ask(0, 0);
    for (const auto& [function, matches] : expected) {
        comparator(0).primary = {.function = function, .value = 0x1008};
        use();
        EXPECT_EQ(around(), matches) << static_cast<int>(function);
    }
}

TEST_F(Unit, SecondaryFunctionsInModeBoth) {
    const std::pair<CompareFunction, std::vector<bool>> expected[] = {
        {CompareFunction::Equal, {false, true, false}},
        {CompareFunction::NotEqual, {true, false, true}},
        {CompareFunction::Less, {true, false, false}},
        {CompareFunction::LessOrEqual, {true, true, false}},
        {CompareFunction::Greater, {false, false, true}},
        {CompareFunction::GreaterOrEqual, {false, true, true}},
        {CompareFunction::Special, {true, true, true}},
        {CompareFunction::Always, {true, true, true}},
    };
    ask(1, 3);
    comparator(3).mode = MatchMode::Both;
    comparator(3).primary.function = CompareFunction::Always;
    for (const auto& [function, matches] : expected) {
        comparator(3).secondary = {.function = function, .value = 0x1008};
        use();
        EXPECT_EQ(around(), matches) << static_cast<int>(function);
    }
}

TEST_F(Unit, ComparisonsAreUnsigned) {
    comparator(0).primary = {.function = CompareFunction::Greater, .value = 0x1000};
    ask(0, 0);
    use();
    EXPECT_TRUE(at(0xFFFF'FFFF'8000'0000));
}

TEST_F(Unit, ModeNotBothIsTheOutsideOfARange) {
    comparator(0) = {.primary = {.function = CompareFunction::GreaterOrEqual, .value = 0x1008},
                     .secondary = {.function = CompareFunction::Less, .value = 0x100C},
                     .mode = MatchMode::NotBoth};
    ask(0, 0);
    use();
    EXPECT_EQ(around(), (std::vector{true, false, true}));
}

TEST_F(Unit, TheSecondaryValueCanBeAMaskForThePrimary) {
    comparator(0) = {.primary = {.function = CompareFunction::Equal, .value = 0x1FF8},
                     .secondary = {.function = CompareFunction::Special, .value = 0x00F}};
    ask(0, 0);
    use();
    EXPECT_EQ(around(), (std::vector{false, true, false}));
    EXPECT_TRUE(at(0x7'7778));
}

TEST_F(Unit, ALatchHoldsFromThePrimaryUpToTheSecondary) {
    comparator(0) = {
        .primary = {.value = 0x1004}, .secondary = {.value = 0x2000}, .mode = MatchMode::Latch};
    ask(0, 0);
    use();
    EXPECT_FALSE(at(0x1000));
    EXPECT_FALSE(at(0x2000));
    EXPECT_TRUE(at(0x1004));
    EXPECT_TRUE(at(0x9000));
    EXPECT_TRUE(at(0x2000)) << "until the instruction behind it";
    EXPECT_FALSE(at(0x2004));
    EXPECT_TRUE(at(0x1004));
}

TEST_F(Unit, ALatchOfOneInstructionWhereBothMatch) {
    comparator(0) = {
        .primary = {.value = 0x1004}, .secondary = {.value = 0x1004}, .mode = MatchMode::Latch};
    ask(0, 0);
    use();
    EXPECT_EQ((std::vector{at(0x1000), at(0x1004), at(0x1008)}), (std::vector{false, true, false}));
}

TEST_F(Unit, PrimaryFunction6PrimesTheLatch) {
    comparator(0) = {.primary = {.function = CompareFunction::Special},
                     .secondary = {.value = 0x1008},
                     .mode = MatchMode::Latch};
    ask(0, 0);
    use();
    EXPECT_EQ(around(), (std::vector{true, true, false}));
    EXPECT_FALSE(at(0x1004)) << "it is not set again";
}

TEST_F(Unit, ATrapValueStaysUntilTheNextTrap) {
    comparator(0).primary = {.input = CompareInput::TrapValue, .value = 0xBAD};
    ask(0, 0);
    use();
    EXPECT_FALSE(at(0x1000));
    trap(13, 0xBAD);
    EXPECT_TRUE(at(0x2000));
    EXPECT_TRUE(at(0x2004, kMret));
    EXPECT_TRUE(at(0x1000));
    trap(13, 0xBAE);
    EXPECT_FALSE(at(0x2000));
}

TEST_F(Unit, NotifyWorksWithoutFiltersAndOfAddressesOnly) {
    comparator(1) = {.primary = {.notify = true, .value = 0x1008},
                     .secondary = {.input = CompareInput::TrapValue, .notify = true, .value = 0}};
    unit_.configure(settings_);
    EXPECT_TRUE(unit_.on());
    EXPECT_TRUE(at(0x1004));
    EXPECT_FALSE(verdict_.notify) << "the trap value is 0, but no address";
    EXPECT_TRUE(at(0x1008));
    EXPECT_TRUE(verdict_.notify);
}

TEST_F(Unit, NothingIsNotifiedThatIsNotTraced) {
    comparator(1).secondary = {.notify = true, .value = 0x1008};
    settings_.filters[0].by_privilege = true;
    use();
    EXPECT_FALSE(at(0x1008));
    EXPECT_FALSE(verdict_.notify);
}

// --- Messages ------------------------------------------------------------------------------------

class FilteredMessages : public InstructionFeed {
  protected:
    /// Addresses from `first` to below `end`.
    void begin(InstructionMode mode, Address first, Address end) {
        filters_.selected = 1;
        filters_.filters[0].enable = true;
        filters_.filters[0].asks[0] = {.match = true, .comparator = 0};
        filters_.comparators[0] = {
            .primary = {.function = CompareFunction::GreaterOrEqual, .value = first},
            .secondary = {.function = CompareFunction::Less, .value = end},
            .mode = MatchMode::Both};
        begin(mode);
    }
    void begin(InstructionMode mode) {
        settings_.mode = mode;
        settings_.dialect = TimestampDialect::NTrace;
        tracer_.configure(settings_);
        tracer_.set_filters(filters_);
        tracer_.start(SyncReason::ExternalTrigger, 0);
    }
    TraceFilters filters_;
};

TraceMessage off(std::uint64_t units) {
    return make_message(MessageCode::ProgramTraceCorrelation)
        .set(Field::EventCode, CorrelationEvent::TraceDisabled)
        .set(Field::DataFormat, 0)
        .set(Field::InstructionCount, units);
}

TEST_F(FilteredMessages, EachStretchBeginsWithASynchronisingMessageAndEndsWithACorrelation) {
    begin(InstructionMode::Branches, 0x1004, 0x100A);
    run(kAdd);
    EXPECT_THAT(messages(), IsEmpty());
    run(kAdd);  // 0x1004
    run(kCAdd); // 0x1008
    run(kAdd);  // 0x100A
    run(kAdd);
    begin_at(0x1004);
    run(kAdd);
    stop();
    EXPECT_THAT(messages(), ElementsAre(sync(SyncReason::ExternalTrigger, 0x1004), off(3),
                                        sync(SyncReason::TraceEnable, 0x1004), off(2)));
}

TEST_F(FilteredMessages, ATrapBehindATracedInstructionIsToldAndOthersAreNot) {
    begin(InstructionMode::Branches, 0x1004, 0x1008);
    run(kAdd);
    trap(2, 0x3000); // behind 0x1000
    run(kAdd);
    EXPECT_THAT(messages(), IsEmpty());
    begin_at(0x1004);
    run(kAdd);
    trap(2, 0x3000); // behind 0x1004
    run(kAdd);
    const TraceMessage exception = make_message(MessageCode::IndirectBranch)
                                       .set(Field::BranchType, BranchType::Exception)
                                       .set(Field::InstructionCount, 2)
                                       .set(Field::Address, (0x3000 ^ 0x1004) >> 1);
    EXPECT_THAT(messages(),
                ElementsAre(sync(SyncReason::ExternalTrigger, 0x1004), exception, off(0)));
}

TEST_F(FilteredMessages, NothingIsSentIfNothingMatches) {
    begin(InstructionMode::History, 0x5000, 0x6000);
    run(kAdd);
    trap(2, 0x3000);
    run(kAdd);
    tracer_.synchronise(SyncReason::ExternalTrigger, cycle_);
    stop();
    EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilteredMessages, InstructionsUpToTheStartAreNotSeen) {
    filters_.comparators[0] = {
        .primary = {.value = 0x1000}, .secondary = {.value = 0x9000}, .mode = MatchMode::Latch};
    filters_.selected = 1;
    filters_.filters[0].enable = true;
    filters_.filters[0].asks[0] = {.match = true, .comparator = 0};
    begin(InstructionMode::Branches);
    tracer_.start(SyncReason::TraceEnable, cycle_ + 1);
    run(kAdd); // in that cycle: it would set the latch
    run(kAdd);
    stop();
    EXPECT_THAT(messages(), IsEmpty());
}

TEST_F(FilteredMessages, AWatchpointIsASynchronisingMessageWithItsAddress) {
    filters_.comparators[3].primary = {.notify = true, .value = 0x1008};
    begin(InstructionMode::Branches);
    run(kAdd);
    run(kAdd);
    run(kAdd); // 0x1008
    run(kAdd);
    stop();
    EXPECT_THAT(messages(), ElementsAre(sync(SyncReason::ExternalTrigger, 0x1000),
                                        sync(SyncReason::Watchpoint, 0x1008, 4), off(4)));
}

TEST_F(FilteredMessages, EventsAreNotFiltered) {
    begin(InstructionMode::Events, 0x5000, 0x6000);
    run(kAdd);
    EXPECT_THAT(messages(), testing::SizeIs(1)) << "trace on";
}

/// The last message of a stretch waits for room, and meanwhile software ends the trace and begins
/// one without filters.
TEST_F(FilteredMessages, AStartWhileTheEndOfAStretchWaitsCounts) {
    begin(InstructionMode::Branches, 0x1000, 0x1004);
    run(kAdd);
    bool once = true;
    port_.during_send = [&] {
        if (std::exchange(once, false)) {
            tracer_.stop(CorrelationEvent::TraceDisabled, cycle_);
            tracer_.configure(settings_);
            tracer_.set_filters({});
            tracer_.start(SyncReason::TraceEnable, cycle_);
        }
    };
    run(kAdd);
    run(kAdd);
    EXPECT_EQ(last(), sync(SyncReason::TraceEnable, 0x1008));
}

// --- Packets -------------------------------------------------------------------------------------

class FilteredPackets : public ::testing::Test {
  protected:
    void begin() {
        tracer_.configure({.protocol = Protocol::ETrace, .mode = InstructionMode::History});
        tracer_.set_filters(filters_);
        tracer_.start(SyncReason::TraceEnable, 0);
    }
    void run(unsigned count) {
        for (; count != 0; --count, pc_ += 4) {
            tracer_.retired({.cycle = ++cycle_,
                             .pc = pc_,
                             .next_pc = pc_ + 4,
                             .raw = kAdd,
                             .length = 4,
                             .privilege = Privilege::Machine});
        }
    }
    /// Format 3: subformat, others: format; with what tells one from the other.
    std::vector<std::string> packets() const {
        std::vector<std::string> list;
        for (const etrace::Frame& frame : recorder_.frames) {
            const etrace::Packet& packet = frame.packet;
            std::ostringstream text;
            if (packet.is(etrace::Sync::Support)) {
                text << "support " << static_cast<int>(packet.qual_status);
            } else if (packet.is(etrace::Sync::Start)) {
                text << "start " << std::hex << packet.address;
            } else {
                text << "address " << std::hex << packet.address
                     << (packet.notify ? " notify" : "");
            }
            list.push_back(text.str());
        }
        return list;
    }

    RecordingPort messages_;
    PacketRecorder recorder_;
    ProgramTracer tracer_{messages_, nullptr, &recorder_};
    TraceFilters filters_;
    Address pc_ = 0x1000;
    Cycle cycle_ = 0;
};

TEST_F(FilteredPackets, EachStretchBeginsWithAStartAndEndsWithASupportPacket) {
    filters_.selected = 1;
    filters_.filters[0].enable = true;
    filters_.filters[0].asks[0] = {.match = true, .comparator = 0};
    filters_.comparators[0].primary = {.function = CompareFunction::Less, .value = 0x100C};
    begin();
    run(5);
    pc_ = 0x1004;
    run(1);
    tracer_.stop(CorrelationEvent::TraceDisabled, ++cycle_);
    // no_change, ended_rep; the last instruction of a stretch is told, as a difference
    EXPECT_THAT(packets(), ElementsAre("support 0", "start 1000", "address 8", "support 1",
                                       "support 0", "start 1004", "support 1"));
}

TEST_F(FilteredPackets, AWatchpointIsAPacketWithNotify) {
    filters_.comparators[0].primary = {.notify = true, .value = 0x1010};
    begin();
    run(8);
    tracer_.stop(CorrelationEvent::TraceDisabled, ++cycle_);
    EXPECT_THAT(packets(), ElementsAre("support 0", "start 1000", "address 10 notify", "address c",
                                       "support 1"));
}

} // namespace
} // namespace pes::trace::test
