// SPDX-License-Identifier: Apache-2.0
// The stimulus file against docs/rtl-replay.md, record by record.
#include "hw/hpm/model_bank.h"
#include "hw/hpm/stimulus_bank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace pes {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class Stimulus : public testing::Test {
  protected:
    Cycle tick(const CyclePulses& pulses = {}) {
        bank_.tick(pulses, bank_.now() + 1);
        return bank_.now();
    }
    void retire(Address pc, RetireClass kind, std::uint8_t destination, EventMask events = {}) {
        bank_.observer()->retired({.cycle = 0,
                                   .pc = pc,
                                   .next_pc = pc + 4,
                                   .raw = 0,
                                   .length = 4,
                                   .privilege = Privilege::Machine,
                                   .events = events,
                                   .kind = kind,
                                   .written = destination});
    }
    /// Without head, names and what the writer looks at by itself.
    std::vector<std::string> records() {
        bank_.finish();
        std::vector<std::string> lines;
        std::istringstream in(text_);
        for (std::string line; std::getline(in, line);) {
            if (!line.starts_with("x ") && !line.starts_with("d ")) {
                lines.push_back(line);
            }
        }
        return lines;
    }

    CounterConfig config_;
    std::string text_;
    StimulusBank bank_{config_, make_model_bank(config_),
                       [this](std::string_view text) { text_ += text; }};
};

TEST_F(Stimulus, BeginsWithTheShapeAndNamesTheRegisters) {
    tick();
    bank_.finish();
    EXPECT_THAT(text_,
                StartsWith("pes-counter-stimulus 1\nshape cva6 6 64 1 1 1 23\nx b00 mcycle\n"));
    EXPECT_THAT(text_, HasSubstr("\nx b04 mhpmcounter4\n"));
}

TEST_F(Stimulus, HasWritesPulsesReadsAndLines) {
    bank_.write(csr::kMhpmevent3, 5); // 1
    tick();
    bank_.write(csr::kMhpmthreshold3, 2); // 2
    tick();
    tick(); // 3 and 4: nothing
    tick();
    tick({.events = event_bit(Event::Load)}); // 5
    EXPECT_EQ(bank_.read(csr::kMhpmcounter3), 1U);
    tick({.events = event_bit(Event::Load)}); // 6: reaches the threshold, the line rises in 7
    tick();
    EXPECT_THAT(records(), ElementsAre("pes-counter-stimulus 1", "shape cva6 6 64 1 1 1 23",
                                       "w 323 5", "p 0", "w b23 2", "p 0", "n 2", "p 20", "r b03 1",
                                       "p 20", "l 1 0 0", "n 1", "e 7"));
}

TEST_F(Stimulus, HasTheRetirementsOfBothPorts) {
    const EventMask load = event_bit(Event::Load);
    retire(0x100, RetireClass::Load, 10, load);
    tick({.events = load, .retired = 1});
    retire(0x104, RetireClass::Load, 33, load);
    retire(0x108, RetireClass::Alu, 5, event_bit(Event::Integer));
    tick({.events = load | event_bit(Event::Integer), .retired = 2});
    EXPECT_THAT(records(), ElementsAre(testing::_, testing::_, "1 20 20 100 7 a",
                                       "2 100020 20 104 7 21 108 1 5", "e 2"));
}

TEST_F(Stimulus, HasTheModeFromItsCycleOn) {
    bank_.set_privilege(Privilege::User, 3);
    for (unsigned cycle = 0; cycle < 4; ++cycle) {
        tick();
    }
    EXPECT_THAT(records(), ElementsAre(testing::_, testing::_, "n 2", "m 0 0", "n 2", "e 4"));
}

TEST_F(Stimulus, LooksAtAllCountersThatExistAfterEachInterval) {
    for (Cycle cycle = 0; cycle < StimulusBank::kInterval; ++cycle) {
        tick();
    }
    tick();
    EXPECT_THAT(text_, testing::IsEmpty()); // handed over in pieces
    bank_.finish();
    EXPECT_THAT(text_, HasSubstr("n 256\nd b00 100\n"));
    EXPECT_THAT(text_, HasSubstr("\nn 1\nd b00 101\n"));
}

} // namespace
} // namespace pes
