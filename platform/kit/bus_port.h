// SPDX-License-Identifier: Apache-2.0
// Between the bus socket of a block and that of the module around it, which may stay unbound: then
// there is nothing at any address.
#pragma once

#include <tlm_utils/simple_target_socket.h>

namespace pes::kit {

template <typename Outside>
class BusPort : public sc_core::sc_module {
  public:
    BusPort(const sc_core::sc_module_name& name, Outside& outside)
        : sc_core::sc_module(name), inside("inside"), outside_(outside) {
        inside.register_b_transport(this, &BusPort::b_transport);
        inside.register_transport_dbg(this, &BusPort::transport_dbg);
        inside.register_get_direct_mem_ptr(this, &BusPort::get_direct_mem_ptr);
    }

    tlm_utils::simple_target_socket<BusPort> inside;

    /// The target outside withdraws direct access.
    void withdraw(sc_dt::uint64 first, sc_dt::uint64 last) {
        if (sc_core::sc_get_status() >= sc_core::SC_END_OF_ELABORATION) {
            inside->invalidate_direct_mem_ptr(first, last);
        }
    }

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
        if (outside_.size() == 0) {
            payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
            return;
        }
        outside_->b_transport(payload, delay);
    }
    unsigned transport_dbg(tlm::tlm_generic_payload& payload) {
        return outside_.size() == 0 ? 0 : outside_->transport_dbg(payload);
    }
    bool get_direct_mem_ptr(tlm::tlm_generic_payload& payload, tlm::tlm_dmi& region) {
        return outside_.size() != 0 && outside_->get_direct_mem_ptr(payload, region);
    }

    Outside& outside_;
};

} // namespace pes::kit
