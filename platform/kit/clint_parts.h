// SPDX-License-Identifier: Apache-2.0
// What is inside a Clint; a Hart asks its device for mtime.
#pragma once

#include "hw/irq/clint_device.h"
#include "platform/kit/device_shell.h"

#include <pes-vp/clint.h>

namespace pes::kit {

struct Clint::Parts {
    explicit Parts(const PlatformConfig& config)
        : shell(config, config.devices.get<ClintDescription>()) {}
    DeviceShell shell;
};

} // namespace pes::kit
