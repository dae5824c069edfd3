// SPDX-License-Identifier: Apache-2.0
// Expectations: RISC-V PLIC specification 1.0 (clauses named in the tests) and the stage latencies
// of CVA6's PLIC: line -> pending 1 cycle -> target output 2 cycles.
#include "hw/irq/plic.h"

#include "hw/interface/maps/plic.h"
#include "tests/unit/common/level_recorder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pes {
namespace {

using test::LevelChange;

constexpr unsigned kMachine = 0;
constexpr unsigned kSupervisor = 1;

/// A PLIC with the calls of a driver. Register accesses happen in the cycle given.
class PlicDriver {
  public:
    explicit PlicDriver(const PlicConfig& config = {}) : plic(config) { plic.connect(outputs); }

    AccessStatus try_write(Address offset, std::uint32_t value, Cycle at) {
        return plic.registers().write(offset, 4, value, at);
    }
    void write(Address offset, std::uint32_t value, Cycle at) {
        EXPECT_EQ(try_write(offset, value, at), AccessStatus::Ok);
    }
    std::uint32_t read(Address offset, Cycle at) {
        std::uint64_t value = 0;
        EXPECT_EQ(plic.registers().read(offset, 4, value, at), AccessStatus::Ok);
        return static_cast<std::uint32_t>(value);
    }
    void priority(unsigned id, unsigned value, Cycle at = 0) {
        write(plic::kPriority + Address{4} * id, value, at);
    }
    void enable(unsigned context, std::uint32_t ids, Cycle at = 0) {
        write(plic::kEnable + plic::kEnableStride * context, ids, at);
    }
    void threshold(unsigned context, unsigned value, Cycle at = 0) {
        write(plic::kContext + plic::kContextStride * context + plic::kThreshold, value, at);
    }
    static Address claim_address(unsigned context) {
        return plic::kContext + plic::kContextStride * context + plic::kClaimComplete;
    }
    unsigned claim(unsigned context, Cycle at) { return read(claim_address(context), at); }
    void complete(unsigned context, unsigned id, Cycle at) {
        write(claim_address(context), id, at);
    }
    std::uint32_t pending(Cycle at) { return read(plic::kPending, at); }
    /// The usual set-up: id 8 (source 7) for machine mode with priority 1.
    void enable_id_8() {
        priority(8, 1, 0);
        enable(kMachine, 1U << 8, 1);
    }
    std::vector<LevelChange> take() { return std::exchange(outputs.changes, {}); }

    Plic plic;
    test::LevelRecorder outputs;
};

using Changes = std::vector<LevelChange>;

TEST(Plic, SourceLineReachesPendingAfterOneAndTheTargetAfterTwoCycles) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 100);
    EXPECT_EQ(d.pending(100), 0U);
    EXPECT_EQ(d.pending(101), 1U << 8);
    d.plic.advance(101);
    EXPECT_FALSE(d.plic.target(kMachine));
    d.plic.advance(110);
    EXPECT_TRUE(d.plic.target(kMachine));
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 102}}));
}

TEST(Plic, ALateEdgeStillLeadsToTheExactCycle) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.advance(103);
    d.plic.set_source(7, true, 101); // the PLIC already stands two cycles further
    d.plic.advance(103);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 103}}));
}

TEST(Plic, LateEdgesOfSeveralSourcesKeepTheirOwnCycles) {
    PlicDriver d;
    d.priority(8, 1, 0);
    d.priority(9, 1, 1);
    d.enable(kMachine, 1U << 8, 2);
    d.enable(kSupervisor, 1U << 9, 3);
    d.plic.advance(104);
    d.plic.set_source(8, true, 102); // delivered in the wrong order, too
    d.plic.set_source(7, true, 101);
    d.plic.advance(104);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 103}, {kSupervisor, true, 104}}));
}

TEST(Plic, AnEdgeOlderThanTheLastChangeCountsFromThatChange) {
    PlicDriver d;
    d.priority(8, 1, 0);
    d.priority(9, 1, 1);
    d.enable(kMachine, 1U << 8, 2);
    d.enable(kSupervisor, 1U << 9, 3);
    d.plic.set_source(7, true, 100);
    d.plic.advance(105); // target of source 7 changed at 102
    d.plic.set_source(8, true, 100);
    d.plic.advance(105);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 102}, {kSupervisor, true, 104}}));
}

