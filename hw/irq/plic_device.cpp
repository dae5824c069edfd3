// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/plic_device.h"

#include "hw/interface/maps/interrupts.h"
#include "hw/interface/maps/plic.h"

#include <sstream>

namespace pes {

std::unique_ptr<DeviceDescription> describe_plic() {
    return std::make_unique<PlicDescription>();
}

/// CVA6 reaches its PLIC through a 64-to-32-bit bridge.
PlicDescription::PlicDescription() : DeviceDescription({0x0C00'0000, 0x400'0000}, 2) {}

std::unique_ptr<DeviceDescription> PlicDescription::copy() const {
    return std::make_unique<PlicDescription>(*this);
}

const DeviceTraits& PlicDescription::traits() const {
    static constexpr DeviceTraits kTraits{.name = "plic",
                                          .title = "PLIC",
                                          .least_bytes = 0x20'2000,
                                          .most_bytes = 0x1000'0000,
                                          .narrow = true,
                                          .has_phandle = true};
    return kTraits;
}

std::vector<DeviceSetting> PlicDescription::settings() {
    return {
        {.key = "sources",
         .slot = &config.sources,
         .format = Format::Count,
         .description = "interrupt sources",
         .minimum = irq::kPesBufferFullSource + 1,
         .maximum = 1023,
         .macro = "PES_PLIC_SOURCES"},
        {.key = "threshold_wraps",
         .slot = &config.threshold_wraps,
         .format = Format::Switch,
         .description = "CVA6's deviation: threshold 7 lets every enabled source through"},
        {.key = "completion_unchecked",
         .slot = &config.completion_unchecked,
         .format = Format::Switch,
         .description = "CVA6's deviation: a completion is not checked against the context's "
                        "enables"},
    };
}

std::optional<std::string> PlicDescription::mistake(unsigned harts) const {
    const unsigned last = harts - 1;
    std::ostringstream text;
    if (const unsigned needed = irq::pes_buffer_full_source(last); config.sources <= needed) {
        text << "plic.sources = " << config.sources << " is too small for " << harts
             << " harts, expected at least " << needed + 1;
        return text.str();
    }
    const std::uint64_t contexts =
        plic::kContext + plic::kContextStride * (plic::supervisor_context(last) + 1);
    if (range.size < contexts) {
        text << std::hex << "plic.size = 0x" << range.size << " is too small for " << std::dec
             << harts << std::hex << " harts, expected at least 0x" << contexts;
        return text.str();
    }
    return std::nullopt;
}

std::vector<DeviceLine> PlicDescription::lines(unsigned harts) const {
    std::vector<DeviceLine> lines;
    for (unsigned hart = 0; hart < harts; ++hart) { // contexts 2 h and 2 h + 1
        lines.push_back({DeviceLine::To::Hart, irq::kMachineExternal, hart});
        lines.push_back({DeviceLine::To::Hart, irq::kSupervisorExternal, hart});
    }
    return lines;
}

std::optional<TreeNode> PlicDescription::node(const TreePlace& place) const {
    return TreeNode("interrupt-controller", range.base)
        .texts("compatible", {"sifive,plic-1.0.0", "riscv,plic0"})
        .range(range)
        .cells("#interrupt-cells", {1})
        .cells("#address-cells", {0})
        .flag("interrupt-controller")
        .cells("interrupts-extended",
               place.hart_interrupts({irq::kMachineExternal, irq::kSupervisorExternal}))
        .cells("riscv,ndev", {config.sources})
        .cells("phandle", {place.phandle});
}

std::unique_ptr<Device> PlicDescription::build(const DeviceHost& host) const {
    PlicConfig own = config;
    own.contexts = plic::kContextsPerHart * host.harts;
    return std::make_unique<Plic>(own);
}

} // namespace pes
