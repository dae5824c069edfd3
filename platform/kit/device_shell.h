// SPDX-License-Identifier: Apache-2.0
// A device of the platform (hw/common/device) inside a module of the kit: its registers behind the
// module's own socket, its outputs on signals.
#pragma once

#include "hw/common/device/description.h"
#include "hw/common/systemc/device_module.h"
#include "platform/config/config.h"
#include "platform/kit/repetitions.h"
#include "platform/kit/wires.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <memory>
#include <vector>

namespace pes::kit {

class DeviceShell {
  public:
    DeviceShell(const PlatformConfig& config, const DeviceDescription& description);

    /// Output `line` drives this port.
    void drive(unsigned line, InterruptOut& port);

    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        socket_->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        return socket_->transport_dbg(payload);
    }

    const ClockDomain& clock() const { return clock_; }
    DeviceModule& module() { return module_; }

  private:
    const std::shared_ptr<const void> log_ = limit_repetitions();
    const ClockDomain clock_;
    DeviceModule module_;
    tlm_utils::simple_initiator_socket<DeviceShell> socket_{"to_device"};
    std::vector<std::unique_ptr<SignalDriver>> drivers_;
};

} // namespace pes::kit
