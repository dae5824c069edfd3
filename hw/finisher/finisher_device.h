// SPDX-License-Identifier: Apache-2.0
// The test finisher as a device of the platform. Operating systems power off and reboot with it.
#pragma once

#include "hw/common/device/description.h"

namespace pes {

class FinisherDescription : public DeviceDescription {
  public:
    FinisherDescription();
    std::unique_ptr<DeviceDescription> copy() const override;
    const DeviceTraits& traits() const override;
    std::optional<TreeNode> node(const TreePlace& place) const override;
    std::vector<TreeNode> root_nodes(const TreePlace& place) const override;
    std::unique_ptr<Device> build(const DeviceHost& host) const override;
};

} // namespace pes
