// SPDX-License-Identifier: Apache-2.0
// What options of a run put behind devices of the platform.
#pragma once

#include "platform/cli/options.h"
#include "platform/config/config.h"
#include "platform/share/share_server.h"
#include "platform/soc/soc.h"

#include <optional>

namespace pes {

/// The platform has the devices that the options are about.
void use_devices(const Options& options, PlatformConfig& config);

class RunDevices {
  public:
    /// Opens what is behind them. Throws UserError.
    explicit RunDevices(const Options& options);

    void connect(HostSide& side);

  private:
    std::optional<ShareServer> share_;
};

} // namespace pes