TEST(Plic, AnEdgeOfTheFutureWaitsForItsCycle) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 500);
    d.plic.advance(400);
    EXPECT_FALSE(d.plic.stable());
    EXPECT_EQ(d.plic.next_change(), 501U);
    EXPECT_EQ(d.pending(400), 0U);
    d.plic.advance(600);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 502}}));
    EXPECT_TRUE(d.plic.stable());
    EXPECT_EQ(d.plic.next_change(), kNever);
}

TEST(Plic, StepsOnlyWhileSomethingChanges) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.advance(1'000'000'000'000); // a step a cycle would not end
    EXPECT_TRUE(d.plic.stable());
    d.plic.set_source(7, true, 1'000'000'000'000);
    EXPECT_EQ(d.plic.next_change(), 1'000'000'000'001U);
}

/// One cycle of a random stimulus, the same for every PLIC it is given to.
struct Stimulus {
    Cycle at;
    unsigned source;
    bool level;
    unsigned action; ///< of the handler: 0 claim and complete, 1 change a threshold, 2 nothing
};

void play(PlicDriver& d, const Stimulus& stimulus) {
    d.plic.set_source(stimulus.source, stimulus.level, stimulus.at);
    if (stimulus.action == 0) {
        const unsigned id = d.claim(kMachine, stimulus.at + 5);
        d.complete(kMachine, id, stimulus.at + 9);
    } else if (stimulus.action == 1) {
        d.threshold(kSupervisor, stimulus.source % 8, stimulus.at + 3);
    }
}

TEST(Plic, JumpingGivesTheSameOutputsAsSteppingEveryCycle) {
    PlicDriver jumping;
    PlicDriver stepping;
    for (PlicDriver* d : {&jumping, &stepping}) {
        for (unsigned id = 1; id <= 30; ++id) {
            d->priority(id, id % 8, id);
        }
        d->enable(kMachine, 0x5555'5554, 40);
        d->enable(kSupervisor, 0x7FFF'FFF0, 41);
    }
    std::mt19937 random(7); // NOLINT(cert-msc51-cpp): the same stimulus in every run
    Cycle at = 100;
    for (unsigned n = 0; n < 2000; ++n) {
        const Stimulus stimulus{at, static_cast<unsigned>(random() % 30), random() % 2 == 0,
                                static_cast<unsigned>(random() % 3)};
        play(jumping, stimulus);
        play(stepping, stimulus);
        const Cycle next = at + 10 + random() % 40;
        for (; at < next; ++at) {
            stepping.plic.advance(at);
        }
    }
    jumping.plic.advance(at);
    stepping.plic.advance(at);
    EXPECT_GT(stepping.outputs.changes.size(), 100U) << "the stimulus must do something";
    EXPECT_EQ(jumping.outputs.changes, stepping.outputs.changes);
}

TEST(Plic, ClaimClearsPendingUntilComplete) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
    EXPECT_EQ(d.pending(21), 0U);
    EXPECT_EQ(d.pending(40), 0U) << "the line is still high, but the source is active";
    EXPECT_EQ(d.claim(kMachine, 41), 0U);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 12}, {kMachine, false, 22}}));
    d.complete(kMachine, 8, 50);
    EXPECT_EQ(d.pending(51), 0U);
    EXPECT_EQ(d.pending(52), 1U << 8) << "a line still high at completion requests again";
    d.plic.advance(60);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 53}}));
}

TEST(Plic, ALineThatFellBeforeCompletionRequestsNothing) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
    d.plic.set_source(7, false, 25);
    d.complete(kMachine, 8, 30);
    EXPECT_EQ(d.pending(40), 0U);
    EXPECT_TRUE(d.plic.stable());
}

