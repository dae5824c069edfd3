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
    const unsigned harts = settings.internal().harts;
    for (unsigned hart = 0; hart < harts; ++hart) { // as ClintDescription::lines()
        parts_->shell.drive(hart, mti[hart]);
        parts_->shell.drive(harts + hart, msi[hart]);
        parts_->shell.drive(2 * harts + hart, sti[hart]);
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
