// SPDX-License-Identifier: Apache-2.0
// Which instruction a crossing belongs to, and which ones samplers would see instead: judged by the
// retirements of the same run, by both paths, and by the interrupt that a guest takes.
#include "hw/core/arch/csr_numbers.h"
#include "hw/hpm/host_counters.h"
#include "tests/unit/core/bare_machine.h"
#include "tests/unit/core/hart_life.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>

namespace pes::test {
namespace {

constexpr Cycle kLife = 30'000;
constexpr Cycle kInterruptDelay = 4; ///< docs/pes.md: a pulse of cycle T is in mip from T + 4 on

HartConfig with_window(ExecutionPath path, Ledger ledger = Ledger::Kept) {
    HartConfig config = BareMachine::default_config();
    config.path = path;
    config.sources = kAllEvents;
    config.truth = ledger == Ledger::Kept;
    config.window = true;
    return config;
}

/// Asks for every sight of every crossing of the host's counters, and for who is in decode much
/// later, as an interrupt that is slow to come finds it.
class Questioner : public CrossingSink, public SightSink {
  public:
    static constexpr std::size_t kLater = 4; ///< behind the four sights
    static constexpr std::size_t kQuestions = 5;
    static constexpr Cycle kMuchLater = 300;

    struct Asked {
        Crossing crossing;
        std::array<std::optional<SeenInstruction>, kQuestions> seen{}; ///< by Sight
    };

    void watch(Hart& hart) { hart_ = &hart; }
    void crossed(const Crossing& crossing) override {
        const std::size_t number = asked_.size();
        asked_.push_back({.crossing = crossing});
        for (std::size_t question = 0; question < kQuestions; ++question) {
            const bool later = question == kLater;
            hart_->ask({.sight = later ? Sight::Decoded : static_cast<Sight>(question),
                        .cycle = crossing.cycle + (later ? kMuchLater : 0),
                        .sources = crossing.sources,
                        .beyond = crossing.beyond,
                        .sink = this,
                        .tag = kQuestions * number + question});
        }
    }
    void seen(std::uint64_t tag, const SeenInstruction* instruction) override {
        if (instruction != nullptr) {
            asked_[tag / kQuestions].seen[tag % kQuestions] = *instruction;
        }
    }
    const std::deque<Asked>& asked() const { return asked_; }

  private:
    Hart* hart_ = nullptr;
    std::deque<Asked> asked_;
};

/// A machine whose hart has counters of the host in front of its own.
struct WindowMachine {
    WindowMachine(ExecutionPath path, const std::vector<HostCounter>& counters)
        : WindowMachine(with_window(path), counters) {}
    WindowMachine(const HartConfig& config, const std::vector<HostCounter>& counters)
        : machine(config, std::make_unique<HostCounters>(guest, counters, questioner)) {
        questioner.watch(machine.hart());
        machine.set(sp, BareMachine::kData);
    }

    TlmCounterBank guest;
    Questioner questioner;
    BareMachine machine;
};

/// With periods of `least` to six times as much, or a part of that for what is rare.
std::vector<HostCounter> counters_of(std::mt19937& random, std::uint64_t least) {
    const auto period = [&random, least] { return least + random() % (5 * least); };
    return {
        {.sources = event_bit(Event::Cycles), .period = period()},
        {.sources = event_bit(Event::Instructions), .period = period()},
        {.sources = event_bit(Event::Load), .period = 1 + period() / 20, .spread = 50, .seed = 7},
        {.sources = event_bit(Event::Integer), .period = period()},
        {.sources = event_bit(Event::BranchMispredict), .period = 1 + period() / 40}};
}

void run_loop(WindowMachine& sampled, const std::vector<Word>& loop) {
    sampled.machine.place(kCode, loop);
    sampled.machine.run(kCode, BareMachine::stop_address(), kLife);
    sampled.machine.hart().settle(sampled.machine.hart().reached());
}

using Sights = std::vector<std::tuple<unsigned, Cycle, std::size_t, Address, std::uint64_t>>;

Sights sights_of(const Questioner& questioner) {
    Sights sights;
    for (const Questioner::Asked& asked : questioner.asked()) {
        for (std::size_t sight = 0; sight < asked.seen.size(); ++sight) {
            if (const auto& seen = asked.seen[sight]) {
                sights.emplace_back(asked.crossing.counter, asked.crossing.cycle, sight,
                                    seen->key.pc, seen->number);
            }
        }
    }
    return sights;
}

/// What the retirements of the run say about a crossing.
class WindowJudge {
  public:
    explicit WindowJudge(const std::vector<Retirement>& retirements) : all_(retirements) {}

