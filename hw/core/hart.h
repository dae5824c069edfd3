// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "hw/common/counter_bank.h"
#include "hw/common/retirement.h"
#include "hw/core/hart_config.h"
#include "hw/core/hart_ports.h"
namespace pes {

/// Interrupt inputs, with their bit in mip.
enum class Interrupt : std::uint8_t {
    SupervisorExternal = 9,
    MachineExternal = 11,
    MachineTimer = 7,
    MachineSoftware = 3,
};

/// Why run() came back.
enum class HartStop : std::uint8_t {
    Horizon,          ///< the next instruction decodes at or after the horizon
    WaitForInterrupt, ///< WFI; run() goes on when an enabled interrupt is pending
    TrapLoop,         ///< a trap handler that cannot run: the same trap again with nothing retired
};

class Hart {
  public:
    Hart(const HartConfig& config, HartBus& bus, CounterBank& bank);
    HartStop run();                      ///< until now() >= horizon
    void set_horizon(Cycle horizon);     ///< may be lowered from within run()
    Cycle now() const;                   ///< decode cycle of the next instruction = platform time
    void set_interrupt(Interrupt line, bool level, Cycle at); ///< mip changes at cycle `at`
    void set_counter_lines(LevelSink* sink); ///< receives BankLine edges (line = BankLine)
    void add_observer(HartObserver* observer);
};

} // namespace pes
