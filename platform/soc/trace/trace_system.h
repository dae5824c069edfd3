// SPDX-License-Identifier: Apache-2.0
// The trace blocks of a platform: an encoder for each hart, funnels, and the probe through which
// bytes leave the chip.
//
//   no funnel                    funnels
//   encoder n --+-- SRAM         encoder n --> funnel n F / N --+-- SRAM
//               +-- memory                                      +-- memory
//               +-- probe                                       +-- probe
//                                                               +-- funnel 0 (of the others)
//
// With the standard registers the sink is a RAM sink, a component of its own with SRAM and memory,
// at encoder n or at funnel 0. The other funnels send to funnel 0. What a RAM sink writes to the
// addresses of the port leaves the chip.
//
// The timestamp unit of funnel 0 is the master of all; without funnels each encoder counts itself.
#pragma once

#include "hw/bus/router.h"
#include "hw/core/hart_module.h"
#include "hw/trace/systemc/trace_encoder_module.h"
#include "hw/trace/systemc/trace_funnel_module.h"
#include "platform/config/config.h"
#include "platform/soc/trace/probe_channel.h"
#include "platform/soc/trace/trace_report.h"
#include "platform/soc/trace/trace_setup.h"

#include <memory>
#include <span>
#include <vector>

namespace pes {

class OutputFile;

class TraceSystem {
  public:
    /// During elaboration; maps the blocks into the router. `probe` may be null. All that is
    /// referred to outlives it.
    TraceSystem(const PlatformConfig& config, const ClockDomain& clock, Router& router,
                std::span<HartModule* const> harts, OutputFile* probe);

    void attach_wave(WaveSink& wave);
    /// Programs the blocks before the first instruction, as a debugger would.
    void set_up(const TraceSetup& setup);
    /// The same, if a checkpoint of a platform that was set up will be restored.
    void was_set_up() { set_up_ = true; }
    /// The run has ended: stops what set_up() started, and delivers everything in flight.
    void finish(Cycle at);

    TraceReport report() const;
    void state(Archive& archive); ///< of a checkpoint
    unsigned encoders() const { return static_cast<unsigned>(encoders_.size()); }
    unsigned funnels() const { return static_cast<unsigned>(funnels_.size()); }
    trace::Encoder& encoder(unsigned index) { return encoders_[index]->encoder(); }
    trace::Funnel& funnel(unsigned index) { return funnels_[index]->funnel(); }

  private:
    class Link : public trace::HartControl {
      public:
        Link(TraceSystem& owner, unsigned index) : owner_(owner), module_(*owner.harts_[index]) {}
        Address pc() const override;
        std::array<std::uint64_t, trace::kEventCounters> counters(Cycle at) override;
        void wait_until(Cycle at) override { module_.wait_until(at); }
        void let_sinks_run(Cycle at) override;
        void go_on() override { module_.go_on(); }
        void hold_until(Cycle at) override;
        void attach(HartObserver& observer) override;
        void detach(HartObserver& observer) override;

      private:
        TraceSystem& owner_;
        HartModule& module_;
    };

    void add_funnel(unsigned index, const PlatformConfig& config);
    void add_encoder(unsigned index, const PlatformConfig& config);
    void map(const PlatformConfig& config, Router& router);
    void kernel_changed();
    void drain(Cycle at);

    const ClockDomain clock_;
    std::vector<HartModule*> harts_;
    const TraceConfig config_;
    ProbeChannel probe_; ///< takes the bytes of all probes
    trace::PullNotice notice_;
    std::vector<std::unique_ptr<trace::TraceFunnelModule>> funnels_;
    std::vector<std::unique_ptr<Link>> links_;
    std::vector<std::unique_ptr<trace::TraceEncoderModule>> encoders_;
    std::vector<trace::TraceSink*> sinks_; ///< of encoders, then of funnels
    bool set_up_ = false;
};

} // namespace pes
