// SPDX-License-Identifier: Apache-2.0
#include "hw/irq/plic_module.h"

#include "hw/common/systemc/notify_at.h"

namespace pes {

PlicModule::PlicModule(const sc_core::sc_module_name& name, const PlicConfig& config,
                       const ClockDomain& clock, Cycle latency)
    : sc_core::sc_module(name), eip("eip", config.contexts), clock_(clock), plic_(config),
      inputs_(*this), outputs_(eip),
      target_("target", plic_.registers(), clock, {latency, kSecondWord}, [this] { schedule(); }) {
    plic_.connect(&outputs_);
    SC_HAS_PROCESS(PlicModule);
    SC_METHOD(update);
    sensitive << wake_;
    dont_initialize();
}

void PlicModule::Inputs::set_level(unsigned line, bool level, Cycle at) {
    owner_.plic_.set_source(line, level, at);
    owner_.schedule();
}

void PlicModule::update() {
    plic_.advance(clock_.now());
    schedule();
}

void PlicModule::schedule() {
    notify_at(wake_, clock_, plic_.next_change());
}

} // namespace pes
