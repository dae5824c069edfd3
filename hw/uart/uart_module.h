// SPDX-License-Identifier: Apache-2.0
// SystemC shell of the UART: TLM target and interrupt line. It has no process.
#pragma once

#include "hw/common/systemc/level_port.h"
#include "hw/common/systemc/register_target.h"
#include "hw/uart/uart.h"

#include <systemc>

namespace pes {

class UartModule : public sc_core::sc_module {
  public:
    /// `latency`: cycles that a register access costs its initiator.
    UartModule(const sc_core::sc_module_name& name, const UartConfig& config,
               const ClockDomain& clock, Cycle latency);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    LevelOut interrupt;

    Uart& uart() { return uart_; }

  private:
    Uart uart_;
    LevelOutputs output_;
    RegisterTarget target_;
};

} // namespace pes
