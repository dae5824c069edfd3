// SPDX-License-Identifier: Apache-2.0
#include <pes-vp/plic.h>

#include "hw/irq/plic_device.h"
#include "platform/kit/device_shell.h"
#include "platform/kit/errors.h"

namespace pes::kit {

struct Plic::Parts {
    explicit Parts(const PlatformConfig& config)
        : shell(config, config.devices.get<PlicDescription>()) {}
    DeviceShell shell;
    std::vector<std::unique_ptr<SignalReader>> readers;
};

Plic::Plic(const sc_core::sc_module_name& name, const Settings& settings)
    : sc_core::sc_module(name), socket("socket"),
      sources("source", settings.internal().devices.get<PlicDescription>().interrupt_sources()),
      mei("mei", settings.internal().harts), sei("sei", settings.internal().harts),
      parts_(std::make_unique<Parts>(settings.internal())) {
    socket.register_b_transport(this, &Plic::b_transport);
    socket.register_transport_dbg(this, &Plic::transport_dbg);
    for (unsigned hart = 0; hart < settings.internal().harts; ++hart) { // PlicDescription::lines()
        parts_->shell.drive(2 * hart, mei[hart]);
        parts_->shell.drive(2 * hart + 1, sei[hart]);
    }
    for (unsigned index = 0; index < sources.size(); ++index) {
        parts_->readers.push_back(std::make_unique<SignalReader>(
            ("reader" + std::to_string(index)).c_str(), parts_->shell.clock(), sources[index],
            parts_->shell.module().sources(), index));
    }
}

Plic::~Plic() = default;

void Plic::end_of_elaboration() {
    require_bound(*this, socket, kInitiator);
}

void Plic::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->shell.b_transport(payload, delay);
}

unsigned Plic::transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->shell.transport_dbg(payload);
}

} // namespace pes::kit
