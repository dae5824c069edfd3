// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/systemc/software_trace_module.h"

namespace pes::trace {

SoftwareTraceModule::SoftwareTraceModule(const sc_core::sc_module_name& name,
                                         const SoftwareTraceConfig& config,
                                         const ClockDomain& clock, SoftwareTracedHart& hart,
                                         ProbeOutput& link, Cycle latency)
    : sc_core::sc_module(name), hart_(hart), unit_(config, link), tracker_(unit_, hart),
      target_("target", unit_.registers(), clock, latency) {
    unit_.on_tracking([this] {
        if (unit_.tracks_threads()) {
            hart_.attach(tracker_);
        } else {
            hart_.detach(tracker_);
        }
    });
}

void SoftwareTraceModule::state(Archive& archive) {
    archive(unit_);
    if (!archive.saves() && unit_.tracks_threads()) {
        hart_.attach(tracker_);
    }
}

} // namespace pes::trace
