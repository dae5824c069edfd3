// SPDX-License-Identifier: Apache-2.0
#include <pes-vp/clint.h>

#include "platform/kit/clint_parts.h"
#include "platform/kit/errors.h"

namespace pes::kit {

Clint::Clint(const sc_core::sc_module_name& name, const Settings& settings)
    : sc_core::sc_module(name), socket("socket"), mti("mti", settings.internal().harts),
      msi("msi", settings.internal().harts), sti("sti", settings.internal().harts),
      parts_(std::make_unique<Parts>(settings.internal())) {
    socket.register_b_transport(this, &Clint::b_transport);
    socket.register_transport_dbg(this, &Clint::transport_dbg);
    unsigned line = 0;
    for (auto* ports : {&mti, &msi, &sti}) { // as ClintDescription::lines()
        for (InterruptOut& port : *ports) {
            parts_->shell.drive(line++, port);
        }
    }
}

Clint::~Clint() = default;

void Clint::end_of_elaboration() {
    require_bound(*this, socket, kInitiator);
}

void Clint::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    parts_->shell.b_transport(payload, delay);
}

unsigned Clint::transport_dbg(tlm::tlm_generic_payload& payload) {
    return parts_->shell.transport_dbg(payload);
}

std::uint64_t Clint::mtime() const {
    return parts_->shell.module().device().mtime(parts_->shell.clock().now());
}

} // namespace pes::kit
