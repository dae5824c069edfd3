// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_devices.h"

#include "hw/virtio/virtio_device.h"
#include "platform/share/host_tree.h"

namespace pes {

void use_devices(const Options& options, PlatformConfig& config) {
    if (!options.share.empty()) {
        config.devices.get<ShareDescription>().used = true;
        validate(config); // its addresses and its interrupt may be taken
    }
}

RunDevices::RunDevices(const Options& options) {
    if (!options.share.empty()) {
        share_.emplace(open_host_tree(options.share, options.share_write, "--share"));
    }
}

void RunDevices::connect(HostSide& side) {
    side.share = share_ ? &*share_ : nullptr;
}

} // namespace pes
