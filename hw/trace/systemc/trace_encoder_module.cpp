// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/systemc/trace_encoder_module.h"

#include <algorithm>
#include <utility>

namespace pes::trace {

namespace {

/// Cycles from an edge to its action. The counters report the edge before an instruction decodes
/// that many cycles later.
constexpr Cycle kTriggerDelay = 4;

} // namespace

TraceEncoderModule::TraceEncoderModule(const sc_core::sc_module_name& name,
                                       const EncoderConfig& config, const SinkConfig& sinks,
                                       const Surroundings& around)
    : sc_core::sc_module(name), hart_(around.hart),
      sink_("sink", sinks, around.clock, around.probe, around.notice, around.kernel_changed),
      encoder_(config, sink_.unit(), around.master),
      link_(around.clock, around.hart, around.notice, sink_), tracer_(*this, encoder_),
      target_(
          "target", encoder_.registers(), around.clock, around.latency,
          [this] { registers_written(); }, [this](Cycle at) { sink_.bring_up_to(at); }) {
    encoder_.connect(&link_);
    encoder_.connect(&tracer_);
    if (around.stimuli) {
        stimuli_.emplace(
            "stimuli", encoder_.stimuli(), around.clock, around.latency,
            [this] { registers_written(); }, [this](Cycle at) { sink_.bring_up_to(at); });
    }
    if (RamSinkTarget::wanted(config.registers, sinks.sinks)) {
        ram_sink_.emplace(
            config.name + "_sink", sink_.unit(), around.clock, around.latency,
            [this] { registers_written(); }, [this](Cycle at) { sink_.bring_up_to(at); });
    }
}

/// Only register writes select another memory; tracing starts and stops by registers and triggers.
void TraceEncoderModule::renew_lazy_range() {
    const bool in_use = encoder_.tracing() || sink_.unit().next_wake() != kNever;
    const unsigned changes = sink_.unit().buffer_changes();
    if (in_use == seen_.in_use && changes == seen_.changes) [[likely]] {
        return;
    }
    seen_ = {.in_use = in_use, .changes = changes};
    sink_.renew_lazy_range(in_use);
}

/// Also tracing starts and stops by registers, and by triggers.
void TraceEncoderModule::registers_written() {
    renew_lazy_range();
    tracer_.renew_lag();
}

void TraceEncoderModule::HartLink::catch_up(Cycle at) {
    if (!sink_.lags()) {
        hart_.let_sinks_run(at);
    }
    sink_.bring_up_to(at);
}

/// The sink wakes up as long as there are messages, so the wait ends.
Cycle TraceEncoderModule::HartLink::wait_for_pull(Cycle at) {
    hart_.wait_until(at);
    sink_.follow();
    notice_.wait();
    sink_.unfollow();
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
        attach();
    }
    renew_lag();
}

void TraceEncoderModule::Tracer::attach() {
    owner_.hart_.attach(tracer_);
    owner_.triggers_first_ = owner_.triggers_.attached();
    attached_ = true;
}

void TraceEncoderModule::Tracer::stop(CorrelationEvent reason, Cycle at) {
    tracer_.stop(reason, at);
    if (attached_) {
        owner_.hart_.detach(tracer_);
        attached_ = false;
        renew_lag();
    }
}

/// The messages come when the hart is ahead of kernel time, with blocks even when it is ahead of
/// them: then nobody may have to wait for the sink.
void TraceEncoderModule::Tracer::renew_lag() {
    TraceSinkModule& sink = owner_.sink_;
    const bool follows = attached_ && !sink.may_lag();
    if (follows && !follows_) {
        sink.follow();
    } else if (follows_ && !follows) {
        sink.unfollow();
    }
    follows_ = follows;
    tracer_.take(sink.may_lag() ? ProgramTracer::Blocks::Allowed : ProgramTracer::Blocks::Refused);
}

void TraceEncoderModule::Tracer::synchronise(SyncReason reason, Cycle at) {
    tracer_.synchronise(reason, at);
}

void TraceEncoderModule::Tracer::trigger(unsigned input, Cycle at) {
    tracer_.trigger(input, at);
}

void TraceEncoderModule::Triggers::set_level(unsigned input, bool level, Cycle at) {
    if (!level || owner_.encoder_.trigger_action(input) == TriggerAction::None) {
        return;
    }
    pending_[input] = std::min(pending_[input], at + kTriggerDelay);
    if (!attached_) {
        attach();
    }
}

void TraceEncoderModule::Triggers::attach() {
    owner_.hart_.attach(*this);
    owner_.triggers_first_ = !owner_.tracer_.attached();
    attached_ = true;
}

void TraceEncoderModule::Triggers::act_before(Cycle cycle) {
    for (unsigned input = 0; input < kTriggerInputs; ++input) {
        if (pending_[input] < cycle) {
            owner_.encoder_.trigger(input, std::exchange(pending_[input], kNever));
        }
    }
    owner_.registers_written();
    if (std::ranges::all_of(pending_, [](Cycle at) { return at == kNever; })) {
        attached_ = false;
        owner_.hart_.detach(*this);
    }
}

/// The observers are told in the order in which they have been attached.
void TraceEncoderModule::state(Archive& archive) {
    archive(encoder_, sink_);
    if (ram_sink_) {
        archive(*ram_sink_);
    }
    archive(seen_.in_use, seen_.changes, tracer_, triggers_);
    bool traces = tracer_.attached();
    bool waits = triggers_.attached();
    bool triggers_first = triggers_first_;
    archive(traces, waits, triggers_first);
    if (archive.saves()) {
        return;
    }
    if (waits && triggers_first) {
        triggers_.attach();
    }
    if (traces) {
        tracer_.attach();
    }
    tracer_.renew_lag();
    if (waits && !triggers_first) {
        triggers_.attach();
    }
}

} // namespace pes::trace
