// SPDX-License-Identifier: Apache-2.0
#include "hw/uart/uart_module.h"

namespace pes {

UartModule::UartModule(sc_core::sc_module_name name, const UartConfig& config,
                       const ClockDomain& clock, Cycle latency)
    : sc_core::sc_module(name), interrupt("interrupt"), uart_(config), output_(interrupt),
      target_("target", uart_.registers(), clock, latency) {
    uart_.connect(&output_);
}

void UartModule::Output::set_level(unsigned, bool level, Cycle at) {
    if (port_.size() != 0) {
        port_->set_level(level, at);
    }
}

} // namespace pes
