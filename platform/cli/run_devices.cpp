// SPDX-License-Identifier: Apache-2.0
#include "platform/cli/run_devices.h"

#include "hw/virtio/virtio_device.h"
#include "platform/cli/run_exec.h"
#include "platform/exec/control_folder.h"
#include "platform/share/host_tree.h"

namespace pes {

void use_devices(const Options& options, PlatformConfig& config) {
    if (!options.share.empty()) {
        config.devices.get<ShareDescription>().used = true;
    }
    if (options.exec) {
        config.devices.get<RootDescription>().used = true;
        config.devices.get<ControlDescription>().used = true;
    }
    if (!options.disk.empty()) {
        config.devices.get<DiskDescription>().used = true;
    }
    if (!options.virtio_console.empty()) {
        config.devices.get<VirtioConsoleDescription>().used = true;
    }
    validate(config); // their addresses and interrupts may be taken
}

RunDevices::RunDevices(const Options& options) {
    if (!options.share.empty()) {
        share_.emplace(open_host_tree(options.share, options.share_write, "--share"));
    }
    if (!options.disk.empty()) {
        disk_.emplace(options.disk,
                      options.disk_write ? DiskImage::Writes::ToFile : DiskImage::Writes::InMemory,
                      "--disk");
    }
    if (options.exec) {
        exec_ = std::make_unique<RunExec>(*options.exec,
                                          options.profiling ? &*options.profiling : nullptr);
        root_.emplace(options.exec->root.empty()
                          ? make_control_folder({})
                          : open_host_tree(options.exec->root, false, "--root"));
    }
}

RunDevices::~RunDevices() = default;

void RunDevices::connect(HostSide& side) {
    side.share = share_ ? &*share_ : nullptr;
    side.disk = disk_ ? &*disk_ : nullptr;
    side.root = root_ ? &*root_ : nullptr;
    side.control = exec_ ? &exec_->control() : nullptr;
}

} // namespace pes
