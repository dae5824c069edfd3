// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/clint_device.h"

#include "hw/interface/maps/clint.h"
#include "hw/interface/maps/interrupts.h"

namespace pes {

std::unique_ptr<DeviceDescription> describe_clint() {
    return std::make_unique<ClintDescription>();
}

ClintDescription::ClintDescription() : DeviceDescription({0x0200'0000, 0xC'0000}, 0) {}

std::unique_ptr<DeviceDescription> ClintDescription::copy() const {
    return std::make_unique<ClintDescription>(*this);
}

const DeviceTraits& ClintDescription::traits() const {
    static constexpr DeviceTraits kTraits{.name = "clint", .title = "CLINT", .least_bytes = 0xC000};
    return kTraits;
}

std::vector<DeviceSetting> ClintDescription::settings() {
    return {{.key = "cycles_per_tick",
             .slot = &config.cycles_per_tick,
             .format = Format::Cycles,
             .description = "hart cycles for one step of mtime",
             .minimum = 1,
             .maximum = 1'000'000},
            {.key = "phase",
             .slot = &config.phase,
             .format = Format::Cycles,
             .description =
                 "delay of the steps of mtime, in cycles after the multiples of cycles_per_tick",
             .maximum = 999'999}};
}

std::optional<std::string> ClintDescription::mistake(unsigned /*harts*/) const {
    if (config.phase < config.cycles_per_tick) {
        return std::nullopt;
    }
    return "clint.phase: expected less than clint.cycles_per_tick = " +
           std::to_string(config.cycles_per_tick);
}

std::vector<DeviceLine> ClintDescription::lines(unsigned harts) const {
    std::vector<DeviceLine> lines;
    for (const unsigned cause :
         {irq::kMachineTimer, irq::kMachineSoftware, irq::kSupervisorTimer}) {
        for (unsigned hart = 0; hart < harts; ++hart) {
            lines.push_back({DeviceLine::To::Hart, cause, hart});
        }
    }
    return lines;
}

std::optional<TreeNode> ClintDescription::node(const TreePlace& place) const {
    return TreeNode("clint", range.base)
        .texts("compatible", {"sifive,clint0", "riscv,clint0"})
        .range(range)
        .cells("interrupts-extended",
               place.hart_interrupts({irq::kMachineSoftware, irq::kMachineTimer}));
}

std::unique_ptr<Device> ClintDescription::build(const DeviceHost& host) const {
    ClintConfig own = config;
    own.harts = host.harts;
    return std::make_unique<Clint>(own);
}

std::optional<MachineTime> ClintDescription::machine_time() const {
    return MachineTime{.address = range.base + clint::kMtime,
                       .cycles_per_tick = config.cycles_per_tick};
}

} // namespace pes
