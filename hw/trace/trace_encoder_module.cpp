// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/trace_encoder_module.h"

#include <algorithm>

namespace pes::trace {

TraceEncoderModule::TraceEncoderModule(sc_core::sc_module_name name, const EncoderConfig& config,
                                       const SinkConfig& sinks, const Surroundings& around)
    : sc_core::sc_module(name),
      sink_("sink", sinks, around.clock, around.probe, around.notice, around.kernel_changed),
      encoder_(config, sink_.unit(), around.master),
      link_(around.clock, around.hart, around.notice), tracer_(encoder_.port(), around.hart),
      target_("target", encoder_.registers(), around.clock, around.latency) {
    encoder_.connect(&link_);
    encoder_.connect(&tracer_);
}

/// Whatever takes messages wakes up as long as there are any, so the wait ends.
Cycle TraceEncoderModule::HartLink::wait_for_pull(Cycle at) {
    hart_.wait_until(at);
    notice_.wait();
    hart_.go_on();
    const Cycle now = std::max(at, clock_.now());
    hart_.hold_until(now);
    return now;
}

void TraceEncoderModule::Tracer::configure(const InstructionTraceSettings& settings) {
    tracer_.configure(settings);
}

void TraceEncoderModule::Tracer::start(SyncReason reason, Cycle at) {
    tracer_.start(reason, at);
    if (!attached_) {
        hart_.attach(tracer_);
        attached_ = true;
    }
}

void TraceEncoderModule::Tracer::stop(CorrelationEvent reason, Cycle at) {
    tracer_.stop(reason, at);
    if (attached_) {
        hart_.detach(tracer_);
        attached_ = false;
    }
}

void TraceEncoderModule::Tracer::synchronise(SyncReason reason, Cycle at) {
    tracer_.synchronise(reason, at);
}

void TraceEncoderModule::Tracer::event(EventSource source, std::uint64_t id, Cycle at) {
    tracer_.event(source, id, at);
}

} // namespace pes::trace
