// SPDX-License-Identifier: Apache-2.0
// A CLINT (register layout of SiFive's) as a SystemC module: mtime, a timer and a software
// interrupt for each hart, and with extensions.sstc the comparator of its stimecmp.
//
// Timing: mtime is one more every clint.cycles_per_tick cycles. A write in cycle t takes effect in
// t + 1; a line rises in the first cycle in which mtime has reached the comparator. An access costs
// its initiator clint.latency cycles, as an annotated delay.
#pragma once

#include <pes-vp/ports.h>
#include <pes-vp/settings.h>

#include <tlm_utils/simple_target_socket.h>

#include <memory>

namespace pes::kit {

class Clint : public sc_core::sc_module {
  public:
    /// For `harts` harts of the settings.
    Clint(const sc_core::sc_module_name& name, const Settings& settings);
    ~Clint() override;

    /// Must be bound. Addresses begin at 0; see docs/devices.md for the registers.
    tlm_utils::simple_target_socket_optional<Clint> socket;
    sc_core::sc_vector<InterruptOut> mti; ///< by hart
    sc_core::sc_vector<InterruptOut> msi;
    sc_core::sc_vector<InterruptOut> sti; ///< stimecmp

    std::uint64_t mtime() const; ///< in the present cycle

  private:
    struct Parts;
    friend class Hart;

    void end_of_elaboration() override;
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);

    std::unique_ptr<Parts> parts_;
};

} // namespace pes::kit
