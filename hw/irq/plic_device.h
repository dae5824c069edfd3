// SPDX-License-Identifier: Apache-2.0
// The PLIC as a part of the platform. It is the interrupt controller of the devices.
#pragma once

#include "hw/common/device/description.h"
#include "hw/irq/plic.h"

namespace pes {

class PlicDescription : public DeviceDescription {
  public:
    PlicDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;
    std::vector<DeviceSetting> settings() override;
    std::optional<std::string> mistake(unsigned harts) const override;
    std::vector<DeviceLine> lines(unsigned harts) const override;
    std::optional<TreeNode> node(const TreePlace& place) const override;
    std::unique_ptr<Device> build(const DeviceHost& host) const override;
    unsigned interrupt_sources() const override { return config.sources; }

    PlicConfig config; ///< `contexts` follows from the harts
};

} // namespace pes
