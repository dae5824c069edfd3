// SPDX-License-Identifier: Apache-2.0
// Every timing kernel with its 24 counters in the model and in RTL at once: no difference on any
// cycle, in any output, in any value read.
#include "hw/hpm/lockstep_bank.h"
#include "tests/fidelity/kernel_machine.h"
#include "tests/unit/hpm/rtl/test_models.h"

#include <gtest/gtest.h>

#include <fstream>

namespace pes::fidelity {
namespace {

TEST(KernelLockstep, NoKernelTellsRtlFromModel) {
    const PlatformConfig config = kernel_config(CoreGeneration::V5_3_0);
    const BuiltModel* model = find_shape(test_models(), config.counters);
    ASSERT_NE(model, nullptr);
    std::ifstream names(PES_KERNEL_NAMES);
    unsigned kernels = 0;
    for (std::string name; std::getline(names, name); ++kernels) {
        SCOPED_TRACE(name);
        std::string report;
        auto bank = std::make_unique<LockstepBank>(
            config.counters, model->make,
            LockstepBank::Hooks{
                .on_difference = [&report](const std::string& text) { report = text; }});
        LockstepBank& lockstep = *bank;
        KernelMachine machine(config, std::move(bank));
        machine.run(std::filesystem::path(PES_KERNELS) / (name + ".elf"));
        lockstep.finish();
        EXPECT_EQ(report, "");
        EXPECT_GT(lockstep.now(), 1000U); // it has counted
    }
    EXPECT_EQ(kernels, 88U);
}

} // namespace
} // namespace pes::fidelity