    void check(const Questioner::Asked& asked) const {
        const Cycle cycle = asked.crossing.cycle;
        const auto behind = std::ranges::upper_bound(all_, cycle, {}, &Retirement::cycle);
        if (behind == all_.begin() || behind == all_.end()) {
            return;
        }
        const auto number = static_cast<std::uint64_t>(behind - all_.begin());
        expect(asked, Sight::LastRetired, number - 1);
        expect(asked, Sight::NextRetired, number);
        check_cause(asked, number);
    }

  private:
    void expect(const Questioner::Asked& asked, Sight sight, std::uint64_t number) const {
        const auto& seen = asked.seen[static_cast<std::size_t>(sight)];
        ASSERT_TRUE(seen) << "cycle " << asked.crossing.cycle;
        EXPECT_EQ(seen->key.pc, all_[number].pc) << "cycle " << asked.crossing.cycle;
        EXPECT_EQ(seen->number, number);
    }

    /// `next`: the number of the first that retires behind the cycle.
    void check_cause(const Questioner::Asked& asked, std::uint64_t next) const {
        const Crossing& crossing = asked.crossing;
        const bool retires = all_[next - 1].cycle == crossing.cycle;
        if (crossing.sources.has(Event::Instructions)) {
            expect(asked, Sight::Cause, next - 1 - crossing.beyond);
        } else if (crossing.sources.has(Event::Cycles)) {
            const bool flushed = !retires && cause_is(asked, next - 1);
            EXPECT_TRUE(!flushed || all_[next - 1].events.has(Event::Branch));
            expect(asked, Sight::Cause, retires || flushed ? next - 1 : next);
        } else if (crossing.sources.has(Event::BranchMispredict)) {
            const auto& seen = asked.seen[static_cast<std::size_t>(Sight::Cause)];
            ASSERT_TRUE(seen);
            EXPECT_TRUE(all_[seen->number].events.has(Event::Branch));
            EXPECT_GE(all_[seen->number].cycle, crossing.cycle);
        } else {
            const auto& seen = asked.seen[static_cast<std::size_t>(Sight::Cause)];
            ASSERT_TRUE(seen);
            EXPECT_EQ(all_[seen->number].cycle, crossing.cycle);
            EXPECT_TRUE((all_[seen->number].events & crossing.sources).any());
        }
    }

    static bool cause_is(const Questioner::Asked& asked, std::uint64_t number) {
        const auto& seen = asked.seen[static_cast<std::size_t>(Sight::Cause)];
        return seen && seen->number == number;
    }

    const std::vector<Retirement>& all_;
};

TEST(HartWindow, SeesWhatTheRetirementsOfTheRunSay) {
    std::mt19937 random(1);
    for (int round = 0; round < 20; ++round) {
        WindowMachine sampled(ExecutionPath::Step, counters_of(random, 40));
        run_loop(sampled, random_loop(random, random_plain_instruction));
        const WindowJudge judge(sampled.machine.retirements());
        ASSERT_GT(sampled.questioner.asked().size(), 100U);
        for (const Questioner::Asked& asked : sampled.questioner.asked()) {
            judge.check(asked);
            ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
        }
    }
}

TEST(HartWindow, SeesTheSameOnBothPaths) {
    std::size_t asked = 0;
    std::mt19937 random(2);
    for (int round = 0; round < 60; ++round) {
        // Long enough for blocks to run in between, of one event or several at a time.
        std::vector<HostCounter> counters = counters_of(random, 400);
        counters.erase(counters.begin() + round % 3, counters.end() - 1 - round % 2);
        const std::vector<Word> loop = random_loop(random, random_plain_instruction);
        const Ledger ledger = round % 4 < 2 ? Ledger::Kept : Ledger::None;
        WindowMachine stepped(with_window(ExecutionPath::Step, ledger), counters);
        WindowMachine fast(with_window(ExecutionPath::Auto, ledger), counters);
        for (WindowMachine* sampled : {&stepped, &fast}) {
            sampled->machine.stop_observing();
            run_loop(*sampled, loop);
        }
        EXPECT_EQ(sights_of(stepped.questioner), sights_of(fast.questioner)) << "round " << round;
        asked += fast.questioner.asked().size();
    }
    EXPECT_GT(asked, 1000U);
}

// A window asks for nothing that tells states apart. Blocks only end earlier before a limit.
TEST(HartWindow, TellsNoStatesOfBlocksApart) {
    std::uint64_t all_seen = 0, all_unseen = 0;
    std::mt19937 random(4);
    for (int round = 0; round < 20; ++round) {
        const std::vector<HostCounter> counters{
            {.sources = event_bit(Event::Load), .period = 1'000'000}};
        const std::vector<Word> loop = random_loop(random, random_plain_instruction);
        HartConfig config = with_window(ExecutionPath::Auto, Ledger::None);
        WindowMachine seen(config, counters);
        config.window = false;
        BareMachine unseen(config);
        seen.machine.stop_observing();
        unseen.stop_observing();
        run_loop(seen, loop);
        unseen.set(sp, BareMachine::kData);
        unseen.place(kCode, loop);
        unseen.run(kCode, BareMachine::stop_address(), kLife);
        all_seen += seen.machine.hart().path_statistics().blocks_recorded;
        all_unseen += unseen.hart().path_statistics().blocks_recorded;
    }
    EXPECT_GT(all_seen, 100U);
    EXPECT_LE(all_seen, all_unseen);
}

/// At an overflow of the guest's counter, who the host expects an interrupt to find, and who it
/// does find.
class Expectation : public CrossingSink, public SightSink, public InterruptSink {
  public:
    explicit Expectation(Hart& hart) : hart_(hart) { hart.tell_of_interrupts(*this); }

