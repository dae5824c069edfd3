// SPDX-License-Identifier: Apache-2.0
// SystemC shell of a trace funnel: register block as a TLM target, and its sink unit, which with
// the standard registers is a RAM sink and a target of its own.
#pragma once

#include "hw/common/systemc/register_target.h"
#include "hw/trace/sinks/funnel.h"
#include "hw/trace/systemc/ram_sink_target.h"
#include "hw/trace/systemc/trace_sink_module.h"

#include <optional>

namespace pes::trace {

class TraceFunnelModule : public sc_core::sc_module {
  public:
    struct Surroundings {
        const ClockDomain& clock;
        PullNotice& notice;
        std::function<void()> kernel_changed;
        ProbeOutput* probe = nullptr;
        const TimestampUnit* master = nullptr; ///< of a slave
        Cycle latency = 0;                     ///< that a register access costs
    };

    TraceFunnelModule(const sc_core::sc_module_name& name, const FunnelConfig& config,
                      const SinkConfig& sinks, const Surroundings& around)
        : sc_core::sc_module(name),
          sink_("sink", sinks, around.clock, around.probe, around.notice, around.kernel_changed),
          funnel_(config, sink_.unit(), around.master),
          target_("target", funnel_.registers(), around.clock, around.latency) {
        if (RamSinkTarget::wanted(config.registers, sinks.sinks)) {
            ram_sink_.emplace(config.name + "_sink", sink_.unit(), around.clock, around.latency);
        }
        sink_.follow(); // the room of others depends on it
    }

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    tlm_utils::simple_initiator_socket<TraceSinkModule>& bus() { return sink_.bus; }

    /// Of the registers of its RAM sink; null if it has none.
    RamSinkTarget* ram_sink() { return ram_sink_ ? &*ram_sink_ : nullptr; }
    RegisterBlock* ram_sink_registers() { return ram_sink_ ? &ram_sink_->registers() : nullptr; }

    Funnel& funnel() { return funnel_; }
    TraceSink& sink() { return sink_.unit(); }
    void serve_until(Cycle at) { sink_.serve_until(at); }
    void state(Archive& archive) { ///< of a checkpoint
        archive(funnel_, sink_);
        if (ram_sink_) {
            archive(*ram_sink_);
        }
    }

  private:
    TraceSinkModule sink_;
    Funnel funnel_;
    std::optional<RamSinkTarget> ram_sink_;
    RegisterTarget target_;
};

} // namespace pes::trace
