// SPDX-License-Identifier: Apache-2.0
// The draft's nine performance events in ordinary counters, against the words of the program and
// the records.
#include "tests/unit/pdis/sampled_machine.h"

#include <gtest/gtest.h>

#include <string>

namespace pes::test {
namespace {

constexpr Cycle kLife = 40'000;
constexpr std::uint64_t kEveryMode = pdis::control::kM | pdis::control::kS | pdis::control::kU;

/// By the major opcodes of the unprivileged specification, and funct5 of the atomics.
struct Kinds {
    bool transfer = false, load = false, store = false;

    explicit Kinds(std::uint32_t word) {
        constexpr std::uint32_t kLr = 0x02, kSc = 0x03, kMretWord = 0x3020'0073;
        switch (word & 0x7F) {
        case 0x03:
        case 0x07:
            load = true;
            break;
        case 0x23:
        case 0x27:
            store = true;
            break;
        case 0x2F:
            load = word >> 27 != kSc;
            store = word >> 27 != kLr;
            break;
        case 0x63:
        case 0x67:
        case 0x6F:
            transfer = true;
            break;
        default:
            transfer = word == kMretWord;
        }
    }
};

/// A program that has run to the end of its life, stepped: each instruction is reported.
class EventCounts : public testing::TestWithParam<unsigned> {
  protected:
    void live(std::uint64_t control, std::uint64_t period) {
        std::mt19937 random(GetParam());
        place_random_program(machine, random);
        machine.write(kMpdisctl, control);
        machine.write(kSpdiscounter, every(period));
        machine.stop_observing();
        machine.hart().set_pc(BareMachine::kCode);
        machine.hart().set_horizon(kLife);
        machine.hart().run();
        machine.hart().settle(machine.hart().reached());
    }

    SampledMachine machine{{.smcsrind = true}, ExecutionPath::Step};
};

TEST_P(EventCounts, TellWhatIsDecoded) {
    live(kEveryMode | pdis::control::kOf, 40);
    std::uint64_t all = 0, transfers = 0, loads = 0, stores = 0, either = 0;
    for (const DecodedInstruction& report : machine.keeper().reports()) {
        const Kinds kinds(machine.peek<std::uint32_t>(report.pc));
        ++all;
        transfers += kinds.transfer ? 1 : 0;
        loads += kinds.load ? 1 : 0;
        stores += kinds.store ? 1 : 0;
        either += kinds.load || kinds.store ? 1 : 0;
    }
    EXPECT_EQ(machine.counted("decoded"), all);
    EXPECT_EQ(machine.counted("decoded-transfer"), transfers);
    EXPECT_EQ(machine.counted("decoded-load"), loads);
    EXPECT_EQ(machine.counted("decoded-store"), stores);
    EXPECT_EQ(machine.counted("decoded-load-store"), either);
    EXPECT_GT(all, machine.hart().instret()); // with what was thrown away
    EXPECT_GT(std::min(loads, stores), 20U);
}

/// "The total number of PDIS counter overflows can be inferred from PDIS.SAMPLES + PDIS.COLLISIONS
/// + PDIS.FILTERED + PDIS.DROPPED." Those are what INST.DEC.SPEC holds of periods.
TEST_P(EventCounts, OfSamplesAddUpToTheOverflows) {
    constexpr std::uint64_t kPeriod = 3;
    machine.write(kSpdisevmask, pdis::header::kFlushed);
    live(kEveryMode | pdis::control::kOf, kPeriod);
    const std::uint64_t ended = machine.counted("pdis-sample") + machine.counted("pdis-collision") +
                                machine.counted("pdis-filtered") + machine.counted("pdis-dropped");
    EXPECT_EQ(ended + (machine.sampler().active() ? 1 : 0), machine.counted("decoded") / kPeriod);
    EXPECT_EQ(machine.counted("pdis-sample"), machine.keeper().records().size());
    for (const RecordKeeper::Kept& kept : machine.keeper().records()) {
        EXPECT_EQ(kept.record[pdis::kHeader] & pdis::header::kFlushed, 0U);
    }
    EXPECT_GT(machine.counted("pdis-filtered") + machine.counted("pdis-collision"), 10U);
    EXPECT_EQ(machine.counted("pdis-dropped"), 0U); // that is the buffer's: PdisPaths
}

INSTANTIATE_TEST_SUITE_P(OfPrograms, EventCounts, testing::Range(0U, 8U));

} // namespace
} // namespace pes::test
