// SPDX-License-Identifier: Apache-2.0
// Sampling on both paths of the hart: the same records, the same counts, the same run.
#include "tests/unit/core/hart_life.h"
#include "tests/unit/pdis/sampled_machine.h"

#include "hw/core/arch/csr_numbers.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace pes::test {
namespace {

constexpr std::uint64_t kEveryModeFilter =
    pdis::control::kM | pdis::control::kS | pdis::control::kU;

struct Settings {
    std::uint64_t control = 0;
    std::uint64_t period = 0;
    std::uint64_t mask = 0, match = 0, filter = 0;
    std::uint64_t buffer = 0; ///< spdisambcs; 0: records in CSRs
    bool user = false;        ///< the program runs in U-mode, its handler in M-mode
};

constexpr Address kBuffer = BareMachine::kRam + 0x4'0000;

struct Outcome {
    Life life;
    std::vector<pdis::Record> records;
    pdis::SampleCounts counts;
    std::vector<std::uint64_t> log; ///< what the guest has read, and the memory buffer
    std::uint64_t pending = 0;      ///< mip
    std::size_t reports = 0;
};

/// The address of an mret to the program. Its accesses to machine registers trap.
Address enter_user(SampledMachine& machine) {
    constexpr Address kEntry = BareMachine::kRam + 0x3000;
    machine.open_protection();
    machine.place(kEntry, {kMret});
    machine.set_csr(csr::kMepc, BareMachine::kCode);
    machine.set_csr(csr::kMstatus, 0);
    return kEntry;
}

Outcome live(unsigned seed, const Settings& settings, ExecutionPath path, Cycle step) {
    SampledMachine machine({.smcsrind = true, .ssamb = settings.buffer != 0}, path);
    std::mt19937 random(seed);
    place_random_program(machine, random);
    machine.write(kMpdisctl, settings.control);
    machine.write(kSpdisevmask, settings.mask);
    machine.write(kSpdisevmatch, settings.match);
    machine.write(kSpdisfilter, settings.filter);
    machine.write(kSpdiscounter, every(settings.period));
    if (settings.buffer != 0) {
        machine.write(kSpdisambaddr, kBuffer);
        machine.write(kSpdisambcs, settings.buffer);
    }
    machine.stop_observing();
    machine.hart().set_pc(settings.user ? enter_user(machine) : BareMachine::kCode);
    for (Cycle horizon = step; horizon < kLifetime + step; horizon += step) {
        machine.hart().set_horizon(std::min(horizon, kLifetime));
        machine.hart().run();
    }
    EXPECT_TRUE(machine.adds_up());
    Life life = life_of(machine);
    EXPECT_EQ(machine.counted("pdis-sample"), machine.sampler().counts().samples);
    EXPECT_EQ(machine.counted("pdis-collision"), machine.sampler().counts().collisions);
    EXPECT_EQ(machine.counted("pdis-filtered"), machine.sampler().counts().filtered);
    EXPECT_EQ(machine.counted("pdis-dropped"), machine.sampler().counts().dropped);
    Outcome outcome{.life = std::move(life),
                    .records = {},
                    .counts = machine.sampler().counts(),
                    .log = {},
                    .pending = machine.csr(csr::kMip),
                    .reports = machine.keeper().reports().size()};
    for (const RecordKeeper::Kept& kept : machine.keeper().records()) {
        outcome.records.push_back(kept.record);
    }
    for (Address at = BareMachine::kData + 0x1'0000; at < BareMachine::kData + 0x2'0000; at += 8) {
        outcome.log.push_back(machine.peek<std::uint64_t>(at));
    }
    for (Address at = kBuffer; at < kBuffer + 0x2000; at += 8) {
        outcome.log.push_back(machine.peek<std::uint64_t>(at));
    }
    return outcome;
}

std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>
in_order(const pdis::SampleCounts& counts) {
    return {counts.samples, counts.collisions, counts.filtered,
            counts.dropped, counts.overflows,  counts.accelerated};
}

class PdisPaths : public testing::TestWithParam<Settings> {};

TEST_P(PdisPaths, GiveTheSameRecords) {
    std::uint64_t samples = 0;
    std::size_t stepped_reports = 0, fast_reports = 0;
    for (unsigned seed = 0; seed < 12; ++seed) {
        SCOPED_TRACE(seed);
        const Outcome stepped = live(seed, GetParam(), ExecutionPath::Step, kLifetime);
        samples += stepped.counts.samples;
        for (const Cycle step : {kLifetime, Cycle{401}, Cycle{97}}) {
            SCOPED_TRACE(step);
            const Outcome fast = live(seed, GetParam(), ExecutionPath::Fast, step);
            expect_equal(stepped.life, fast.life);
            EXPECT_EQ(stepped.records, fast.records);
            EXPECT_EQ(in_order(stepped.counts), in_order(fast.counts));
            EXPECT_EQ(stepped.log, fast.log);
            EXPECT_EQ(stepped.pending, fast.pending);
            stepped_reports += stepped.reports;
            fast_reports += fast.reports;
        }
    }
    EXPECT_GT(samples, 20U);
    if (GetParam().period >= 1000) {
        EXPECT_LT(fast_reports, stepped_reports); // blocks did run
    }
}

INSTANTIATE_TEST_SUITE_P(
    Of, PdisPaths,
    testing::Values(
        Settings{.control = kEveryModeFilter, .period = 1000},
        Settings{.control = kEveryModeFilter | pdis::control::kTs, .period = 61},
        Settings{.control = kEveryModeFilter | pdis::control::kTs, .period = 3},
        Settings{.control = kEveryModeFilter | pdis::control::kPa | 1, .period = 29},
        Settings{.control = kEveryModeFilter | pdis::control::kPa | 2, .period = 17},
        Settings{.control = kEveryModeFilter | 3, .period = 130},
        Settings{.control = kEveryModeFilter | 4, .period = 23},
        // OF = 1: no interrupts
        Settings{.control = kEveryModeFilter | pdis::control::kOf, .period = 7},
        // One mode of two
        Settings{.control = pdis::control::kU, .period = 171, .user = true},
        Settings{.control = pdis::control::kU | pdis::control::kOf, .period = 23, .user = true},
        Settings{.control = pdis::control::kM | pdis::control::kOf, .period = 13, .user = true},
        // To memory: circular, with a threshold; and until it is full
        Settings{.control = kEveryModeFilter | pdis::control::kOf | pdis::control::kTs,
                 .period = 31,
                 .buffer = 1 | 1 << 7 | std::uint64_t{2} << 32 | pdis::buffer::kThresholdEnable},
        Settings{.control = kEveryModeFilter | pdis::control::kOf | pdis::control::kAcc,
                 .period = 31,
                 .buffer = 1 | pdis::buffer::kStopOnFull},
        // Only loads that miss, and the next one otherwise
        Settings{.control = kEveryModeFilter | pdis::control::kAcc | 1,
                 .period = 40,
                 .mask = pdis::header::kFirstMiss,
                 .match = pdis::header::kFirstMiss},
        // Total latency below 6 cycles
        Settings{.control = kEveryModeFilter, .period = 50, .filter = pdis::filter::kInvert | 6},
        // What is thrown away
        Settings{.control = kEveryModeFilter | pdis::control::kAcc,
                 .period = 9,
                 .mask = pdis::header::kFlushed,
                 .match = pdis::header::kFlushed}));

} // namespace
} // namespace pes::test
