// SPDX-License-Identifier: Apache-2.0
// The rows of docs/pes.md, "Sample capture", with the model's counters.
#include "hw/hpm/sample_capture.h"

#include "hw/hpm/tlm_bank.h"

#include <gtest/gtest.h>

#include <utility>

namespace pes::test {
namespace {

constexpr Address kOlder = 0x1000;
constexpr Address kYounger = 0x1004;

class Capture : public testing::Test {
  protected:
    /// One cycle; `older`, `younger`: own events of the instructions that retire.
    void cycle(EventMask pulses, unsigned retired = 0, EventMask older = 0, EventMask younger = 0) {
        const CyclePulses pins{.events = pulses | older | younger,
                               .retired = static_cast<std::uint8_t>(retired)};
        RtlModel::Inputs inputs;
        inputs.pulses = pins.events;
        inputs.retired = pins.retired;
        inputs.retire_pc = {kOlder, kYounger};
        inputs.retire_events = {older, younger};
        capture_.before(bank_, pins);
        bank_.tick(pins, bank_.now() + 1);
        capture_.after(bank_, inputs);
    }
    void write(std::uint16_t csr, std::uint64_t value) {
        bank_.write(csr, value);
        cycle(0);
    }
    /// mhpmcounter3 counts `selector` and fires at `threshold`.
    void arm(std::uint64_t selector, std::uint64_t threshold) {
        write(event_csr(3), selector);
        write(threshold_csr(3), threshold);
    }
    /// What the outputs show one cycle behind the line.
    Address captured() {
        EXPECT_TRUE(bank_.interrupt(BankLine::Threshold).level);
        cycle(0);
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
    cycle(0, 2, kLoad, kInteger);
    EXPECT_EQ(captured(), kOlder);
}

TEST_F(Capture, TakesTheYoungerInstructionIfOnlyThatHasTheEvent) {
    arm(5, 1);
    cycle(0, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kYounger);
}

TEST_F(Capture, TakesTheOlderOfTwoThatCountOnce) {
    arm(5, 1);
    cycle(0, 2, kLoad, kLoad);
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
        cycle(0, 2, kLoad, kInteger);
        EXPECT_EQ(captured(), expected);
        write(csr::kMhpmthresholdInstret, 0);
    }
}

TEST_F(Capture, LetsTheLowestCounterDecide) {
    arm(5, 1);
    write(event_csr(4), 20);
    write(threshold_csr(4), 1);
    cycle(0, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kYounger); // counter 3 counts loads
    EXPECT_EQ(capture_.sample().reached, 0b11000U);
}

TEST_F(Capture, KeepsItsSampleUntilTheLineRisesAgain) {
    arm(5, 1);
    cycle(0, 2, kLoad, kInteger);
    EXPECT_EQ(captured(), kOlder);
    cycle(0, 2, kInteger, kLoad);
    EXPECT_EQ(captured(), kOlder);
}

} // namespace
} // namespace pes::test
