// SPDX-License-Identifier: Apache-2.0
// The CLINT as a device of the platform: the machine timer of the harts.
#pragma once

#include "hw/common/device/description.h"
#include "hw/irq/clint.h"

namespace pes {

class ClintDescription : public DeviceDescription {
  public:
    ClintDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;
    std::vector<DeviceSetting> settings() override;
    std::optional<std::string> mistake(unsigned harts) const override;
    std::vector<DeviceLine> lines(unsigned harts) const override;
    std::optional<TreeNode> node(const TreePlace& place) const override;
    std::unique_ptr<Device> build(const DeviceHost& host) const override;
    std::optional<MachineTime> machine_time() const override;

    ClintConfig config; ///< `harts` is the platform's number
};

} // namespace pes
