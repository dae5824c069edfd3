// SPDX-License-Identifier: Apache-2.0
// From the packets of random programs, a reader of another make gets every instruction back.
#include "hw/trace/program/etrace/packet_tracer.h"
#include "tests/unit/trace/etrace/packet_recorder.h"
#include "tests/unit/trace/etrace/second_reader.h"
#include "tests/unit/trace/etrace/traced_walk.h"

#include <gtest/gtest.h>

namespace pes::trace::etrace {
namespace {

class RandomPackets : public ::testing::TestWithParam<Options> {};

TEST_P(RandomPackets, GiveTheProgramToASecondReader) {
    constexpr std::size_t kSteps = 4000;
    constexpr unsigned kTimestampBytes = 5;
    unsigned branch_counts = 0;
    unsigned jump_targets = 0;
    unsigned implicit_returns = 0;
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        std::mt19937_64 random(seed);
        test::RandomProgram program(seed);
        const std::vector<test::Step> steps = test::walk_in_modes(program, kSteps);
        test::PacketRecorder port;
        PacketTracer tracer(port);
        tracer.configure({.protocol = Protocol::ETrace,
                          .mode = InstructionMode::OptimisedHistory,
                          .sync_messages = random() % 2 == 0 ? std::uint64_t{8} << random() % 6 : 0,
                          .sync_units = random() % 2 == 0 ? std::uint64_t{16} << random() % 8 : 0,
                          .etrace = GetParam()});
        tracer.start(0);
        std::vector<Address> retired;
        for (const test::Step& step : steps) {
            if (step.trap) {
                tracer.trapped(step.taken);
            } else {
                tracer.retired(step.retirement);
                retired.push_back(step.retirement.pc);
            }
        }
        tracer.stop(steps.back().cycle());

        const std::string text = port.bytes({.source_bits = 0, .timestamp_bytes = kTimestampBytes});
        const std::vector<std::uint8_t> bytes(text.begin(), text.end());
        test::SecondReader reader(program.code());
        reader.read(bytes, kTimestampBytes);
        ASSERT_EQ(reader.error, "") << "seed " << seed;
        ASSERT_EQ(reader.retired, retired) << "seed " << seed;
        branch_counts += reader.branch_counts;
        jump_targets += reader.jump_targets;
        implicit_returns += reader.implicit_returns;
    }
    EXPECT_EQ(branch_counts != 0, GetParam().branch_prediction);
    EXPECT_EQ(jump_targets != 0, GetParam().jump_target_cache);
    EXPECT_EQ(implicit_returns != 0, GetParam().implicit_return);
}

/// Every combination of options.
std::vector<Options> all_options() {
    std::vector<Options> all;
    for (unsigned bits = 0; bits < 16; ++bits) {
        all.push_back({.implicit_return = (bits & 1) != 0,
                       .full_address = (bits & 2) != 0,
                       .jump_target_cache = (bits & 4) != 0,
                       .branch_prediction = (bits & 8) != 0});
    }
    return all;
}

INSTANTIATE_TEST_SUITE_P(Modes, RandomPackets, ::testing::ValuesIn(all_options()));

} // namespace
} // namespace pes::trace::etrace
