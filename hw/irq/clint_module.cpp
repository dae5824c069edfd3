// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/clint_module.h"

#include "hw/common/systemc/notify_at.h"

namespace pes {

ClintModule::ClintModule(const sc_core::sc_module_name& name, const ClintConfig& config,
                         const ClockDomain& clock, Cycle latency)
    : sc_core::sc_module(name), timer("timer", config.harts), software("software", config.harts),
      clock_(clock), clint_(config), timer_outputs_(timer), software_outputs_(software),
      target_("target", clint_.registers(), clock, latency, [this] { schedule(); }) {
    clint_.connect_timer(&timer_outputs_);
    clint_.connect_software(&software_outputs_);
    SC_HAS_PROCESS(ClintModule);
    SC_METHOD(update);
    sensitive << wake_;
    dont_initialize();
}

void ClintModule::update() {
    clint_.advance(clock_.now());
    schedule();
}

void ClintModule::schedule() {
    // A rewritten mtimecmp may have moved the deadline away: the old wake-up must not stand.
    wake_.cancel();
    notify_at(wake_, clock_, clint_.next_change());
}

} // namespace pes