TEST(Plic, APulseThatEndsBeforeTheClaimStaysPending) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    d.plic.set_source(7, false, 11);
    EXPECT_EQ(d.pending(100), 1U << 8);
    EXPECT_EQ(d.claim(kMachine, 101), 8U);
    d.complete(kMachine, 8, 110);
    EXPECT_EQ(d.pending(120), 0U);
}

TEST(Plic, HigherPriorityIsClaimedFirstAndTiesGoToTheLowestId) {
    PlicDriver d;
    d.priority(3, 2, 0);
    d.priority(5, 7, 1);
    d.priority(9, 2, 2);
    d.enable(kMachine, 1U << 3 | 1U << 5 | 1U << 9, 3);
    for (const unsigned id : {9U, 5U, 3U}) {
        d.plic.set_source(id - 1, true, 10);
    }
    EXPECT_EQ(d.claim(kMachine, 20), 5U);
    EXPECT_EQ(d.claim(kMachine, 30), 3U);
    EXPECT_EQ(d.claim(kMachine, 40), 9U);
    EXPECT_EQ(d.claim(kMachine, 50), 0U);
}

TEST(Plic, PriorityZeroNeverInterrupts) {
    PlicDriver d;
    d.enable(kMachine, 1U << 8, 1);
    d.plic.set_source(7, true, 10);
    EXPECT_EQ(d.pending(20), 1U << 8);
    EXPECT_FALSE(d.plic.target(kMachine));
    EXPECT_EQ(d.claim(kMachine, 20), 0U);
}

TEST(Plic, OnlyPrioritiesAboveTheThresholdInterrupt) {
    PlicDriver d;
    d.priority(8, 3, 0);
    d.enable(kMachine, 1U << 8, 1);
    d.threshold(kMachine, 3, 2);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_FALSE(d.plic.target(kMachine));
    d.threshold(kMachine, 2, 30); // holds from 31, seen by the registered target in 32
    d.plic.advance(40);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 32}}));
    d.threshold(kMachine, 7, 50);
    d.plic.advance(60);
    EXPECT_EQ(d.take(), (Changes{{kMachine, false, 52}}));
}

// "Interrupt claim process": a claim is not affected by the threshold register.
TEST(Plic, AClaimIsNotAffectedByTheThreshold) {
    PlicDriver d;
    d.enable_id_8();
    d.threshold(kMachine, 7, 2);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_FALSE(d.plic.target(kMachine));
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
}

TEST(Plic, ContextsHaveTheirOwnEnablesAndOnlyOneClaimSucceeds) {
    PlicDriver d;
    d.enable_id_8();
    d.enable(kSupervisor, 1U << 8, 2);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 12}, {kSupervisor, true, 12}}));
    EXPECT_EQ(d.claim(kSupervisor, 20), 8U);
    EXPECT_EQ(d.claim(kMachine, 20), 0U)
        << "the second claim, even in the same cycle, gets nothing";
    d.plic.advance(30);
    EXPECT_EQ(d.take(), (Changes{{kMachine, false, 22}, {kSupervisor, false, 22}}));
}

// "Interrupt completion": an id that is not enabled for the target is silently ignored.
TEST(Plic, ACompletionOfAnIdThatIsNotEnabledIsIgnored) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
    d.complete(kSupervisor, 8, 30);    // not enabled there
    d.complete(kMachine, 9, 31);       // another id
    d.complete(kMachine, 0, 32);       // no id
    d.complete(kMachine, 31, 33);      // no source
    d.complete(kMachine, 0x10208, 34); // an address whose low bits happen to be 8
    d.plic.advance(50);
    EXPECT_EQ(d.pending(50), 0U);
    d.complete(kMachine, 8, 60);
    EXPECT_EQ(d.pending(62), 1U << 8);
}

TEST(Plic, ACompletionBeforeTheClaimIsIgnored) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    d.complete(kMachine, 8, 20);
    EXPECT_EQ(d.pending(30), 1U << 8);
    EXPECT_EQ(d.claim(kMachine, 30), 8U);
    EXPECT_EQ(d.pending(40), 0U) << "the source must still be active";
}

