// SPDX-License-Identifier: Apache-2.0
// What options of a run put behind devices of the platform.
#pragma once

#include "platform/cli/options.h"
#include "platform/config/config.h"
#include "platform/share/disk_image.h"
#include "platform/share/share_server.h"
#include "platform/soc/soc.h"

#include <memory>
#include <optional>

namespace pes {

class RunExec;

/// The platform has the devices that the options are about.
void use_devices(const Options& options, PlatformConfig& config);

class RunDevices {
  public:
    /// Opens what is behind them. Throws UserError.
    explicit RunDevices(const Options& options);
    ~RunDevices();

    void connect(HostSide& side);

    /// Null: another command.
    RunExec* exec() { return exec_.get(); }

  private:
    std::optional<ShareServer> share_;
    std::optional<DiskImage> disk_;
    std::optional<ShareServer> root_;
    std::unique_ptr<RunExec> exec_;
};

} // namespace pes
