// SPDX-License-Identifier: Apache-2.0
// Every timing kernel with its 24 counters in the model and in RTL at once: no difference on any
// cycle, in any output, in any value read.
#include "hw/hpm/lockstep_bank.h"
#include "tests/fidelity/kernel_machine.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <span>
#include <string>

namespace pes::fidelity {
namespace {

/// Runs every kernel and returns the first report; empty: no difference.
std::string run_kernels(const PlatformConfig& config, std::span<const BuiltModel> models) {
    const BuiltModel* model = find_shape(models, config.counters);
    if (model == nullptr) {
        return "no model of this shape";
    }
    std::ifstream names(PES_KERNEL_NAMES);
    unsigned kernels = 0;
    std::string report;
    for (std::string name; report.empty() && std::getline(names, name); ++kernels) {
        auto bank = std::make_unique<LockstepBank>(
            config.counters, model->make,
            LockstepBank::Hooks{.on_difference = [&](const std::string& text) {
                report.append(name).append(": ").append(text);
            }});
        LockstepBank& lockstep = *bank;
        KernelMachine machine(config, std::move(bank));
        machine.run(std::filesystem::path(PES_KERNELS) / (name + ".elf"));
        lockstep.finish();
        EXPECT_GT(lockstep.now(), 1000U) << name; // it has counted
    }
    EXPECT_EQ(kernels, report.empty() ? 88U : kernels);
    return report;
}

TEST(KernelLockstep, NoKernelTellsRtlFromModel) {
    EXPECT_EQ(run_kernels(kernel_config(fidelity::kSettingsOfV5_3_0), test_models()), "");
}

/// The shape of a foreign block.
PlatformConfig foreign_config() {
    PlatformConfig config = kernel_config(fidelity::kSettingsOfV5_3_0);
    config.counters.sscofpmf = false;
    config.counters.write_freezes = false;
    return config;
}

// What a block decodes from class and destination of each retirement are the hart's pulses.
TEST(KernelLockstep, ClassPinsGiveTheEventsOfRetirement) {
    EXPECT_EQ(run_kernels(foreign_config(), class_models()), "");
}

TEST(KernelLockstep, ABlockThatDecodesAClassWronglyIsFound) {
    EXPECT_THAT(run_kernels(foreign_config(), wrong_class_models()), testing::HasSubstr("(store)"));
}

} // namespace
} // namespace pes::fidelity
