// SPDX-License-Identifier: Apache-2.0
// A PLIC (RISC-V PLIC specification 1.0) as a SystemC module.
//
// Timing: a source that is high in cycle s is pending in s + 1, and the target's output is high in
// s + 2. An access costs its initiator plic.latency cycles, as an annotated delay.
#pragma once

#include <pes-vp/ports.h>
#include <pes-vp/settings.h>

#include <tlm_utils/simple_target_socket.h>

#include <memory>

namespace pes::kit {

class Plic : public sc_core::sc_module {
  public:
    /// For `harts` harts and plic.sources sources of the settings.
    Plic(const sc_core::sc_module_name& name, const Settings& settings);
    ~Plic() override;

    /// Must be bound. Addresses begin at 0; see docs/devices.md for the registers.
    tlm_utils::simple_target_socket_optional<Plic> socket;
    sc_core::sc_vector<InterruptIn> sources; ///< index n has interrupt id n + 1; unbound: low
    sc_core::sc_vector<InterruptOut> mei;    ///< by hart
    sc_core::sc_vector<InterruptOut> sei;

  private:
    struct Parts;

    void end_of_elaboration() override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);

    std::unique_ptr<Parts> parts_;
};

} // namespace pes::kit
