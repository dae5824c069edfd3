// SPDX-License-Identifier: Apache-2.0
// The UART as a part of the platform. It is the console.
#pragma once

#include "hw/common/device/description.h"
#include "hw/uart/uart.h"

namespace pes {

class UartDescription : public DeviceDescription {
  public:
    UartDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;
    std::vector<DeviceSetting> settings() override;
    std::vector<DeviceLine> lines(unsigned harts) const override;
    std::optional<TreeNode> node(const TreePlace& place) const override;
    std::unique_ptr<Device> build(const DeviceHost& host) const override;

    UartConfig config;
};

} // namespace pes
