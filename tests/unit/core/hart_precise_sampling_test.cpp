// SPDX-License-Identifier: Apache-2.0
// Sspesa and Ssplcofi in a whole hart. The instruction that makes a counter overflow is found again
// by counting the retirements that an observer sees; docs/precise-sampling.md has the texts.
#include "hw/core/arch/csr_numbers.h"
#include "tests/unit/core/extension_bench.h"
#include "tests/unit/core/hart_life.h"
#include "tests/unit/core/sampled_program.h"

#include <gtest/gtest.h>

#include <map>

namespace pes::test {
namespace {

constexpr std::uint64_t kIntegers = 20;
constexpr std::uint16_t kShpmspc = csr::kShpmspc, kShpmsdata = csr::kShpmsdata;

/// Counts what user mode retires, from one sample to the next.
class Judge : public HartObserver {
  public:
    Judge(EventMask event, std::uint64_t period, std::uint64_t interrupt)
        : event_(event), period_(period), cause_(interrupt) {}

    struct Expected {
        Retirement causal;
        std::size_t behind = 0; ///< user instructions that retired before the interrupt
        Address epc = 0;
    };
    const std::vector<Expected>& samples() const { return samples_; }

    void retired(const Retirement& retirement) override {
        if (retirement.privilege != Privilege::User) {
            return;
        }
        if (causal_) {
            ++behind_;
        }
        if (counts(retirement) && ++count_ == period_) {
            causal_ = retirement;
            behind_ = 0;
        }
    }
    void trapped(const TrapTaken& trap) override {
        if (trap.cause == (kInterruptBit | cause_) && causal_) {
            samples_.push_back({.causal = *causal_, .behind = behind_, .epc = trap.epc});
            causal_.reset();
            count_ = 0;
        }
    }

  private:
    /// An event counts once in a cycle, also if two instructions that have it retire.
    bool counts(const Retirement& retirement) {
        if (event_.has(Event::Instructions)) {
            return true;
        }
        const bool counts = (retirement.events & event_).any() && retirement.cycle != last_counted_;
        last_counted_ = counts ? retirement.cycle : last_counted_;
        return counts;
    }