TEST(Plic, ARegisterWriteHoldsFromTheNextCycle) {
    PlicDriver d;
    d.priority(8, 1, 0);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    d.enable(kMachine, 1U << 8, 30);
    d.plic.advance(40);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 32}}));
    d.enable(kMachine, 0, 50);
    d.plic.advance(60);
    EXPECT_EQ(d.take(), (Changes{{kMachine, false, 52}}));
}

TEST(PlicRegisters, KeepOnlyImplementedBits) {
    PlicDriver d;
    d.priority(1, 0xFFFF'FFFF, 0);
    EXPECT_EQ(d.read(4, 1), 7U);
    d.priority(0, 7, 2);
    EXPECT_EQ(d.read(0, 3), 0U);
    d.enable(kSupervisor, 0xFFFF'FFFF, 4);
    EXPECT_EQ(d.read(0x2080, 5), 0x7FFF'FFFEU) << "ids 1..30";
    EXPECT_EQ(d.read(0x2000, 6), 0U);
    d.threshold(kMachine, 0xFF, 7);
    EXPECT_EQ(d.read(0x20'0000, 8), 7U);
}

TEST(PlicRegisters, AnythingElseInTheWindowIsAnError) {
    PlicDriver d;
    std::uint64_t value = 0;
    RegisterBlock& registers = d.plic.registers();
    for (const Address hole : {0x7CU, 0xFFCU, 0x1004U, 0x2004U, 0x2100U, 0x20'0008U, 0x20'2000U}) {
        EXPECT_EQ(registers.read(hole, 4, value, 0), AccessStatus::AddressError) << hole;
        EXPECT_EQ(registers.write(hole, 4, 0, 0), AccessStatus::AddressError) << hole;
    }
    EXPECT_EQ(registers.read(0, 8, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(registers.read(0, 1, value, 0), AccessStatus::SizeError);
    EXPECT_EQ(d.try_write(plic::kPending, 1, 0), AccessStatus::RightsError);
}

TEST(PlicRegisters, ADebugReadOfClaimDoesNotClaim) {
    PlicDriver d;
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    std::uint64_t value = 0;
    EXPECT_EQ(d.plic.registers().peek(PlicDriver::claim_address(kMachine), 4, value, 20),
              AccessStatus::Ok);
    EXPECT_EQ(value, 8U);
    EXPECT_EQ(d.claim(kMachine, 21), 8U);
}

TEST(PlicConfiguration, EverySourceOfALargeControllerWorks) {
    PlicDriver d({.sources = 1023, .contexts = 4});
    const unsigned context = 3; // supervisor of hart 1
    d.priority(1023, 5, 0);
    d.write(plic::kEnable + context * plic::kEnableStride + 31 * 4, 1U << 31, 1);
    d.plic.set_source(1022, true, 10);
    d.plic.advance(20);
    EXPECT_EQ(d.read(plic::kPending + 31 * 4, 20), 1U << 31);
    EXPECT_EQ(d.take(), (Changes{{context, true, 12}}));
    EXPECT_EQ(d.claim(context, 21), 1023U);
    EXPECT_THROW(d.plic.set_source(1023, true, 30), std::out_of_range);
}

TEST(PlicConfiguration, RefusesNumbersOutsideTheSpecification) {
    EXPECT_THROW(Plic({.sources = 0}), std::invalid_argument);
    EXPECT_THROW(Plic({.sources = 1024}), std::invalid_argument);
    EXPECT_THROW(Plic({.contexts = 0}), std::invalid_argument);
    EXPECT_THROW(Plic({.contexts = 15873}), std::invalid_argument);
}

TEST(PlicQuirks, ThresholdSevenAcceptsEverythingWhenItWraps) {
    PlicDriver d({.threshold_wraps = true});
    d.enable(kMachine, 1U << 8, 1); // priority 0
    d.threshold(kMachine, 7, 2);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_EQ(d.take(), (Changes{{kMachine, true, 12}}));
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
}

TEST(PlicQuirks, WithAWrappingThresholdOtherThresholdsWorkAndBoundTheClaim) {
    PlicDriver d({.threshold_wraps = true});
    d.priority(8, 3, 0);
    d.enable(kMachine, 1U << 8, 1);
    d.threshold(kMachine, 3, 2);
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_FALSE(d.plic.target(kMachine));
    EXPECT_EQ(d.claim(kMachine, 20), 0U);
}

TEST(PlicQuirks, AnUncheckedCompletionLooksAtTheLowFiveBitsOnly) {
    PlicDriver d({.completion_unchecked = true});
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
    d.complete(kMachine, 0x8000'00D4, 30); // low five bits 0x14: id 20
    EXPECT_EQ(d.pending(40), 0U) << "the wrong id leaves source 7 blocked";
    d.complete(kSupervisor, 0x10208, 50); // low five bits 8, from a context without enable
    EXPECT_EQ(d.pending(52), 1U << 8);
}

/// Remembers declared signals and their changes by name.
class WaveRecorder : public WaveSink {
  public:
    using Change = std::pair<Cycle, std::uint64_t>;
    explicit WaveRecorder(bool wanted) : wanted_(wanted) {}
    bool wants(std::string_view group) const override { return wanted_ && group == "plic"; }
    SignalId declare(std::string_view, std::string_view, std::string_view name, unsigned width,
                     std::uint64_t) override {
        names.emplace_back(name);
        widths[names.back()] = width;
        return SignalId{static_cast<std::uint32_t>(names.size() - 1)};
    }
    void change(SignalId signal, Cycle at, std::uint64_t value) override {
        changes[names.at(static_cast<std::size_t>(signal))].emplace_back(at, value);
    }
    Cycle window_from() const override { return 0; }
    Cycle window_to() const override { return kNever; }

    std::vector<std::string> names;
    std::map<std::string, unsigned> widths;
    std::map<std::string, std::vector<Change>> changes;

  private:
    bool wanted_;
};

TEST(PlicWave, ShowsARequestFromLineToCompletionUnderThePublishedNames) {
    PlicDriver d;
    WaveRecorder wave(true);
    d.plic.attach_wave(wave, "plic");
    d.enable_id_8();
    d.plic.set_source(7, true, 10);
    EXPECT_EQ(d.claim(kMachine, 20), 8U);
    d.plic.set_source(7, false, 25);
    d.complete(kMachine, 8, 30);
    d.plic.advance(40);
    using Trail = std::vector<WaveRecorder::Change>;
    EXPECT_EQ(wave.changes["irq_sources_i"], (Trail{{10, 0x80}, {25, 0}}));
    EXPECT_EQ(wave.changes["ip"], (Trail{{11, 0x80}, {21, 0}}));
    EXPECT_EQ(wave.changes["claim"], (Trail{{20, 0x80}, {21, 0}}));
    EXPECT_EQ(wave.changes["complete"], (Trail{{30, 0x80}, {31, 0}}));
    EXPECT_EQ(wave.changes["eip_targets_o"], (Trail{{12, 1}, {22, 0}}));
    EXPECT_EQ(wave.widths["ip"], 30U);
    EXPECT_EQ(wave.widths["eip_targets_o"], 2U);
}

TEST(PlicWave, SplitsMoreThan64SourcesOverSeveralSignals) {
    PlicDriver d({.sources = 100});
    WaveRecorder wave(true);
    d.plic.attach_wave(wave, "plic");
    d.plic.set_source(63, true, 10);
    d.plic.set_source(64, true, 20);
    d.plic.set_source(99, true, 30);
    d.plic.advance(40);
    EXPECT_EQ(wave.widths["ip(63:0)"], 64U);
    EXPECT_EQ(wave.widths["ip(99:64)"], 36U);
    EXPECT_EQ(wave.changes["ip(63:0)"].back().second, std::uint64_t{1} << 63);
    EXPECT_EQ(wave.changes["ip(99:64)"].back().second, std::uint64_t{1} << 35 | 1);
}

TEST(PlicWave, NobodyRecordingMeansNothingDeclared) {
    PlicDriver d;
    WaveRecorder wave(false);
    d.plic.attach_wave(wave, "plic");
    d.plic.set_source(7, true, 10);
    d.plic.advance(20);
    EXPECT_TRUE(wave.names.empty());
    EXPECT_TRUE(wave.changes.empty());
}

} // namespace
} // namespace pes
