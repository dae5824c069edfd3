// SPDX-License-Identifier: Apache-2.0
// Every timing kernel on both paths, in one process: all repetitions, all counts, and what the hart
// and its memory hold in the end.
#include "tests/fidelity/kernel_machine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace pes::fidelity {

/// How GoogleTest shows a measurement.
void PrintTo(const Measurement& measurement, std::ostream* out) {
    *out << "cycles " << measurement.cycles << ", instructions " << measurement.instructions
         << ", events";
    for (const std::uint64_t count : measurement.events) {
        *out << ' ' << count;
    }
    *out << ", checksum " << measurement.checksum;
}

namespace {

struct Setting {
    const char* name;
    PlatformConfig config;
};

PlatformConfig with(PlatformConfig config, auto change) {
    change(config.hart.timing);
    return config;
}

PlatformConfig counting_all(PlatformConfig config) {
    config.hart.sources = kAllEvents;
    return config;
}

std::vector<Setting> settings() {
    const PlatformConfig plain = kernel_config(fidelity::kSettingsOfV5_3_0);
    return {
        {"v5_3_0", plain},
        {"generation_2025_07",
         kernel_config(std::vector<std::string>{"timing.generation=cva6-2025-07"})},
        {"all_sources", counting_all(plain)},
        {"memory_latency_10", with(plain, [](TimingConfig& to) { to.memory_latency = 10; })},
        {"memory_latency_50", with(plain, [](TimingConfig& to) { to.memory_latency = 50; })},
        {"small_core", with(plain,
                            [](TimingConfig& to) {
                                to.scoreboard_entries = 2;
                                to.speculative_stores = 1;
                                to.committed_stores = 1;
                                to.write_buffer_words = 1;
                                to.writes_in_flight = 1;
                                to.queue_entries = 2;
                                to.bht_rows = 2;
                                to.btb_rows = 1;
                            })},
    };
}

class KernelPaths : public testing::TestWithParam<Setting> {};

TEST_P(KernelPaths, EveryKernelIsTheSameOnBoth) {
    PlatformConfig step_config = GetParam().config;
    step_config.hart.path = ExecutionPath::Step;
    PlatformConfig fast_config = GetParam().config;
    fast_config.hart.path = ExecutionPath::Fast;
    std::ifstream names(PES_KERNEL_NAMES);
    unsigned kernels = 0;
    for (std::string name; std::getline(names, name); ++kernels) {
        SCOPED_TRACE(name);
        const std::filesystem::path elf = std::filesystem::path(PES_KERNELS) / (name + ".elf");
        KernelMachine step(step_config);
        KernelMachine fast(fast_config);
        const Repetitions stepped = step.run(elf);
        const Repetitions quick = fast.run(elf);
        for (unsigned repetition = 0; repetition < kRepetitions; ++repetition) {
            EXPECT_EQ(stepped[repetition], quick[repetition]) << "repetition " << repetition;
        }
        EXPECT_EQ(step.hart().now(), fast.hart().now());
        EXPECT_EQ(step.hart().last_retirement(), fast.hart().last_retirement());
        EXPECT_EQ(step.hart().instret(), fast.hart().instret());
        EXPECT_EQ(step.hart().traps(), fast.hart().traps());
        EXPECT_EQ(step.hart().totals().events, fast.hart().totals().events);
        EXPECT_TRUE(std::ranges::equal(step.ram(), fast.ram())) << "memory differs";
    }
    EXPECT_EQ(kernels, 88U);
}

INSTANTIATE_TEST_SUITE_P(Settings, KernelPaths, testing::ValuesIn(settings()),
                         [](const auto& info) { return std::string(info.param.name); });

/// ... and no cycle or event of CVA6's table depends on what else is counted.
TEST(KernelSources, EveryKernelIsTheSameWithAllOfThem) {
    const PlatformConfig plain_config = kernel_config(fidelity::kSettingsOfV5_3_0);
    std::ifstream names(PES_KERNEL_NAMES);
    for (std::string name; std::getline(names, name);) {
        SCOPED_TRACE(name);
        const std::filesystem::path elf = std::filesystem::path(PES_KERNELS) / (name + ".elf");
        KernelMachine plain(plain_config);
        KernelMachine all(counting_all(plain_config));
        EXPECT_EQ(plain.run(elf), all.run(elf));
        EXPECT_EQ(plain.hart().now(), all.hart().now());
        const EventTotals counted = all.hart().totals();
        const EventTotals base = plain.hart().totals();
        EXPECT_TRUE(std::equal(base.events.begin(), base.events.begin() + kBaseEventCount,
                               counted.events.begin()));
        const auto of = [&](Event event) {
            return counted.events[static_cast<std::size_t>(event)];
        };
        EXPECT_EQ(of(Event::LoadUseStall) + of(Event::MultiplyStall) + of(Event::DivideStall) +
                      of(Event::FloatStall) + of(Event::CsrStall),
                  of(Event::PipelineStall));
        EXPECT_EQ(of(Event::DirectionMispredict) + of(Event::TargetMispredict),
                  of(Event::BranchMispredict));
    }
}

} // namespace
} // namespace pes::fidelity
