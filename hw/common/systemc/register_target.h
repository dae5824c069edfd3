// SPDX-License-Identifier: Apache-2.0
// The TLM-2.0 side of a register block.
//
// Timing: an access takes place in the cycle of kernel time plus the delay argument. The latency of
// the device (cycles) is then added to the delay; the initiator takes the difference as the cost of
// the access. Nothing here waits. A device that makes the initiator's thread wait subtracts that
// time from the delay.
//
// Payload rules: little endian, 1, 2, 4 or 8 bytes; byte enables are refused
// (TLM_BYTE_ENABLE_ERROR_RESPONSE), and so is a streaming width below the length
// (TLM_BURST_ERROR_RESPONSE): a register access is one beat.
#pragma once

#include "hw/common/register_block.h"
#include "hw/common/systemc/clock_domain.h"

#include <tlm>
#include <tlm_utils/simple_target_socket.h>

#include <functional>

namespace pes {

/// Cycles that an access costs its initiator.
struct AccessLatency {
    AccessLatency(Cycle access, Cycle double_word = 0) // NOLINT(google-explicit-constructor)
        : of_access(access), of_double_word(double_word) {}
    Cycle of_access;
    Cycle of_double_word; ///< extra cost of 8 bytes, if the registers are smaller
};
/// Behind a bridge that splits 64-bit accesses. [axi2apb_64_32.sv]
constexpr Cycle kSecondWord = 1;

class RegisterTarget : public sc_core::sc_module {
  public:
    /// Called after every access that took place, so that a device can arm its next event.
    using Accessed = std::function<void()>;
    /// Called before every access with its cycle, so that the device can catch up.
    using Approached = std::function<void(Cycle)>;

    RegisterTarget(const sc_core::sc_module_name& name, RegisterBlock& registers,
                   const ClockDomain& clock, AccessLatency latency, Accessed accessed = {},
                   Approached approached = {});

    tlm_utils::simple_target_socket<RegisterTarget> socket;

  private:
    void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
    unsigned transport_dbg(tlm::tlm_generic_payload& payload);
    AccessStatus access(tlm::tlm_generic_payload& payload, Cycle at);

    RegisterBlock& registers_;
    const ClockDomain clock_;
    const sc_core::sc_time latency_;
    const sc_core::sc_time double_word_latency_;
    const Accessed accessed_;
    const Approached approached_;
};

} // namespace pes
