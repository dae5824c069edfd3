// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hw/common/systemc/clock_domain.h"
#include "hw/common/systemc/level_port.h"
#include "hw/core/hart.h"

#include <tlm_utils/simple_initiator_socket.h>

#include <functional>

namespace pes {

/// SystemC shell of a hart: one thread that runs the hart to the next kernel event or quantum.
class HartModule : public sc_core::sc_module, private HartBus {
  public:
    HartModule(sc_core::sc_module_name name, const HartConfig& config, const ClockDomain& clock,
               CounterBank& bank, Cycle quantum, std::function<std::uint64_t(Cycle)> mtime);

    tlm_utils::simple_initiator_socket<HartModule> bus; ///< fetch, load, store; DMI is used
    LevelOut threshold_irq;                             ///< BankLine::Threshold
    LevelOut buffer_full_irq;                           ///< BankLine::BufferFull
    LevelSink& interrupts();                            ///< line number = Interrupt enum value

    Hart& hart();
    /// Ends the run after the instruction in hand.
    void request_stop();
};

} // namespace pes