    void crossed(const Crossing& crossing) override {
        EXPECT_EQ(crossing.kind, Crossing::Kind::Overflow);
        hart_.ask(
            {.sight = Sight::Decoded, .cycle = crossing.cycle + kInterruptDelay, .sink = this});
    }
    void seen(std::uint64_t, const SeenInstruction* instruction) override {
        ASSERT_NE(instruction, nullptr);
        expected = *instruction;
    }
    void interrupted(unsigned cause, Cycle, const SeenInstruction& squashed) override {
        EXPECT_EQ(cause, 13U);
        taken = squashed;
    }

    std::optional<SeenInstruction> expected, taken;

  private:
    Hart& hart_;
};

TEST(HartWindow, FindsInDecodeWhomTheInterruptOfTheGuestFinds) {
    constexpr std::uint64_t kLoads = 5;
    std::mt19937 random(3);
    for (int round = 0; round < 60; ++round) {
        auto bank = std::make_unique<TlmCounterBank>();
        TlmCounterBank& counters = *bank;
        BareMachine machine(with_window(ExecutionPath::Auto), std::move(bank));
        Expectation expectation(machine.hart());
        counters.watch_crossings(expectation);
        machine.stop_at_traps();
        machine.set(sp, BareMachine::kData);
        machine.set(s0, kLoads);
        machine.set(s1, 0 - std::uint64_t{50 + random() % 500});
        machine.set_csr(csr::kMie, 1U << 13);
        machine.set_csr(csr::kMstatus, mstatus::kMie);
        std::vector<Word> loop = random_loop(random, random_plain_instruction);
        loop.insert(loop.begin(), {csrw(csr::kMhpmevent3, s0), csrw(csr::kMhpmcounter3, s1)});
        machine.place(kCode, loop);
        machine.run(kCode, BareMachine::stop_address(), kLife);
        if (!expectation.taken) {
            continue; // a loop without loads
        }
        ASSERT_TRUE(expectation.expected) << "round " << round;
        EXPECT_EQ(expectation.expected->key.pc, expectation.taken->key.pc) << "round " << round;
        EXPECT_EQ(expectation.expected->number, expectation.taken->number);
        EXPECT_EQ(machine.traps().at(0).epc, expectation.taken->key.pc);
    }
}

TEST(HartWindow, WhatNeverCameIsNobody) {
    WindowMachine sampled(ExecutionPath::Auto, {{.sources = event_bit(Event::Load), .period = 1}});
    sampled.machine.stop_observing();
    sampled.machine.place(kCode, {ld(a1, sp, 0), kWfi});
    sampled.machine.run(kCode, BareMachine::stop_address(), kLife);
    sampled.machine.hart().settle(sampled.machine.hart().reached());
    ASSERT_EQ(sampled.questioner.asked().size(), 1U);
    const auto& seen = sampled.questioner.asked()[0].seen;
    EXPECT_EQ(seen[static_cast<std::size_t>(Sight::Cause)]->key.pc, kCode);
    EXPECT_EQ(seen[static_cast<std::size_t>(Sight::LastRetired)]->key.pc, kCode);
}

} // namespace
} // namespace pes::test