    const EventMask event_;
    const std::uint64_t period_, cause_;
    std::uint64_t count_ = 0;
    Cycle last_counted_ = 0;
    std::optional<Retirement> causal_;
    std::size_t behind_ = 0;
    std::vector<Expected> samples_;
};

struct Precise {
    std::uint64_t selector;
    EventMask event;
};
const Precise kPrecise[] = {{5, event_bit(Event::Load)},
                            {6, event_bit(Event::Store)},
                            {9, event_bit(Event::Branch)},
                            {20, event_bit(Event::Integer)},
                            {kInstructions, event_bit(Event::Instructions)}};

Plan random_plan(std::mt19937& random, const Extensions& extensions) {
    return {.extensions = extensions,
            .selector = kPrecise[random() % std::size(kPrecise)].selector,
            .period = 20 + random() % 300};
}

EventMask event_of(std::uint64_t selector) {
    return std::ranges::find(kPrecise, selector, &Precise::selector)->event;
}

/// Runs a random program; returns how many samples were judged, and how many skidded.
struct Verdict {
    std::size_t samples = 0;
    std::size_t skids = 0;
};
Verdict judge_samples(std::mt19937& random, const Plan& plan) {
    Sampled machine(plan);
    prepare(machine);
    const bool overflow = plan.way == Way::Overflow;
    Judge judge(event_of(plan.selector), plan.period, overflow ? 13 : 11);
    machine.hart().add_observer(judge);
    machine.run_in_user_mode(random_sampled_program(random));
    const std::vector<Sample> samples = machine.samples();
    EXPECT_LE(judge.samples().size() - samples.size(), 1U) << "one may be in the handler";
    Verdict verdict;
    for (std::size_t index = 0; index < samples.size(); ++index) {
        const Judge::Expected& expected = judge.samples()[index];
        EXPECT_EQ(samples[index].pc, expected.causal.pc)
            << "event " << plan.selector << ", period " << plan.period << ", sample " << index;
        EXPECT_EQ(samples[index].epc, expected.epc);
        EXPECT_EQ(samples[index].counter, 3U);
        ++verdict.samples;
        verdict.skids += expected.behind != 0 ? 1 : 0;
        if (plan.extensions.ssplcofi) {
            EXPECT_EQ(expected.behind, 0U) << "sample " << index;
            EXPECT_EQ(expected.epc, expected.causal.next_pc);
        }
    }
    return verdict;
}

TEST(HartPreciseSampling, NamesTheInstructionThatMadeACounterOverflow) {
    std::mt19937 random(1);
    Verdict all;
    for (int round = 0; round < 60; ++round) {
        const Verdict verdict = judge_samples(random, random_plan(random, kSspesa));
        all.samples += verdict.samples;
        all.skids += verdict.skids;
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(all.samples, 1000U);
    EXPECT_GT(all.skids, all.samples / 2) << "the interrupt itself still skids";
}

TEST(HartPreciseSampling, TrapsRightBehindTheInstructionWithSsplcofi) {
    std::mt19937 random(2);
    std::size_t samples = 0;
    for (int round = 0; round < 60; ++round) {
        samples += judge_samples(random, random_plan(random, kSsplcofi)).samples;
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(samples, 1000U);
}

TEST(HartPreciseSampling, NamesTheInstructionThatReachedAThreshold) {
    std::mt19937 random(3);
    std::size_t samples = 0;
    for (int round = 0; round < 40; ++round) {
        Plan plan = random_plan(random, kSspesa);
        plan.way = Way::Threshold;
        samples += judge_samples(random, plan).samples;
        ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
    }
    EXPECT_GT(samples, 500U);
}

/// What came last before each overflow interrupt: in user mode, where a trap may have come instead
/// of a retirement, or the mret to it.
class LastOfAll : public HartObserver {
  public:
    struct Last {
        Address pc = 0;
        Address next = 0; ///< what comes behind it
    };
    struct Interrupted {
        std::array<Last, 3> last;
        Address epc = 0;

        bool comes_right_behind(Address pc) const {
            return std::ranges::any_of(
                last, [this, pc](const Last& one) { return pc == one.pc && epc == one.next; });
        }
    };
    const std::vector<Interrupted>& interrupts() const { return interrupts_; }

    void retired(const Retirement& retirement) override {
        const bool user = retirement.privilege == Privilege::User;
        (user ? user_ : machine_) = {.pc = retirement.pc, .next = retirement.next_pc};
        squashed_ = user ? Last() : squashed_;
    }
    void trapped(const TrapTaken& trap) override {
        if (trap.cause == (kInterruptBit | 13)) {
            interrupts_.push_back({.last = {user_, machine_, squashed_}, .epc = trap.epc});
        } else if ((trap.cause & kInterruptBit) == 0) {
            user_ = {.pc = trap.epc, .next = trap.epc + 4}; // the handler passes over it
        } else {
            squashed_ = {.pc = trap.epc, .next = trap.epc}; // whose event the trap is
        }
    }

  private:
    Last user_, machine_, squashed_;
    std::vector<Interrupted> interrupts_;
};

TEST(HartPreciseSampling, NoEventWithACauseSkidsWithSsplcofi) {
    std::mt19937 random(4);
    std::map<std::uint64_t, std::size_t> samples;
    for (std::uint64_t round = 0; round < 154; ++round) {
        const std::uint64_t selector = 1 + round % 22;
        if (source_row(static_cast<Event>(selector)).kind == EventClass::Level) {
            continue;
        }
        Sampled machine(
            {.extensions = kSsplcofi, .selector = selector, .period = 1 + random() % 30});
        prepare(machine);
        LastOfAll last;
        machine.hart().add_observer(last);
        machine.run_in_user_mode(random_sampled_program(random));
        const std::vector<Sample> taken = machine.samples();
        for (std::size_t index = 0; index < taken.size(); ++index) {
            ASSERT_TRUE(last.interrupts()[index].comes_right_behind(taken[index].pc))
                << "event " << selector << ", round " << round << ", sample " << index;
        }
        samples[selector] += taken.size();
    }
    for (const Event common : {Event::L1DMiss, Event::Load, Event::Store, Event::Exception,
                               Event::Branch, Event::BranchMispredict, Event::Integer}) {
        EXPECT_GT(samples[static_cast<std::uint64_t>(common)], 20U) << to_string(common);
    }
    EXPECT_GT(samples[static_cast<std::uint64_t>(Event::L1IMiss)], 0U);
}

TEST(HartPreciseSampling, IsTheSameOnBothPaths) {
    std::mt19937 random(5);
    std::size_t samples = 0;
    for (int round = 0; round < 60; ++round) {
        Plan plan = random_plan(random, round % 2 == 0 ? kSspesa : kSsplcofi);
        plan.selector = 1 + random() % 24;
        plan.period = 20 + random() % 3000;
        plan.way = round % 3 == 2 ? Way::Threshold : Way::Overflow;
        const std::vector<Word> program = random_sampled_program(random);
        std::vector<std::vector<Sample>> found;
        std::vector<Life> lives;
        for (const ExecutionPath path : {ExecutionPath::Step, ExecutionPath::Auto}) {
            plan.path = path;
            Sampled machine(plan);
            prepare(machine);
            machine.stop_observing();
            machine.run_in_user_mode(program);
            found.push_back(machine.samples());
            lives.push_back(life_of(machine));
        }
        EXPECT_EQ(found[0], found[1]) << "round " << round;
        expect_equal(lives[0], lives[1]);
        samples += found[0].size();
    }
    EXPECT_GT(samples, 500U);
}

/// Behind a division, instructions of a block wait to retire when the next block begins.
TEST(HartPreciseSampling, InstructionsThatAreStillInFlightDoNotSkidOnTheFastPath) {
    std::vector<Word> words;
    for (unsigned part = 0; part < 3; ++part) {
        words.push_back(div(a0, s5, s6));
        words.insert(words.end(), 9, addi(a1, a1, 1));
        words.push_back(bne(a1, zero, 4)); // ends a block
    }
    words.push_back(j(-4 * static_cast<std::int32_t>(words.size())));
    std::size_t samples = 0;
    for (std::uint64_t period = 1000; period < 1060; ++period) {
        Sampled machine({.extensions = kSsplcofi,
                         .selector = period % 2 == 0 ? kInstructions : kIntegers,
                         .period = period,
                         .path = ExecutionPath::Auto});
        prepare(machine);
        machine.stop_observing();
        machine.run_in_user_mode(words);
        for (const Sample& sample : machine.samples()) {
            const Address last = words.size() * 4 - 4 + 0x1100 + kCode;
            ASSERT_EQ(sample.epc, sample.pc == last ? kCode + 0x1100 : sample.pc + 4)
                << "period " << period;
            ++samples;
        }
    }
    EXPECT_GT(samples, 1000U);
}

/// The data address is what the program uses: sp plus the offset of the instruction.
TEST(HartPreciseSampling, ThresholdsCaptureTheDataAddress) {
    Sampled machine({.selector = 5, .period = 3, .way = Way::Threshold});
    prepare(machine);
    machine.run_in_user_mode(
        {ld(a0, sp, 8), ld(a1, sp, 16), ld(a2, sp, 24), ld(a3, sp, 32), j(-16)});
    const std::vector<Sample> samples = machine.samples();
    ASSERT_GT(samples.size(), 100U);
    for (const Sample& sample : samples) {
        EXPECT_EQ(sample.data, BareMachine::kData + 8 + 2 * (sample.pc - samples[0].pc) +
                                   (samples[0].data - BareMachine::kData - 8));
    }
    EXPECT_EQ(samples[0].data, BareMachine::kData + 24) << "the third load";
}

// --- Rights and legal values --------------------------------------------------------------------

constexpr Extensions kDelegated{.smcsrind = true, .smcdeleg = true, .sspesa = true};

TEST(HartPreciseSampling, RegistersNeedTheExtension) {
    for (const std::uint16_t number :
         {kShpmspc, kShpmsdata, csr::kMhpmmspc, csr::kMhpmmsdata, csr::kMhpmmsaddr}) {
        EXPECT_TRUE(ExtensionBench({}).is_illegal(Privilege::Machine, csrr(a0, number)));
        EXPECT_FALSE(ExtensionBench(kSspesa).is_illegal(Privilege::Machine, csrr(a0, number)));
        EXPECT_TRUE(ExtensionBench(kSspesa).is_illegal(Privilege::Supervisor, csrr(a0, number)))
            << "no delegation";
        EXPECT_TRUE(ExtensionBench(kDelegated).is_illegal(Privilege::User, csrr(a0, number)));
    }
}

/// "can be used by S-mode only when supervisor counter delegation is enabled"
TEST(HartPreciseSampling, SupervisorModeNeedsDelegation) {
    for (const bool enabled : {false, true}) {
        for (const std::uint16_t number : {kShpmspc, kShpmsdata}) {
            ExtensionBench bench(kDelegated);
            bench.set_csr(csr::kMenvcfg, enabled ? menvcfg::kCde : 0);
            EXPECT_EQ(bench.is_illegal(Privilege::Supervisor, csrr(a0, number)), !enabled);
        }
        ExtensionBench bench(kDelegated);
        bench.set_csr(csr::kMenvcfg, enabled ? menvcfg::kCde : 0);
        EXPECT_TRUE(bench.is_illegal(Privilege::Supervisor, csrr(a0, csr::kMhpmmspc)));
    }
}

TEST(HartPreciseSampling, RegistersKeepTheirLegalBits) {
    ExtensionBench bench(kSspesa);
    bench.set(a0, kAll);
    bench.execute({csrw(kShpmspc, a0), csrw(kShpmsdata, a0), csrw(csr::kMhpmmspc, a0),
                   csrw(csr::kMhpmmsdata, a0), csrw(csr::kMhpmmsaddr, a0), csrr(a1, kShpmspc),
                   csrr(a2, kShpmsdata), csrr(a3, csr::kMhpmmspc), csrr(a4, csr::kMhpmmsdata),
                   csrr(a5, csr::kMhpmmsaddr)});
    EXPECT_EQ(bench.get(a1), kAll - 1) << "every virtual address of an instruction";
    EXPECT_EQ(bench.get(a2), 0x1FU) << "CNTRID; the rest is hardwired to 0";
    EXPECT_EQ(bench.get(a3), kAll - 1);
    EXPECT_EQ(bench.get(a4), 0x1FU);
    EXPECT_EQ(bench.get(a5), kAll);
}

// --- Which overflow is captured -----------------------------------------------------------------

/// Counters 3 and 4 count instructions of M-mode and wrap so many instructions later; interrupts
/// stay off. Returns shpmspc and shpmsdata at the end.
Sample two_overflows(const Extensions& extensions, std::uint64_t third, std::uint64_t fourth,
                     std::uint64_t delegated = 0) {
    ExtensionBench bench(extensions);
    if (extensions.smcdeleg) {
        bench.set_csr(csr::kMenvcfg, menvcfg::kCde);
        bench.set_csr(csr::kMcounteren, delegated);
    }
    bench.set(s0, kInstructions);
    bench.set(s1, 0 - third);
    bench.set(s2, 0 - fourth);
    bench.set(s3, 0x18);
    bench.execute({csrrs(zero, csr::kMcountinhibit, s3),
                   csrw(csr::kMhpmevent3, s0),
                   csrw(csr::kMhpmevent3 + 1, s0),
                   csrw(csr::kMhpmcounter3, s1),
                   csrw(csr::kMhpmcounter3 + 1, s2),
                   csrrc(zero, csr::kMcountinhibit, s3),
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kNop,
                   kFence,
                   kFence,
                   csrr(a0, kShpmspc),
                   csrr(a1, kShpmsdata)});
    return {.pc = bench.get(a0), .counter = bench.get(a1)};
}

constexpr Address kFirstCounted = kCode + 6 * 4; ///< behind the write of mcountinhibit

TEST(HartPreciseSampling, OnlyTheFirstOverflowOfAnInterruptIsCaptured) {
    const Sample first = two_overflows(kSspesa, 4, 8);
    EXPECT_EQ(first.pc, kFirstCounted + 3 * 4);
    EXPECT_EQ(first.counter, 3U);
    const Sample other = two_overflows(kSspesa, 8, 4);
    EXPECT_EQ(other.pc, kFirstCounted + 3 * 4);
    EXPECT_EQ(other.counter, 4U);
}

/// "If more than one counter overflows simultaneously, CNTRID holds the ID of the numerically
/// lowest counter."
TEST(HartPreciseSampling, OfSimultaneousOverflowsTheLowestCounterIsNamed) {
    const Sample sample = two_overflows(kSspesa, 5, 5);
    EXPECT_EQ(sample.pc, kFirstCounted + 4 * 4);
    EXPECT_EQ(sample.counter, 3U);
}

/// "in which case only overflows of delegated counters update shpmspc"
TEST(HartPreciseSampling, WithDelegationOnlyDelegatedCountersCapture) {
    const Sample sample = two_overflows(kDelegated, 8, 4, 1U << 4);
    EXPECT_EQ(sample.counter, 4U);
    EXPECT_EQ(sample.pc, kFirstCounted + 3 * 4);
    EXPECT_EQ(two_overflows(kDelegated, 4, 8, 1U << 4), Sample())
        << "the first made LCOFIP pending";
    EXPECT_EQ(two_overflows(kDelegated, 4, 8, 0), Sample());
}

} // namespace
} // namespace pes::test
