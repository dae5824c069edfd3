// SPDX-License-Identifier: Apache-2.0
#include "hw/uart/uart_module.h"

namespace pes {

UartModule::UartModule(const sc_core::sc_module_name& name, const UartConfig& config,
                       const ClockDomain& clock, Cycle latency)
    : sc_core::sc_module(name), interrupt("interrupt"), uart_(config), output_(interrupt),
      target_("target", uart_.registers(), clock, {latency, kSecondWord}) {
    uart_.connect(&output_);
}

} // namespace pes
