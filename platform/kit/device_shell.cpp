// SPDX-License-Identifier: Apache-2.0
#include "platform/kit/device_shell.h"

#include <string>

namespace pes::kit {

DeviceShell::DeviceShell(const PlatformConfig& config, const DeviceDescription& description)
    : clock_(config.clock_hz),
      module_("device", description.build({.harts = config.harts, .clock_hz = config.clock_hz}),
              static_cast<unsigned>(description.lines(config.harts).size()), clock_,
              AccessLatency(description.latency, description.traits().narrow ? kSecondWord : 0)) {
    socket_.bind(module_.socket());
}

void DeviceShell::drive(unsigned line, InterruptOut& port) {
    drivers_.push_back(
        std::make_unique<SignalDriver>(("driver" + std::to_string(line)).c_str(), clock_, port));
    module_.outputs[line].bind(*drivers_.back());
}

} // namespace pes::kit
