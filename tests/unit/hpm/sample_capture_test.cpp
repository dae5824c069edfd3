// SPDX-License-Identifier: Apache-2.0
// The rows of docs/pes.md, "Sample capture", with the model's counters.
#include "hw/hpm/sample_capture.h"

#include "hw/hpm/tlm_bank.h"
#include "tests/unit/hpm/recorded_wave.h"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace pes::test {
namespace {

constexpr Address kOlder = 0x1000;
constexpr Address kYounger = 0x1004;

class Capture : public testing::Test {
  protected:
    /// One cycle; `older`, `younger`: own events of the instructions that retire.
    void cycle(EventMask pulses, unsigned retired = 0, EventMask older = {},
               EventMask younger = {}) {
        const CyclePulses pins{.events = pulses | older | younger,
                               .retired = static_cast<std::uint8_t>(retired)};
        const RetiredPair pair{
            .ports = {{{.pc = kOlder, .events = older}, {.pc = kYounger, .events = younger}}},
            .count = retired};
        capture_.before(bank_, pins);
        bank_.tick(pins, bank_.now() + 1);
        capture_.after(bank_, pair);
    }
    void write(std::uint16_t csr, std::uint64_t value) {
        bank_.write(csr, value);
        cycle({});
    }
    /// mhpmcounter3 counts `selector` and fires at `threshold`.
    void arm(std::uint64_t selector, std::uint64_t threshold) {
        write(event_csr(3), selector);
        write(threshold_csr(3), threshold);
    }
    /// What the outputs show one cycle behind the line.
    Address captured() {
        EXPECT_TRUE(bank_.interrupt(BankLine::Threshold).level);
        cycle({});
        return capture_.sample().pc;
    }

    const CounterConfig config_{};
    TlmCounterBank bank_{config_};
    SampleCapture capture_{config_};
};

constexpr EventMask kLoad = event_bit(Event::Load);
constexpr EventMask kInteger = event_bit(Event::Integer);

TEST_F(Capture, TakesTheOlderInstructionIfItHasTheEvent) {
    arm(5, 1);
    cycle({}, 2, kLoad, kInteger);
    EXPECT_EQ(captured(), kOlder);
}

TEST_F(Capture, TakesTheYoungerInstructionIfOnlyThatHasTheEvent) {
    arm(5, 1);
    cycle({}, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kYounger);
}

TEST_F(Capture, TakesTheOlderOfTwoThatCountOnce) {
    arm(5, 1);
    cycle({}, 2, kLoad, kLoad);
    EXPECT_EQ(captured(), kOlder);
}

TEST_F(Capture, TakesTheYoungestForAnEventOfNoInstruction) {
    arm(2, 1);
    cycle(event_bit(Event::L1DMiss), 2, kLoad, kInteger);
    EXPECT_EQ(captured(), kYounger);
}

TEST_F(Capture, TakesTheInstructionThatReachedAThresholdOfInstructions) {
    for (const auto& [threshold, expected] :
         {std::pair{std::uint64_t{1}, kOlder}, {std::uint64_t{2}, kYounger}}) {
        write(csr::kMinstret, 0);
        write(csr::kMhpmthresholdInstret, threshold);
        cycle({}, 2, kLoad, kInteger);
        EXPECT_EQ(captured(), expected);
        write(csr::kMhpmthresholdInstret, 0);
    }
}

TEST_F(Capture, LetsTheLowestCounterDecide) {
    arm(5, 1);
    write(event_csr(4), 20);
    write(threshold_csr(4), 1);
    cycle({}, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kYounger); // counter 3 counts loads
    EXPECT_EQ(capture_.sample().reached, 0b11000U);
}

TEST_F(Capture, KeepsItsSampleUntilTheLineRisesAgain) {
    arm(5, 1);
    cycle({}, 2, kLoad, kInteger);
    EXPECT_EQ(captured(), kOlder);
    cycle({}, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kOlder);
}

/// A modelled bank on its own, which shows its capture in a wave.
class CaptureWave : public testing::Test {
  protected:
    CaptureWave() { bank_.attach_wave(wave_, "hart0.hpm"); }

    void retire(Address pc, EventMask events) {
        bank_.observer()->retired({.cycle = bank_.now() + 1,
                                   .pc = pc,
                                   .next_pc = pc + 4,
                                   .raw = 0,
                                   .length = 4,
                                   .privilege = Privilege::Supervisor,
                                   .events = events});
    }
    void cycle(EventMask events = {}, unsigned retired = 0) {
        bank_.tick({.events = events, .retired = static_cast<std::uint8_t>(retired)},
                   bank_.now() + 1);
    }

    RecordedWave wave_{1000, 2000, "sample"}; // the window plays no part
    TlmCounterBank bank_{CounterConfig{}};
};

TEST_F(CaptureWave, ShowsASampleTwoCyclesBehindTheEvent) {
    bank_.write(event_csr(3), 5);
    cycle();
    bank_.write(threshold_csr(3), 1);
    cycle();
    retire(kOlder, kLoad);
    retire(kYounger, kInteger);
    cycle(kLoad | kInteger, 2); // cycle 3
    cycle();
    using Changes = std::vector<std::pair<Cycle, std::uint64_t>>;
    EXPECT_EQ(wave_.changes["hart0.hpm.sample.sample_pc_q"], (Changes{{5, kOlder}}));
    EXPECT_EQ(wave_.changes["hart0.hpm.sample.sample_reached_q"], (Changes{{5, 1U << 3}}));
    EXPECT_EQ(wave_.changes["hart0.hpm.sample.sample_cycle_q"], (Changes{{5, 3}}));
    EXPECT_EQ(wave_.changes["hart0.hpm.sample.sample_priv_q"], (Changes{{5, 1}}));
}

TEST_F(CaptureWave, KnowsTheYoungestInstructionOfASpan) {
    bank_.write(event_csr(3), 2);
    cycle();
    bank_.write(threshold_csr(3), 1);
    cycle();
    constexpr unsigned kInstructions = 10000; // more than wait for single cycles
    for (unsigned n = 0; n < kInstructions; ++n) {
        retire(0x2000 + 4 * n, {});
    }
    retire(kYounger, {}); // in flight still
    bank_.advance({.events = {}, .retired = kInstructions}, 20000);
    cycle(event_bit(Event::L1DMiss));
    cycle();
    ASSERT_EQ(wave_.changes["hart0.hpm.sample.sample_pc_q"].size(), 1U);
    EXPECT_EQ(wave_.changes["hart0.hpm.sample.sample_pc_q"].front(),
              (std::pair<Cycle, std::uint64_t>{20003, 0x2000 + 4 * (kInstructions - 1)}));
}

} // namespace
} // namespace pes::test
