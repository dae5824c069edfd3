// SPDX-License-Identifier: Apache-2.0
// SystemC shell of a trace encoder: register block as a TLM target, its sink unit (with the
// standard registers a RAM sink, which is a target of its own), the instruction tracer, and the
// link to the hart. The encoder itself has no process: it works in the hart's thread, within a
// store to a stimulus or the retirement of an instruction, and its sink has one.
#pragma once

#include "hw/common/retirement.h"
#include "hw/common/systemc/register_target.h"
#include "hw/trace/counter_source.h"
#include "hw/trace/encoder/encoder.h"
#include "hw/trace/program/program_tracer.h"
#include "hw/trace/systemc/ram_sink_target.h"
#include "hw/trace/systemc/trace_sink_module.h"

#include <array>
#include <optional>

namespace pes::trace {

/// What the platform does to the hart on the encoder's behalf.
class HartControl : public CounterSource {
  public:
    virtual Address pc() const = 0;
    /// In the hart's thread: comes back when kernel time is `at` or later.
    virtual void wait_until(Cycle at) = 0;
    /// Likewise, but it is enough if sinks have done what they do up to `at`. Several harts that
    /// share memory take turns; a turn must not end because of trace, or trace would change the
    /// order of their accesses.
    virtual void let_sinks_run(Cycle at) = 0;
    /// In the hart's thread: it goes on, others have run meanwhile.
    virtual void go_on() = 0;
    virtual void hold_until(Cycle at) = 0; ///< no instruction retires before
    virtual void attach(HartObserver& observer) = 0;
    virtual void detach(HartObserver& observer) = 0;
};

class TraceEncoderModule : public sc_core::sc_module {
  public:
    struct Surroundings {
        const ClockDomain& clock;
        HartControl& hart;
        PullNotice& notice;
        std::function<void()> kernel_changed;
        ProbeOutput* probe = nullptr;
        const TimestampUnit* master = nullptr; ///< of a slave
        Cycle latency = 0;                     ///< that a register access costs
        bool stimuli = false;                  ///< a second target: the page for user mode
    };

    TraceEncoderModule(const sc_core::sc_module_name& name, const EncoderConfig& config,
                       const SinkConfig& sinks, const Surroundings& around);

    tlm_utils::simple_target_socket<RegisterTarget>& socket() { return target_.socket; }
    tlm_utils::simple_target_socket<RegisterTarget>& stimuli_socket() { return stimuli_->socket; }
    tlm_utils::simple_initiator_socket<TraceSinkModule>& bus() { return sink_.bus; }
    /// Of the registers of its RAM sink; null if it has none.
    RamSinkTarget* ram_sink() { return ram_sink_ ? &*ram_sink_ : nullptr; }
    RegisterBlock* ram_sink_registers() { return ram_sink_ ? &ram_sink_->registers() : nullptr; }

    Encoder& encoder() { return encoder_; }
    TraceSink& sink() { return sink_.unit(); }
    /// Trigger input = line.
    LevelSink& triggers() { return triggers_; }
    void serve_until(Cycle at) { sink_.serve_until(at); }
    /// Before the sink is read from outside.
    void bring_up_to(Cycle at) { sink_.bring_up_to(at); }

    void state(Archive& archive); ///< of a checkpoint

  private:
    /// Who waits is the hart's thread.
    class HartLink : public TracedHart {
      public:
        HartLink(const ClockDomain& clock, HartControl& hart, PullNotice& notice,
                 TraceSinkModule& sink)
            : clock_(clock), hart_(hart), notice_(notice), sink_(sink) {}
        void about_to_send(Cycle at) override { sink_.bring_up_to(at - 1); }
        void catch_up(Cycle at) override;
        Cycle wait_for_pull(Cycle at) override;
        void stop_waiting(Cycle) override { notice_.pulled(); }
        Address pc() const override { return hart_.pc(); }

      private:
        const ClockDomain clock_;
        HartControl& hart_;
        PullNotice& notice_;
        TraceSinkModule& sink_;
    };

    /// The tracer watches the hart only while it traces: otherwise the hart is as fast as without.
    class Tracer : public InstructionTracer {
      public:
        Tracer(TraceEncoderModule& owner, Encoder& encoder)
            : owner_(owner), tracer_(encoder.port(), &owner.hart_, &encoder.packets()) {}
        bool has_counters() const override { return true; }
        void configure(const InstructionTraceSettings& settings) override;
        void set_filters(const TraceFilters& filters) override { tracer_.set_filters(filters); }
        void start(SyncReason reason, Cycle at) override;
        void stop(CorrelationEvent reason, Cycle at) override;
        void synchronise(SyncReason reason, Cycle at) override;
        void trigger(unsigned input, Cycle at) override;
        bool attached() const { return attached_; }
        void attach();
        void renew_lag();
        void state(Archive& archive) { archive(tracer_, follows_); }

      private:
        TraceEncoderModule& owner_;
        ProgramTracer tracer_;
        bool attached_ = false;
        bool follows_ = false; ///< the sink
    };

    /// An edge acts some cycles later, before the first instruction that retires after that; so it
    /// does not matter how early the counters tell of it. A second edge of an input in the meantime
    /// is the same one.
    class Triggers : public LevelSink, private HartObserver {
      public:
        explicit Triggers(TraceEncoderModule& owner) : owner_(owner) { pending_.fill(kNever); }
        void set_level(unsigned input, bool level, Cycle at) override;
        bool attached() const { return attached_; }
        void attach();
        void state(Archive& archive) { archive(pending_); }

      private:
        void retired(const Retirement& retirement) override { act_before(retirement.cycle); }
        void trapped(const TrapTaken& trap) override { act_before(trap.cycle); }
        void act_before(Cycle cycle);

        TraceEncoderModule& owner_;
        std::array<Cycle, kTriggerInputs> pending_; ///< by input; kNever: none
        bool attached_ = false;
    };

    void renew_lazy_range();
    void registers_written();

    HartControl& hart_;
    TraceSinkModule sink_;
    struct {
        bool in_use = false;
        unsigned changes = 0; ///< of the sink's buffer
    } seen_;                  ///< by renew_lazy_range()
    Encoder encoder_;
    std::optional<RamSinkTarget> ram_sink_;
    HartLink link_;
    Tracer tracer_;
    Triggers triggers_{*this};
    bool triggers_first_ = false; ///< of the two observers, while both are attached
    RegisterTarget target_;
    std::optional<RegisterTarget> stimuli_;
};

} // namespace pes::trace
