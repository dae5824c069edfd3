// SPDX-License-Identifier: Apache-2.0
// Which devices a platform has. CMake writes the function from its calls of pes_add_device.
#pragma once

#include "hw/common/device/device_set.h"

namespace pes {

/// All of them with their default settings, in the order of their settings and nodes.
DeviceSet platform_devices();

} // namespace pes
